"""An agent's whole way: push, submit, poll, verdict, with workers and the sandbox behind it."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.conftest import ROOT, Live, wait_until

SUM = ROOT / "problems" / "sum"
WAY = ["pending", "compiling", "judging", "accepted"]


@pytest.fixture
def push(judge: Live, tmp_path: Path) -> Callable[[str, Path | None], str]:
    """Push a folder as a repository of that name; its URL."""

    def run(name: str, source: Path | None) -> str:
        folder = tmp_path / name
        if source is None:
            folder.mkdir()
        else:
            shutil.copytree(source, folder)
        scheme, host = judge.address.split("://")
        url = f"{scheme}://mina:{judge.token}@{host}/git/mina/{name}.git"
        who = ["-c", "user.name=Mina", "-c", "user.email=mina@example.org"]
        for arguments in (
            ["init", "--quiet", "--initial-branch=main"],
            ["add", "-A"],
            [*who, "commit", "--quiet", "--allow-empty", "-m", "answer"],
            ["push", "--quiet", url, "main"],
        ):
            subprocess.run(["git", *arguments], cwd=folder, check=True, timeout=60)
        return f"{judge.address}/git/mina/{name}.git"

    return run


def submit(judge: Live, url: str) -> int:
    answer = judge.call("POST", f"problem/{judge.problem}/submit", language="git", code=url)
    assert answer.status_code == 201, answer.text
    number = int(answer.json()["id"])
    assert answer.headers["Location"] == f"/OnlineJudge/api/v1/submission/{number}"
    return number


def test_a_repository_on_its_way(judge: Live, push: Callable[..., str]) -> None:
    number = submit(judge, push("answer", SUM / "solutions/accepted/with_cmake"))
    seen: list[str] = []

    def is_final() -> bool:
        found = judge.submission(number)
        if not seen or found["status"] != seen[-1]:
            seen.append(found["status"])
        return not found["should_auto_reload"]

    wait_until(is_final)
    assert seen == [status for status in WAY if status in seen]
    assert seen[-1] == "accepted"
    found = judge.submission(number)
    assert found["score"] == 100
    assert found["message"] == f"Using git commit {found['commit']}"
    assert [group["result"] for group in found["details"]["groups"]] == ["accepted"] * 3
    usage = found["details"]["groups"][0]["testpoints"][0]["resource_usage"]
    assert 0 < usage["cpu_ns"] < 1_000_000_000
    assert usage["memory_bytes"] > 0


def test_repositories_that_cannot_be_built(
    judge: Live, push: Callable[..., str], tmp_path: Path
) -> None:
    bare = tmp_path / "source"
    bare.mkdir()
    (bare / "main.cpp").write_text("int main() {}")
    for url, said in (
        (push("nothing", None), "empty"),
        (push("no-build", bare), "CMakeLists.txt"),
    ):
        number = submit(judge, url)
        assert judge.wait_for(number, "compile_error", "system_error") == "compile_error"
        found = judge.submission(number)
        assert said in found["message"]
        assert found["details"]["groups"] == []
