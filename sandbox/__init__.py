"""Runs a command that nobody trusts, within limits, and reports what happened.

    with Runner() as runner, runner.open() as box:
        report = box.run(Command(("/bin/true",), Limits(cpu_ns=SECOND)))

The specification is docs/sandbox.md.
"""

from sandbox.boxes import Box, Runner
from sandbox.command import MIB, SECOND, Command, Limits, Mount
from sandbox.errors import BoxClosedError, ExecError, SandboxError
from sandbox.interaction import Interaction, interact
from sandbox.report import Report, Stop
from sandbox.toolchain import toolchain_mounts

__all__ = [
    "MIB",
    "SECOND",
    "Box",
    "BoxClosedError",
    "Command",
    "ExecError",
    "Interaction",
    "Limits",
    "Mount",
    "Report",
    "Runner",
    "SandboxError",
    "Stop",
    "interact",
    "toolchain_mounts",
]
