"""Real boxes on the real cgroups of this machine, and hostile programs to run in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import Box, Command, Limits, Mount, Report, Runner
from tests.sandbox.compiling import SOURCES, compile_into

IS_EMULATED = "ADJUDGE_OWN_MACHINE" in os.environ
"""Whether this is the machine of script/vm, which is some twenty times slower."""

not_in_the_machine = pytest.mark.skipif(
    IS_EMULATED, reason="the same on every kernel, and slow under emulation"
)
once_in_the_machine = pytest.mark.skipif(
    os.environ.get("ADJUDGE_OWN_MACHINE") == "user",
    reason="the same whoever runs it, and slow: runs as root in the same machine",
)


FOLDERS = ("/tmp", "/dev/shm", "/work")
LOOK = f"echo /proc/[0-9]*; for f in {' '.join(FOLDERS)}; do echo $f/* $f/.[!.]* $f/..?*; done"
"""Tells of all processes and files; a shell's own words, for each program takes its time to start
under emulation."""


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that boxes see as /programs; `compiled` fills it. ADJUDGE_TEST_PROGRAMS names one
    that is full already."""
    if "ADJUDGE_TEST_PROGRAMS" in os.environ:
        return Path(os.environ["ADJUDGE_TEST_PROGRAMS"])
    folder = tmp_path_factory.mktemp("programs")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def compiled(programs: Path) -> Callable[[str], str]:
    """Compiles a source of tests/sandbox/programs once; gives its path in the box."""

    def compile_once(source: str) -> str:
        program = compile_into(programs, SOURCES / source)
        if program is None:
            pytest.skip(f"no compiler for {source} is installed here")
        return f"/programs/{program.name}"

    return compile_once


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.fixture
def box(runner: Runner, programs: Path) -> Iterator[Box]:
    """A box in which, after the test, the next run finds nothing of what the last one did."""
    with runner.open(mounts=[Mount(programs, "/programs")]) as box:
        yield box
        report, text = run_shell(box, "sh", "-c", LOOK)
        pid, *left = text.splitlines()
        assert report.ok
        assert len(pid.split()) == 1, f"processes left: {pid}"
        assert left == [f"{f}/* {f}/.[!.]* {f}/..?*" for f in FOLDERS]


def run_shell(
    box: Box, *argv: str, limits: Limits | None = None, keep_workspace: bool = False
) -> tuple[Report, str]:
    file = os.memfd_create("output")
    try:
        command = Command(
            argv, limits or Limits(), stdout=file, stderr=file, keep_workspace=keep_workspace
        )
        report = box.run(command)
        return report, os.pread(file, 1 << 20, 0).decode(errors="replace")
    finally:
        os.close(file)


@pytest.fixture
def shell(box: Box) -> Callable[..., tuple[Report, str]]:
    """Runs a command in the box: its report, and what it printed."""

    def run(
        *argv: str, limits: Limits | None = None, keep_workspace: bool = False
    ) -> tuple[Report, str]:
        return run_shell(box, *argv, limits=limits, keep_workspace=keep_workspace)

    return run
