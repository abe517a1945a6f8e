"""A program and an interactor that talk through crossed pipes. The first cause wins.

What ended first is told by the kernel's clock, as the sandbox reads it, and not by whom we hear of
first.
"""

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

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
from judge.grading.run import Given, Pipes, Ran, Stand
from judge.model import Checked, Limits, OwnScore, Protocol, Run, Test, Tool, needs_checker
from sandbox import ExecError, Report

_PATIENCE_NS = 5_000_000_000
"""How much longer an interactor may take than the program, so that the program is over its wall
limit first where both wait for each other."""

_SAYS_NO = (1, 2, 43)
_KILL_AGAIN_AFTER = 0.01


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
        program_is_over = threading.Event()
        with tempfile.TemporaryFile() as errors, ThreadPoolExecutor(1) as beside:
            theirs = Pipes(to_interactor, from_interactor)
            talking = beside.submit(
                self._interactor, test, theirs, errors.fileno(), program_is_over
            )
            try:
                ran = self.runs.run(program, test, given, Pipes(to_program, from_program))
            finally:
                program_is_over.set()
            report = talking.result()
            ended = ToolRun(measured(report, self._limits(test)), tidy_file(errors))
        return self._judge(test, ran, ended, report.ended_ns < ran.ended_ns)

    def _lay_out(self, test: Test, given: Given, *, again: bool) -> None:
        if again:
            self.box.put({NEXT_INPUT: None})
        else:
            self.box.fill({INPUT: given, ANSWER: test.answer}, [FEEDBACK])

    def _limits(self, test: Test) -> Limits:
        limits = self.box.tool.limits
        wall_ns = max(limits.wall_ns, test.limits.wall_ns) + _PATIENCE_NS
        return replace(limits, wall_ns=wall_ns)

    def _interactor(
        self, test: Test, pipes: Pipes, stderr: int, program_is_over: threading.Event
    ) -> Report:
        arguments = {
            Protocol.ICPC: (INPUT, ANSWER, f"{FEEDBACK}/"),
            Protocol.TESTLIB: (INPUT, OUTPUT, ANSWER),
            Protocol.ACMOJ: (INPUT, OUTPUT),
        }[self.box.tool.protocol]
        words = (*arguments, *self.box.tool.arguments, *test.check_arguments)
        command = self.box.command(words, pipes.read, stderr, limits=self._limits(test))
        command = replace(command, stdout=pipes.write, direct=True)
        try:
            report = self.runs.cancel.run(self.box.box, command, (pipes.read, pipes.write))
        except ExecError as error:
            raise ProblemFault(f"{self.box.tool.file.name}: {error}.") from error
        if self.box.tool.protocol is not Protocol.ACMOJ and report.exit_code in _SAYS_NO:
            # What the program would still do does not matter. It may not have begun, so ask again.
            while not program_is_over.wait(_KILL_AGAIN_AFTER):
                self.runs.box.kill()
        return report

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
        return Answered(scored(word, problem, test), next_input or None)


@contextmanager
def conversation(
    tool: Tool, builder: Builder, runs: Stand, check: Checker
) -> Iterator[Conversation]:
    """The interactor's box beside that of the runs. ProblemFault where it does not build."""
    with tool_box(tool, builder.problem, builder.slot, builder.cancel) as box:
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
