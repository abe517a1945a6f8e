"""Runs a program on one test after the other, in one box."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from judge.grading import tree
from judge.grading.build import PROGRAMS, Program
from judge.grading.findings import Findings
from judge.grading.leaks import findings, unwrapped, watched, widened
from judge.grading.load import Load, was_busy
from judge.grading.measure import measured, sandbox_limits
from judge.grading.slot import Cancel, Slot
from judge.model import LeakCheck, Limits, Run, Test, Usage
from judge.model.limits import MIB
from sandbox import Box, Command, ExecError, Mount

Given = Path | None
"""The file that a program reads on its standard input; None is an empty one."""

_CANNOT_BE_STARTED = 127  # as a shell has it


@dataclass(frozen=True, slots=True)
class Pipes:
    """The ends of two pipes: to read from, and to write to."""

    read: int
    write: int


@dataclass(frozen=True, slots=True)
class _Streams:
    stdin: int | None
    stdout: int
    are_pipes: bool = False
    stderr: int | None = None


@dataclass(frozen=True, slots=True)
class _Workspace:
    """`is_kept`: what is in it stays there; `ours` of that is not the program's."""

    is_kept: bool
    ours: tree.Size = field(default_factory=tree.Size)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run went: `ended_ns` is when, by the monotonic clock, `limits` are those it was under
    (a leak check widens them), `note` is said in place of the verdict's own sentence."""

    run: Run
    ended_ns: int
    limits: Limits
    found: Findings = field(default_factory=Findings)
    note: str = ""
    machine_was_busy: bool = False
    """Whether others used the machine meanwhile, so that the times may be too long."""


@dataclass(slots=True)
class Stand:
    """The box of the runs, and the file that takes their output: made once, used for all tests."""

    box: Box
    cancel: Cancel
    output: BinaryIO
    load: Callable[[], Load]
    _is_fresh: bool = True
    """Whether the next run begins a chain, even if its test says that it continues one."""

    def skip(self, test: Test) -> None:
        """The test is not run. What its predecessors left is no longer its successors' business
        where it would have begun a chain of its own."""
        self._is_fresh = self._is_fresh or not test.continues

    def run(self, program: Program, test: Test, given: Given, pipes: Pipes | None = None) -> Ran:
        """Run the program on the test. Cancelled, SandboxError.

        Its input is the content of `given`, and its output is in `output` then; or it has `pipes`
        in their place, which are closed.
        """
        program = program.told(test.arguments)
        workspace = self._workspace(test)
        _empty(self.output)
        with ExitStack() as stack:
            if pipes is not None:
                streams = _Streams(pipes.read, pipes.write, are_pipes=True)
            elif given is not None:
                stdin = os.open(given, os.O_RDONLY | os.O_CLOEXEC)
                stack.callback(os.close, stdin)
                streams = _Streams(stdin, self.output.fileno())
            else:
                streams = _Streams(None, self.output.fileno())
            try:
                if test.leak_check is not None:
                    return self._run_watched(test.leak_check, program, test, streams, workspace)
                return self._run(program, program.allowed(test.limits), streams, workspace)
            except ExecError as error:
                note = f"The program cannot be started: {os.strerror(error.errno)}."
                run = Run(Usage(0, 0, 0, 0, 0), _CANNOT_BE_STARTED, None)
                return Ran(run, 0, test.limits, note=note)

    def _workspace(self, test: Test) -> _Workspace:
        """With the files of the test in it, and those that the stage before left."""
        keep, self._is_fresh = test.continues and not self._is_fresh, False
        if test.files is None:
            return _Workspace(keep)
        if not keep:
            self.box.empty()
        tree.lay(test.files, self.box.workspace)
        return _Workspace(is_kept=True, ours=tree.size(test.files))

    def _run_watched(
        self,
        check: LeakCheck,
        program: Program,
        test: Test,
        streams: _Streams,
        workspace: _Workspace,
    ) -> Ran:
        limits = widened(check, test.limits)
        with tempfile.TemporaryFile() as reports:
            under_check = watched(check, program, test.limits)
            streams = replace(streams, stderr=reports.fileno())
            ran = self._run(under_check, limits, streams, workspace)
            found = findings(check, reports)
        return replace(ran, run=unwrapped(ran.run, found), found=found)

    def _run(
        self, program: Program, limits: Limits, streams: _Streams, workspace: _Workspace
    ) -> Ran:
        memory_mib = str((limits.memory_bytes - program.memory_bytes) // MIB)
        command = Command(
            argv=tuple(word.replace("{memory_mib}", memory_mib) for word in program.argv),
            limits=sandbox_limits(limits, beside=workspace.ours),
            env=program.env,
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            keep_workspace=workspace.is_kept,
            direct=streams.are_pipes,
        )
        release = (streams.stdin, streams.stdout) if streams.are_pipes else ()
        ends = [descriptor for descriptor in release if descriptor is not None]
        before = self.load()
        report = self.cancel.run(self.box, command, ends)
        busy = was_busy(before, self.load(), report.cpu_ns)
        run = measured(report, limits, beside=workspace.ours)
        return Ran(run, report.ended_ns, limits, machine_was_busy=busy)


@contextmanager
def stand(slot: Slot, programs: Path, cancel: Cancel) -> Iterator[Stand]:
    """A box that sees the built programs, and an output file that nobody can open by a name."""
    with slot.box([Mount(programs, PROGRAMS)]) as box, tempfile.TemporaryFile() as output:
        yield Stand(box, cancel, output, slot.load)


def _empty(file: BinaryIO) -> None:
    os.ftruncate(file.fileno(), 0)
    os.lseek(file.fileno(), 0, os.SEEK_SET)
