"""A slot for all tests of grading; problems and repositories made of a few lines."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from judge.grading import Finished, Slot, Source, SourceCommit, SourceTree, grade
from judge.model import Outcome, Problem
from judge.packages import load

Files = Mapping[str, str]


@pytest.fixture
def judge(slot: Slot) -> Callable[[Problem, Source], Outcome]:
    """Grades, and gives the outcome."""

    def judge(problem: Problem, source: Source) -> Outcome:
        *_, last = grade(problem, source, slot)
        assert isinstance(last, Finished)
        return last.outcome

    return judge


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Problem]:
    """Makes a problem: lines of its definition beside title and group, tests (ids from 1) as pairs
    of input and answer, and files of the package."""

    def make(
        definition: str = "",
        tests: Sequence[tuple[str, str]] = (("7\n", "7\n"),),
        files: Files | None = None,
    ) -> Problem:
        package, data = tmp_path / "problems" / "made", tmp_path / "data" / "made"
        data.mkdir(parents=True, exist_ok=True)
        for number, (given, answer) in enumerate(tests, start=1):
            write(data, {f"{number}.in": given, f"{number}.ans": answer})
        group = f'[[group]]\npoints = 100\ntests = ["1..{len(tests)}"]'
        toml = f'title = "Made"\n{definition}\n{group}\n'
        write(package, {"problem.toml": toml, "statement.md": "# Made\n", **(files or {})})
        return load(package, data)

    return make


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Files], SourceTree]:
    """Makes a folder of files; a content that begins with "-> " is a link."""
    return lambda files: SourceTree(write(tmp_path / "tree", files))


@pytest.fixture
def commit(tmp_path: Path) -> Callable[[Files], SourceCommit]:
    """Makes a repository with one commit of those files."""

    def commit(files: Files) -> SourceCommit:
        folder = tmp_path / "repository"
        write(folder, files)
        git(folder, "init", "--quiet")
        git(folder, "add", "--all", "--force")
        git(folder, "commit", "--quiet", "--message", "all", "--allow-empty")
        return SourceCommit(folder, git(folder, "rev-parse", "HEAD").strip())

    return commit


def write(folder: Path, files: Files) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("-> "):
            path.symlink_to(content.removeprefix("-> "))
        else:
            path.write_text(content)
    return folder


def git(folder: Path, *argv: str) -> str:
    """Runs git there as somebody without any configuration."""
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
    command = ("git", "-C", str(folder), *argv)
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
