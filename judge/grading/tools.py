"""The programs of the host that building and judging use, each checked by running it in a box."""

import os
import tempfile
from collections.abc import Iterator

from sandbox import Box, Command, ExecError, Runner, SandboxError
from sandbox.checks import Check, State

PACKAGES = {
    "gcc": "gcc",
    "g++": "g++",
    "cmake": "cmake",
    "make": "make",
    "python3": "python3",
    "valgrind": "valgrind",
    "git": "git",
}
"""Program -> the package of Debian and Ubuntu that brings it."""


def tool_checks() -> Iterator[Check]:
    """Whether each program starts inside a box, and its version. Failures say what to install."""
    try:
        with Runner() as runner, runner.open() as box:
            for program in PACKAGES:
                yield _check(box, program)
    except SandboxError as error:
        yield Check("tools", State.FAILURE, f"no box to look in: {error}", "mend the sandbox first")


def _check(box: Box, program: str) -> Check:
    mend = f"apt-get install {PACKAGES[program]}"
    with tempfile.TemporaryFile() as said:
        try:
            report = box.run(Command((program, "--version"), stdout=said.fileno()))
        except ExecError as error:
            return Check(
                program, State.FAILURE, f"cannot be started: {os.strerror(error.errno)}", mend
            )
        said.seek(0)
        lines = said.read(4096).decode(errors="replace").splitlines()
    if not report.ok or not lines:
        return Check(program, State.FAILURE, f"`{program} --version` failed: {report}", mend)
    return Check(program, State.OK, lines[0])
