"""A real git, a repository to push, and a judge on both databases that takes it."""

import os
import subprocess
from pathlib import Path

import pytest
import requests

from tests.conftest import Caller, ServedJudge

ENVIRONMENT = os.environ | {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def git(folder: Path, *arguments: str) -> str:
    done = run(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def served(served_on_both: ServedJudge) -> ServedJudge:
    return served_on_both


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository with one commit on `main`."""
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "core.compression", "0")  # random bytes take long to compress
    commit(folder, "main.cpp", "int main() {}")
    return folder


def commit(folder: Path, name: str, text: str | bytes) -> str:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", name)
    return git(folder, "rev-parse", "HEAD")


def submit(caller: Caller, problem_id: int, url: str, commit: str = "") -> requests.Response:
    form = {"language": "git", "code": url} | ({"commit": commit} if commit else {})
    return caller.post(f"/problem/{problem_id}/submit", data=form)
