"""Real boxes on the real cgroups of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sandbox import Box, Command, Limits, Report, Runner


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.fixture
def box(runner: Runner) -> Iterator[Box]:
    with runner.open() as box:
        yield box


class Shell:
    """Runs commands in a box and keeps what they print."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def __call__(
        self, *argv: str, limits: Limits | None = None, keep_workspace: bool = False
    ) -> tuple[Report, str]:
        file = os.memfd_create("output")
        try:
            report = self.box.run(
                Command(
                    argv,
                    limits or Limits(),
                    stdout=file,
                    stderr=file,
                    keep_workspace=keep_workspace,
                )
            )
            return report, os.pread(file, 1 << 20, 0).decode(errors="replace")
        finally:
            os.close(file)


@pytest.fixture
def shell(box: Box) -> Shell:
    return Shell(box)
