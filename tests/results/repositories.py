"""Repositories that tests of reviews make, and what a rule says of them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from judge.grading import SourceCommit

Finding = tuple[str, int | None, str]
"""File, line and message."""
Check = Callable[..., list[Finding]]
Files = dict[str, str]


class Repository:
    """A git repository whose every commit is made by a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "--quiet")

    def git(self, *words: str) -> str:
        environment = os.environ | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            **{
                f"GIT_{who}_{what}": "test"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        done = subprocess.run(
            ["git", "-C", self.folder, *words], check=True, env=environment, stdout=subprocess.PIPE
        )
        return done.stdout.decode().strip()

    def commit(self, files: Files) -> SourceCommit:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", "more")
        return SourceCommit(self.folder, self.git("rev-parse", "HEAD"))


def places(found: list[Finding]) -> list[tuple[str, int | None]]:
    """Where findings are, without what they say."""
    return [(file, line) for file, line, _ in found]
