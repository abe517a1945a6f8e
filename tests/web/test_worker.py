"""What workers on other machines take: packages and commits, with a token of their own."""

import io
import subprocess
from pathlib import Path

import pytest
import requests
from backports import tarfile

from judge.packages import content_hash
from judge.store import Role
from judge.store.tokens import Scope
from tests.conftest import Caller, ServedJudge


@pytest.fixture(scope="module")
def worker(served: ServedJudge) -> Caller:
    return served.caller(Role.OPERATOR, scopes=[Scope.WORKER])


def get(caller: Caller, path: str) -> requests.Response:
    return caller.get(f"/worker/{path}", prefix="")


def test_only_for_workers(served: ServedJudge, worker: Caller) -> None:
    problem, caller = served.problem(), served.caller()
    number = caller.submit(problem)
    for path in ("ping", f"package/{problem.package}", f"commit/{number}"):
        assert get(caller, path).status_code == 401
        assert requests.get(f"{served.address}/worker/{path}", timeout=10).status_code == 401
    assert get(worker, "ping").status_code == 204
    assert worker.get(f"/problem/{problem.id}").status_code == 401, "and it is good for no more"


def test_a_package_arrives_as_its_hash_says(
    served: ServedJudge, worker: Caller, tmp_path: Path
) -> None:
    problem = served.problem()
    answer = get(worker, f"package/{problem.package}")
    assert answer.headers["Content-Type"] == "application/x-tar"
    with tarfile.open(fileobj=io.BytesIO(answer.content), mode="r|") as archive:
        archive.extractall(tmp_path, filter="data")
    assert content_hash(tmp_path / "package", tmp_path / "tests") == problem.package


@pytest.mark.parametrize("name", ["0" * 64, "..", "%2e%2e", "x", "../git"])
def test_packages_that_are_not_there(worker: Caller, name: str) -> None:
    assert get(worker, f"package/{name}").status_code == 404


def test_a_commit_comes_without_its_history(
    served: ServedJudge, worker: Caller, tmp_path: Path
) -> None:
    caller, problem = served.caller(), served.problem()
    work, there = tmp_path / "work", tmp_path / "there"
    git(tmp_path, "init", "--quiet", str(work))
    for text in ("old", "new"):
        (work / "a").write_text(text)
        git(work, "add", "-A")
        git(work, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", text)
    git(work, "push", "--quiet", caller.git_url("answer"), "HEAD")
    code = f"/git/{caller.user.name}/answer"
    number = caller.submit(problem, "git", code)
    answer = get(worker, f"commit/{number}")
    git(tmp_path, "init", "--quiet", "--bare", str(there))
    subprocess.run(["git", "index-pack", "--stdin"], cwd=there, input=answer.content, check=True)
    commit = caller.submission(number)["commit"]
    assert git(there, "show", f"{commit}:a") == "new"
    objects = git(there, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    assert len(objects) == 3, "a commit, a tree, a file"


def test_commits_that_are_not_there(served: ServedJudge, worker: Caller) -> None:
    text = served.caller().submit(served.problem())
    for number in (text, 999_999, "x"):
        assert get(worker, f"commit/{number}").status_code in {400, 404}


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()
