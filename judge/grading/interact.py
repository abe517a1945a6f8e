"""A program and an interactor that talk through crossed pipes. The first cause wins.

Each side gets one end of two pipes. Our copies of an end are closed when the side that was given it
has ended, so the other side then reads the end of the file, or dies of SIGPIPE.
"""

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from judge.grading.build import Builder, Program
from judge.grading.check import Answered, Checker, scored
from judge.grading.errors import ProblemFault
from judge.grading.measure import measured
from judge.grading.message import tidy_file
from judge.grading.programs import ToolBox, ToolRun, tool_box
from judge.grading.protocols import (
    ANSWER,
    FEEDBACK,
    INPUT,
    NEXT_INPUT,
    OUTPUT,
    PASS_BYTES,
    Word,
    icpc_word,
    testlib_word,
)
from judge.grading.run import Given, Ran, Stand
from judge.model import Checked, Limits, OwnScore, Protocol, Run, Test, Tool, needs_checker
from sandbox import ExecError, Report

_PATIENCE_NS = 5_000_000_000
"""How much longer an interactor may take than the program, so that the program is over its wall
limit first where both wait for each other."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of a test, and what was said about it; or a fault of the problem."""

    ran: Ran
    answered: Answered | None = None
    problem_fault: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Runs tests of an interactive problem."""

    runs: Stand
    box: ToolBox
    check: Checker
    builder: Builder

    def attempt(self, program: Program, test: Test, given: Given, *, again: bool) -> Attempt:
        """Let the two talk. SandboxError, Cancelled."""
        self._lay_out(test, given, again=again)
        (to_program, from_interactor), (to_interactor, from_program) = os.pipe(), os.pipe()
        mine = _Side(
            lambda: self.runs.run(program, test, given, (to_program, from_program)),
            (to_program, from_program),
        )
        with tempfile.TemporaryFile() as errors:
            theirs = _Side(
                lambda: self._interactor(test, to_interactor, from_interactor, errors.fileno()),
                (to_interactor, from_interactor),
                on_end=lambda report: self._end_program(report, mine),
            )
            mine.start()
            theirs.start()
            ran, report = mine.result(), theirs.result()
            said = tidy_file(errors)
        ended = ToolRun(measured(report, self._limits(test)), said)
        return self._judge(test, ran, ended, theirs.ended_at < mine.ended_at)

    def _lay_out(self, test: Test, given: Given, *, again: bool) -> None:
        if again:
            self.box.put({NEXT_INPUT: None})
        else:
            self.box.fill({INPUT: given, ANSWER: test.answer}, [FEEDBACK])

    def _limits(self, test: Test) -> Limits:
        limits = self.box.tool.limits
        wall_ns = max(limits.wall_ns, test.limits.wall_ns) + _PATIENCE_NS
        return replace(limits, wall_ns=wall_ns)

    def _interactor(self, test: Test, stdin: int, stdout: int, stderr: int) -> Report:
        arguments = {
            Protocol.ICPC: (INPUT, ANSWER, FEEDBACK),
            Protocol.TESTLIB: (INPUT, OUTPUT, ANSWER),
            Protocol.ACMOJ: (INPUT, OUTPUT),
        }[self.box.tool.protocol]
        words = (*arguments, *self.box.tool.arguments, *test.check_arguments)
        command = self.box.command(words, stdin, stderr, limits=self._limits(test))
        command = replace(command, stdout=stdout, direct=True)
        try:
            return self.runs.cancel.run(self.box.box, command)
        except ExecError as error:
            raise ProblemFault(f"{self.box.tool.file.name}: {error}.") from error

    def _end_program(self, report: Report, program: "_Side[Ran]") -> None:
        """The interactor has said no: what the program would still do does not matter."""
        protocol = self.box.tool.protocol
        says_no = protocol is not Protocol.ACMOJ and report.exit_code in (1, 2, 43)
        while says_no and not program.done.wait(0.01):
            self.runs.box.kill()

    def _judge(self, test: Test, ran: Ran, ended: ToolRun, interactor_ended_first: bool) -> Attempt:
        went_well = needs_checker(ran.run, ran.limits)
        if not went_well and not interactor_ended_first:
            return Attempt(ran)
        try:
            answered = self._word(test, ended)
        except ProblemFault as fault:
            return Attempt(ran, problem_fault=fault.reason)
        if went_well:
            return Attempt(ran, answered)
        if answered.checked.score < 1:
            return Attempt(_excused(ran), answered)
        if ran.run.signal == signal.SIGPIPE:
            checked = Checked(0, "The program wrote after the interaction had ended.")
            return Attempt(_excused(ran), Answered(checked))
        return Attempt(ran)

    def _word(self, test: Test, ended: ToolRun) -> Answered:
        """What the interactor says, or the checker that reads its output. ProblemFault."""
        if ended.run.signal == signal.SIGPIPE:
            return Answered(Checked(0, "The program ended before the interaction did."))
        self.box.demand_end(ended, self._limits(test))
        problem = self.builder.problem
        match self.box.tool.protocol:
            case Protocol.ICPC:
                word = icpc_word(self.box, ended)
            case Protocol.TESTLIB:
                word = testlib_word(self.box, ended)
            case Protocol.ACMOJ if ended.run.exit_code == 0:
                word = Word(1)
            case Protocol.ACMOJ:
                raise self.box.refuse(ended, f"exit code {ended.run.exit_code}.")
        has_checker = isinstance(problem.check, Tool | OwnScore)
        is_checked = self.box.tool.protocol is Protocol.ACMOJ or (
            self.box.tool.protocol is Protocol.TESTLIB and has_checker
        )
        if word.raw > 0 and is_checked:
            with tempfile.TemporaryFile(buffering=0) as output:
                output.write(self.box.read(OUTPUT, PASS_BYTES) or b"")
                return self.check(test, output.fileno())
        next_input = self.box.read(NEXT_INPUT, PASS_BYTES) if word.raw > 0 else None
        return Answered(scored(word, problem.score_map), next_input or None)


@contextmanager
def conversation(
    tool: Tool, builder: Builder, runs: Stand, check: Checker
) -> Iterator[Conversation]:
    """The interactor's box beside that of the runs. ProblemFault where it does not build."""
    limits = builder.problem.build.limits
    with tool_box(tool, builder.slot, builder.cancel, limits) as box:
        yield Conversation(runs, box, check, builder)


def _excused(ran: Ran) -> Ran:
    """The run, without the failure that the end of the interaction brought about."""
    usage = ran.run.usage
    usage = replace(
        usage,
        cpu_ns=min(usage.cpu_ns, ran.limits.cpu_ns),
        wall_ns=min(usage.wall_ns, ran.limits.wall_ns),
    )
    return replace(ran, run=Run(usage=usage, exit_code=0, signal=None))


@dataclass(slots=True)
class _Side(Generic[Result]):
    """One of the two, in a thread of its own."""

    run: Callable[[], Result]
    ends: tuple[int, int]
    on_end: Callable[[Result], None] | None = None
    done: threading.Event = field(default_factory=threading.Event)
    ended_at: int = 0
    _outcome: Result | None = None
    _error: BaseException | None = None
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._outcome = self.run()
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            self._error = error
        self.ended_at = time.monotonic_ns()
        for end in self.ends:
            os.close(end)
        self.done.set()
        if self.on_end is not None and self._outcome is not None:
            self.on_end(self._outcome)

    def result(self) -> Result:
        """Wait for the end; the outcome, or the error."""
        if self._thread is not None:
            self._thread.join()
        if self._error is not None:
            raise self._error
        if self._outcome is None:
            raise RuntimeError("a side of the conversation ended without an outcome")
        return self._outcome
