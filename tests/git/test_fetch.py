"""Repositories elsewhere: fetched once, held to rules before a packet leaves the judge."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from redis import Redis

from judge.store import Role
from judge.store.settings import Fetch
from judge.web import remote
from judge.web.remote import Remote
from tests.conftest import ServedJudge, serve
from tests.git.conftest import commit, git, submit


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[ServedJudge]:
    """Another judge, as the git server that it is too."""
    with serve(tmp_path_factory.mktemp("elsewhere"), redis_url=redis_url) as judge:
        yield judge


@pytest.fixture(scope="module")
def lenient(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[ServedJudge]:
    """A judge that visits private addresses by plain http: all there is in a test."""
    folder = tmp_path_factory.mktemp("lenient")
    with serve(folder, redis_url=redis_url, fetch=Fetch.ANY) as judge:
        yield judge


@contextmanager
def listening(answer: bytes | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """A port of loopback, and what came in there. Without an `answer` it says nothing, for ever."""
    heard: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def accept() -> None:
            kept = []
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                heard.append(connection.recv(4096))
                kept.append(connection)
                if answer is not None:
                    connection.sendall(answer)
                    connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)


HOSTS = [
    *("127.0.0.1", "localhost", "localhost.", "LOCALHOST", "0x7f000001", "2130706433", "127.1"),
    *(
        "0",
        "0.0.0.0",  # noqa: S104
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
    ),
    *("[2002:7f00:1::]", "169.254.169.254", "10.0.0.1", "192.168.1.1", "100.64.0.1", "[fd00::1]"),
    *("[fe80::1]", "224.0.0.1", "user:pass@127.0.0.1", "0177.0.0.1"),
]


@pytest.mark.parametrize("host", HOSTS)
def test_private_addresses_get_not_one_packet(served: ServedJudge, host: str) -> None:
    caller, problem = served.caller(), served.problem(cap=1)
    with listening() as (port, heard):
        answer = submit(caller, problem.id, f"https://{host}:{port}/x.git")
    assert answer.status_code == 400
    assert "private address" in answer.json()["message"]
    assert "pass" not in answer.text
    assert not heard
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["left"] == 1


@pytest.mark.parametrize(
    "url",
    [
        *("ext::sh -c touch% x", "file:///etc", "/etc", "ssh://git@9.9.9.9/x", "git@9.9.9.9:x/y"),
        *("git://9.9.9.9/x", "http://9.9.9.9/x", "ftp://9.9.9.9/x", "--upload-pack=touch x"),
        *(
            "https://",
            "https:///x",
            "https://9.9.9.9",
            "https://9.9.9.9/a b",
            "https://9.9.9.9:x/y",
        ),
        *("https://9.9.9.9/x?y", "https://[::1/x", "https://ex ample/x", "https://9.9.9.9/\r\nx"),
        *("https://%31%32%37.0.0.1/x", "https://127.0.0.1\t.example/x", "https://-o/x", "", "\0"),
    ],
)
def test_what_is_no_https_url_is_refused_before_git_starts(served: ServedJudge, url: str) -> None:
    answer = submit(served.caller(), served.problem().id, url)
    assert answer.status_code == 400, answer.text
    assert "URL" in answer.json()["message"] or "private" in answer.json()["message"]


def test_a_judge_may_take_pushes_alone(tmp_path: Path, redis_url: str) -> None:
    with serve(tmp_path, redis_url=redis_url, fetch=Fetch.NO) as strict:
        answer = submit(strict.caller(), strict.problem().id, "https://9.9.9.9/x.git")
    assert answer.status_code == 400
    assert "git push" in answer.json()["message"]


def test_a_branch_a_tag_a_commit_and_the_default(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    caller, problem, owner = lenient.caller(), lenient.problem(), elsewhere.caller()
    first = git(work, "rev-parse", "HEAD")
    git(work, "tag", "-a", "v1", "-m", "v1")
    second = commit(work, "b", "2")
    git(work, "push", "--quiet", owner.git_url("x"), "main", "main:feature/x", "v1")
    url = owner.git_url("x")
    for revision, expected in (
        ("", second),
        ("main", second),
        ("feature/x", second),
        ("v1", first),
        (second, second),
    ):
        answer = submit(caller, problem.id, url, revision)
        assert answer.status_code == 201, answer.text
        found = caller.submission(answer.json()["id"])
        assert found["commit"] == expected, revision


def test_the_commit_of_the_submission_is_kept(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    """Push again, or take the repository away: what was submitted is here."""
    caller, owner = lenient.caller(), elsewhere.caller()
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    first = git(work, "rev-parse", "HEAD")
    number = submit(caller, lenient.problem().id, owner.git_url("x")).json()["id"]
    git(work, "commit", "--quiet", "--amend", "-m", "again")
    git(work, "push", "--quiet", "--force", owner.git_url("x"), "main")
    assert caller.submission(number)["commit"] == first
    [kept] = (lenient.settings.git / caller.user.name).glob("*.git")
    assert git(kept, "ls-tree", "--name-only", first) == "main.cpp"


def test_a_secret_in_the_url_is_used_and_kept_nowhere(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caller, owner = lenient.caller(), elsewhere.caller()
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    problem = lenient.problem()
    answer = submit(caller, problem.id, owner.git_url("x"))
    assert answer.status_code == 201
    number = answer.json()["id"]
    code = caller.get(f"/submission/{number}/code").text
    assert code == f"{elsewhere.address}/git/{owner.user.name}/x"
    wrong = owner.git_url("x").replace(owner.token, "SEKRET")
    failed = submit(caller, problem.id, wrong)
    assert failed.status_code == 400
    assert "cannot be read" in failed.json()["message"]
    texts = [answer.text, failed.text, caplog.text, str(caller.submission(number))]
    texts += [p.read_bytes().decode("latin-1") for p in lenient.folder.rglob("*") if p.is_file()]
    redis = Redis.from_url(lenient.settings.redis)
    texts += [str(redis.dump(key)) for key in redis.scan_iter("*")]
    assert not [text for text in texts for secret in ("SEKRET", owner.token) if secret in text]


def test_git_is_held_to_the_address_that_was_judged(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    """A name that nobody can resolve is reached, for git does not ask for it."""
    owner = elsewhere.caller()
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    port = int(elsewhere.address.rpartition(":")[2])
    found = remote.locate(owner.git_url("x"), Fetch.ANY)
    renamed = Remote(
        f"http://nowhere.invalid:{port}/git/{owner.user.name}/x",
        "nowhere.invalid",
        port,
        ("127.0.0.1",),
        found.authorization,
    )
    kept = lenient.repositories.of_url(lenient.caller().user, renamed.url)
    assert remote.fetch(renamed, kept, "", 1 << 20) == git(work, "rev-parse", "HEAD")


def test_redirects_are_not_followed(lenient: ServedJudge) -> None:
    with listening() as (port, heard):
        moved = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/y\r\n\r\n"
        with listening(moved.encode()) as (first, _):
            url = f"http://127.0.0.1:{first}/x.git"
            answer = submit(lenient.caller(), lenient.problem().id, url)
        assert answer.status_code == 400
        assert "redirects elsewhere" in answer.json()["message"]
        assert not heard


def test_nobody_there(lenient: ServedJudge) -> None:
    caller, problem = lenient.caller(), lenient.problem(cap=1)
    for url in ("http://127.0.0.1:1/x.git", "http://nowhere.invalid/x.git"):
        answer = submit(caller, problem.id, url)
        assert answer.status_code == 502
        assert "nothing was submitted" in answer.json()["message"]
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["left"] == 1


def test_nothing_is_fetched_where_the_cap_is_reached(lenient: ServedJudge) -> None:
    with listening() as (port, heard):
        url = f"http://127.0.0.1:{port}/x.git"
        assert submit(lenient.caller(), lenient.problem(cap=0).id, url).status_code == 429
    assert not heard


def test_a_server_that_never_answers_is_left(
    lenient: ServedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SECONDS", 0.5)
    with listening() as (port, heard):
        answer = submit(
            lenient.caller(), lenient.problem().id, f"http://127.0.0.1:{port}/$HOME.git"
        )
    assert answer.status_code == 502
    assert b"GET /$HOME.git/info/refs" in heard[0], "taken literally"


def test_what_does_not_speak_git(lenient: ServedJudge) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nhi!\n"
    with listening(page) as (port, _):
        answer = submit(lenient.caller(), lenient.problem().id, f"http://127.0.0.1:{port}/x.git")
    assert answer.status_code == 400
    assert "cannot be read" in answer.json()["message"]


def test_too_large(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = elsewhere.caller()
    commit(work, "big", os.urandom(3 << 20))
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    monkeypatch.setattr(lenient.repositories, "quota_bytes", 1 << 20)
    caller, problem = lenient.caller(), lenient.problem()
    answer = submit(caller, problem.id, owner.git_url("x"))
    assert answer.status_code == 400
    assert "takes more than" in answer.json()["message"]
    # What was cut off is no use to anybody, and takes no room.
    git(work, "reset", "--quiet", "--hard", "HEAD~1")
    git(work, "push", "--quiet", "--force", owner.git_url("x"), "main")
    assert submit(caller, problem.id, owner.git_url("x")).status_code == 201


def test_old_history_is_not_fetched(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    caller, owner = lenient.caller(), elsewhere.caller()
    for number in range(5):
        commit(work, "a", str(number))
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    submit(caller, lenient.problem().id, owner.git_url("x"))
    [kept] = (lenient.settings.git / caller.user.name).glob("*.git")
    assert git(kept, "rev-list", "--all", "--count") == "1"


def test_git_sees_nothing_of_our_environment(
    lenient: ServedJudge,
    elsewhere: ServedJudge,
    work: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither secrets, nor what would trace it, lead it elsewhere, or run a program."""
    owner = elsewhere.caller()
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    trace = tmp_path / "trace"
    for name in ("GIT_TRACE", "GIT_TRACE_CURL", "GIT_TRACE2_EVENT"):
        monkeypatch.setenv(name, str(trace))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.hooksPath=/evil'")
    monkeypatch.setenv("GIT_DIR", "/nowhere")

    assert submit(lenient.caller(), lenient.problem().id, owner.git_url("x")).status_code == 201
    assert not trace.exists()


def test_objects_that_are_a_trap_are_not_fetched(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    """A .gitmodules that is a link, or whose URL is an option, on a server that minds neither."""
    caller, problem, owner = lenient.caller(), lenient.problem(), elsewhere.caller()
    theirs = elsewhere.repositories.make(owner.user, "trap").folder
    blob = git(work, "rev-parse", "HEAD:main.cpp")
    (work / "entry").write_text(f"120000 blob {blob}\t.gitmodules\n")
    tree = subprocess.check_output(["git", "mktree"], stdin=(work / "entry").open(), cwd=work)
    link = git(work, "commit-tree", "-m", "link", tree.decode().strip())
    url = "--upload-pack=touch x"
    option = commit(work, ".gitmodules", f'[submodule "x"]\n\tpath = x\n\turl = {url}\n')
    for trap in (link, option):
        git(work, "push", "--quiet", "--force", str(theirs), f"{trap}:refs/heads/main")
        answer = submit(caller, problem.id, owner.git_url("trap"))
        assert answer.status_code == 400
        assert "trap (git fsck)" in answer.json()["message"]


def test_submodules_are_not_visited(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    owner = elsewhere.caller()
    with listening() as (port, heard):
        url = f"http://127.0.0.1:{port}/sub.git"
        (work / ".gitmodules").write_text(f'[submodule "s"]\n\tpath = s\n\turl = {url}\n')
        head = git(work, "rev-parse", "HEAD")
        git(work, "update-index", "--add", "--cacheinfo", f"160000,{head},s")
        commit(work, "x", "x")
        git(work, "push", "--quiet", owner.git_url("x"), "main")
        answer = submit(lenient.caller(), lenient.problem().id, owner.git_url("x"))
    assert answer.status_code == 201
    assert not heard


def test_nothing_to_fetch(lenient: ServedJudge, elsewhere: ServedJudge, work: Path) -> None:
    caller, problem, owner = lenient.caller(), lenient.problem(), elsewhere.caller()
    elsewhere.repositories.make(owner.user, "empty")
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    for name, revision, said in (
        ("empty", "", "or is empty"),
        ("x", "no-such-branch", "has no no-such-branch"),
        ("x", "f" * 40, "fffffff"),
        ("x", "-x", "must be a commit, a branch"),
        ("none", "", "cannot be read"),
    ):
        answer = submit(caller, problem.id, owner.git_url(name), revision)
        assert answer.status_code == 400, (name, revision, answer.text)
        assert said in answer.json()["message"]


def test_what_was_fetched_is_no_repository_to_push_to(
    lenient: ServedJudge, elsewhere: ServedJudge, work: Path
) -> None:
    caller, owner = lenient.caller(Role.OPERATOR), elsewhere.caller()
    git(work, "push", "--quiet", owner.git_url("x"), "main")
    submit(caller, lenient.problem().id, owner.git_url("x"))
    [kept] = (lenient.settings.git / caller.user.name).glob("*.git")
    for path in (
        f"/git/{caller.user.name}/{kept.name}",
        f"/git/{caller.user.name}/%2B{kept.name[1:]}",
    ):
        assert submit(caller, lenient.problem().id, path).status_code == 400


def test_names_are_judged_by_every_address_and_held_to_them(tmp_path: Path) -> None:
    """A real name server, in a network of its own; one name changes its mind in between."""
    world = subprocess.run(
        [
            "unshare",
            "--net",
            "--mount",
            sys.executable,
            Path(__file__).parent / "world.py",
            tmp_path,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert world.returncode == 0, world.stderr
    visits = json.loads(world.stdout)
    for name in ("private.test", "loopback.test", "both.test"):
        assert "private address" in visits[name]["refusal"], name
        assert visits[name]["heard"] == [], name
    for name in ("public.test", "turns.test"):
        assert "did not answer" in visits[name]["refusal"], name
        assert visits[name]["heard"] == ["9.9.9.9"], name
