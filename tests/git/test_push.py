"""Repositories pushed to the judge: a real git against the real server."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from judge.store import Role
from judge.store.tokens import Scope
from judge.web import repositories
from tests.conftest import Caller, ServedJudge
from tests.git.conftest import commit, git, run, submit


def test_push_clone_and_push_again(served: ServedJudge, work: Path) -> None:
    caller = served.caller()
    url = caller.git_url("answer.git")
    git(work, "push", "--quiet", url, "main")
    commit(work, "more.txt", os.urandom(20 << 20))  # sent in chunks, and larger than a form
    git(work, "push", "--quiet", url, "main")
    git(work.parent, "clone", "--quiet", url, "copy")
    assert git(work.parent / "copy", "rev-parse", "HEAD") == git(work, "rev-parse", "HEAD")
    git(work, "commit", "--amend", "--quiet", "-m", "again")
    git(work, "push", "--quiet", "--force", url, "main")


def test_the_url_works_without_its_ending(served: ServedJudge, work: Path) -> None:
    caller = served.caller()
    git(work, "push", "--quiet", caller.git_url("answer"), "main")
    git(work, "ls-remote", caller.git_url("answer.git"), "main")


def test_nobody_is_asked_to_sign_in(served: ServedJudge, work: Path) -> None:
    url = f"{served.address}/git/nobody/x.git"
    answer = requests.get(f"{url}/info/refs?service=git-receive-pack", timeout=10)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Basic ")
    assert run(work, "push", url, "main").returncode != 0


def test_a_wrong_token_is_refused_with_the_reason(served: ServedJudge, work: Path) -> None:
    caller = served.caller()
    wrong = Caller(caller.user, "acmoj-" + "0" * 32, served.address)
    done = run(work, "push", wrong.git_url("x"), "main")
    assert done.returncode != 0
    assert "unknown, expired or revoked" in done.stderr


def test_only_the_owner_pushes_and_operators_read(served: ServedJudge, work: Path) -> None:
    owner, other, operator = served.caller(), served.caller(), served.caller(Role.OPERATOR)
    git(work, "push", "--quiet", owner.git_url("mine"), "main")
    of_owner = f"/git/{owner.user.name}/mine"

    def as_(caller: Caller) -> str:
        return caller.git_url("x").replace(f"/git/{caller.user.name}/x", of_owner)

    assert run(work, "ls-remote", as_(operator)).returncode == 0
    assert "that you may read" in run(work, "ls-remote", as_(other)).stderr
    for caller in (operator, other):
        assert f"push to /git/{caller.user.name}/" in run(work, "push", as_(caller), "main").stderr


def test_a_token_without_the_scope_does_not_push(served: ServedJudge, work: Path) -> None:
    caller = served.caller(scopes=[Scope.PROBLEM_READ])
    assert "lacks the scope" in run(work, "push", caller.git_url("x"), "main").stderr


@pytest.mark.parametrize("name", ["..", "a..b", ".hidden", "-o", "a%2Fb", "x" * 101, "a%20b"])
def test_names_that_no_repository_has(served: ServedJudge, name: str) -> None:
    caller = served.caller()
    url = f"{served.address}/git/{caller.user.name}/{name}/info/refs?service=git-receive-pack"
    request = requests.Request("GET", url, auth=("x", caller.token)).prepare()
    request.url = url  # as it was written: requests would tidy the path
    assert requests.Session().send(request, timeout=10).status_code in {400, 404}
    assert not (served.settings.git / caller.user.name).exists()


def test_only_the_smart_protocol_is_served(served: ServedJudge, work: Path) -> None:
    caller = served.caller()
    git(work, "push", "--quiet", caller.git_url("x"), "main")
    base = f"{served.address}/git/{caller.user.name}/x.git"
    for path, status in (("/info/refs", 403), ("/HEAD", 404), ("/config", 404)):
        assert requests.get(base + path, auth=("x", caller.token), timeout=10).status_code == status


def test_a_push_over_the_quota_is_cut_with_the_reason(
    served: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.repositories, "quota_bytes", 2 << 20)
    caller = served.caller()
    url = caller.git_url("big")
    git(work, "push", "--quiet", url, "main")
    commit(work, "big", os.urandom(100 << 20))
    done = run(work, "push", url, "main")
    assert done.returncode != 0
    assert "maximum allowed size" in done.stderr
    kept = served.settings.git / caller.user.name / "big.git" / "objects"
    assert not list(kept.glob("*incoming*")), "git was let clean up"
    git(work, "reset", "--quiet", "--hard", "HEAD~1")
    commit(work, "half", os.urandom(1_500_000))
    git(work, "push", "--quiet", url, "main")
    commit(work, "half", os.urandom(1_500_000))
    assert "maximum allowed size" in run(work, "push", url, "main").stderr


def test_a_full_repository_says_so_until_history_is_rewritten(
    served: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = served.caller()
    url = caller.git_url("full")
    git(work, "push", "--quiet", url, "main")
    large = commit(work, "large", os.urandom(3 << 20))
    git(work, "push", "--quiet", url, "main")
    monkeypatch.setattr(served.repositories, "quota_bytes", 2 << 20)
    assert "is full" in run(work, "push", url, f"{large}:refs/heads/other").stderr
    monkeypatch.undo()
    git(work, "reset", "--quiet", "--hard", "HEAD~1")
    git(work, "push", "--quiet", "--force", url, "main")
    monkeypatch.setattr(served.repositories, "quota_bytes", 2 << 20)
    commit(work, "small", "x")
    git(work, "push", "--quiet", url, "main")


def test_so_many_repositories_and_no_more(
    served: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that a refused push left empty make room."""
    monkeypatch.setattr(repositories, "MOST_REPOSITORIES", 2)
    caller = served.caller()
    git(work, "push", "--quiet", caller.git_url("first"), "main")
    requests.get(
        f"{served.address}/git/{caller.user.name}/second/info/refs?service=git-receive-pack",
        auth=("x", caller.token),
        timeout=10,
    ).raise_for_status()
    kept = served.settings.git / caller.user.name
    assert {folder.name for folder in kept.iterdir()} == {"first.git", "second.git"}

    git(work, "push", "--quiet", caller.git_url("third"), "main")
    assert {folder.name for folder in kept.iterdir()} == {"first.git", "third.git"}
    done = run(work, "push", caller.git_url("fourth"), "main")
    assert "you have 2 repositories, and may have no more" in done.stderr
    git(work, "push", "--quiet", caller.git_url("first"), "main:other")


def test_pushes_at_the_same_time_all_arrive(served: ServedJudge, work: Path) -> None:
    caller = served.caller()
    url = caller.git_url("busy")
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: git(work, "push", "--quiet", url, f"main:b{n}"), range(6)))
    assert len(git(work, "ls-remote", "--heads", url).splitlines()) == 6


def test_objects_that_are_a_trap_are_refused(served: ServedJudge, work: Path) -> None:
    """A .gitmodules that is a link, and one with a URL that is an option (git-fsck(1))."""
    caller = served.caller()
    blob = git(work, "rev-parse", "HEAD:main.cpp")
    (work / "entry").write_text(f"120000 blob {blob}\t.gitmodules\n")
    tree = subprocess.check_output(["git", "mktree"], stdin=(work / "entry").open(), cwd=work)
    link = git(work, "commit-tree", "-m", "link", tree.decode().strip())
    refused = run(work, "push", caller.git_url("trap"), f"{link}:refs/heads/main")
    assert "gitmodulesSymlink" in refused.stderr
    commit(work, ".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch x\n')
    assert "gitmodulesUrl" in run(work, "push", caller.git_url("trap"), "main").stderr


def test_hooks_and_settings_in_a_tree_are_files_like_others(
    served: ServedJudge, work: Path, tmp_path: Path
) -> None:
    caller = served.caller()
    (work / "hooks").mkdir()
    mark = tmp_path / "mark"
    commit(work, "hooks/post-receive", f"#!/bin/sh\ntouch {mark}\n")
    (work / "hooks/post-receive").chmod(0o755)
    commit(work, "config", f"[core]\n\tfsmonitor = touch {mark}\n\thooksPath = hooks\n")
    git(work, "push", "--quiet", caller.git_url("tricks"), "main")
    assert not mark.exists()


def test_a_submitted_commit_stays_whatever_is_pushed_later(served: ServedJudge, work: Path) -> None:
    caller, problem = served.caller(), served.problem()
    url = caller.git_url("answer")
    first = commit(work, "a", "1")
    git(work, "push", "--quiet", url, "main")
    number = submit(caller, problem.id, url).json()["id"]
    git(work, "commit", "--amend", "--quiet", "-m", "other")
    git(work, "push", "--quiet", "--force", url, "main")
    bare = served.settings.git / caller.user.name / "answer.git"
    git(bare, "gc", "--quiet", "--prune=now")
    assert caller.submission(number)["commit"] == first
    assert git(bare, "cat-file", "-t", first) == "commit"
    # The ref that keeps it is ours: nobody sees it, and nobody may push it away.
    assert "refs/submissions" not in git(work, "ls-remote", url)
    assert "hidden ref" in run(work, "push", url, f":refs/submissions/{first}").stderr


def test_the_token_of_a_submitted_url_is_kept_nowhere(served: ServedJudge, work: Path) -> None:
    caller, problem = served.caller(), served.problem()
    url = caller.git_url("answer")
    git(work, "push", "--quiet", url, "main")
    number = submit(caller, problem.id, url).json()["id"]
    code = caller.get(f"/submission/{number}/code").text
    assert code == f"/git/{caller.user.name}/answer.git"
    assert caller.token not in str(caller.submission(number))


@pytest.mark.parametrize("host", ["", "http://localhost:1", "https://judge.example"])
def test_the_server_may_be_called_by_any_name(served: ServedJudge, work: Path, host: str) -> None:
    caller, problem = served.caller(), served.problem()
    git(work, "push", "--quiet", caller.git_url("answer"), "main")
    for ending in (".git", "", ".git/"):
        url = f"{host}/git/{caller.user.name}/answer{ending}"
        assert submit(caller, problem.id, url).status_code == 201, url


def test_commits_branches_and_tags_are_submitted(served: ServedJudge, work: Path) -> None:
    caller, problem = served.caller(), served.problem()
    url = caller.git_url("answer")
    first = git(work, "rev-parse", "HEAD")
    git(work, "tag", "-a", "v1", "-m", "v1")
    git(work, "checkout", "--quiet", "-b", "feature/x")
    second = commit(work, "b", "2")
    git(work, "push", "--quiet", url, "main", "feature/x", "v1")
    for revision, expected in (
        ("", first),
        ("main", first),
        ("v1", first),
        (first[:10], first),
        ("feature/x", second),
        (second, second),
    ):
        number = submit(caller, problem.id, url, revision).json()["id"]
        assert caller.submission(number)["commit"] == expected, revision


def test_a_single_branch_of_any_name_is_the_default(served: ServedJudge, work: Path) -> None:
    caller, problem = served.caller(), served.problem()
    url = caller.git_url("answer")
    git(work, "push", "--quiet", url, "main:trunk")
    number = submit(caller, problem.id, url).json()["id"]
    assert caller.submission(number)["commit"] == git(work, "rev-parse", "HEAD")


def test_what_cannot_be_submitted(served: ServedJudge, work: Path) -> None:
    caller, other, problem = served.caller(), served.caller(), served.problem(cap=1)
    url = caller.git_url("answer")
    git(work, "push", "--quiet", url, "main:one", "main:two")
    git(work, "push", "--quiet", other.git_url("theirs"), "main")
    empty = f"/git/{caller.user.name}/empty.git"
    requests.get(
        f"{served.address}{empty}/info/refs?service=git-receive-pack",
        auth=("x", caller.token),
        timeout=10,
    )
    for code, revision, said in (
        (url, "", "several branches"),
        (url, "f" * 40, "there is no commit ffff"),
        (url, "three", "there is no commit three"),
        (url, "-x", "must be a commit, a branch or a tag"),
        (url, "one..two", "must be a commit, a branch or a tag"),
        (url, "one:main.cpp", "must be a commit, a branch or a tag"),
        (empty, "", "is empty"),
        (f"/git/{caller.user.name}/nothing", "", "you have no repository"),
        (f"/git/{other.user.name}/theirs", "", "you have no repository"),
        (f"/git/{caller.user.name}/../{other.user.name}/theirs", "", "URL of a repository"),
        ("ext::sh -c touch% x", "", "URL of a repository"),
        ("file:///etc", "", "URL of a repository"),
        ("--upload-pack=x", "", "URL of a repository"),
        ("http://[", "", "URL of a repository"),
        ("", "", "URL of a repository"),
    ):
        answer = submit(caller, problem.id, code, revision)
        assert answer.status_code == 400, code
        assert said in answer.json()["message"], code
        assert caller.token not in answer.text
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["left"] == 1
