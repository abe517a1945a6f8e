"""One test of a submission: run, check, decide."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from judge.grading.build import Builder, Outputs, Program, Unbuilt
from judge.grading.check import Checker, checker
from judge.grading.errors import ProblemFault
from judge.grading.interact import Attempt, conversation
from judge.grading.run import Given, Stand, stand
from judge.grading.second_look import look, stages
from judge.model import (
    Checked,
    Evidence,
    Test,
    TestResult,
    Verdict,
    decide,
    explain,
    needs_checker,
    total_usage,
)

Judge = Callable[[Test, Mapping[str, TestResult]], TestResult]
"""Judges a test, given the results of those before it."""


@contextmanager
def tester(builder: Builder, built: Program | Outputs | None) -> Iterator[Judge]:
    """What judges the tests of a built submission, one after the other.

    `built` is None where each test has a main of its own. ProblemFault where the problem's own
    checker does not build; a fault during a test is a bad_problem of that test.
    """
    problem, slot, cancel = builder.problem, builder.slot, builder.cancel
    if isinstance(built, Outputs):
        with checker(problem, slot, cancel, None) as check:
            yield _OutputTester(built, check).judge
        return
    with ExitStack() as stack:
        runs = stack.enter_context(stand(slot, builder.programs, cancel))
        check = stack.enter_context(checker(problem, slot, cancel, runs.box.workspace))
        attempt: Attempter = _Plain(runs, check).attempt
        if problem.interactor is not None:
            talk = conversation(problem.interactor, builder, runs, check)
            attempt = stack.enter_context(talk).attempt
        yield _Tester(builder, built, runs, attempt, stages(problem)).judge


@dataclass(frozen=True, slots=True)
class _OutputTester:
    """Output only: there is nothing to run."""

    outputs: Outputs
    check: Checker

    def judge(self, test: Test, results: Mapping[str, TestResult]) -> TestResult:
        if (skipped := _skipped(test, results)) is not None:
            return skipped
        file = self.outputs.files.get(test.id)
        if file is None:
            return TestResult(test.id, Verdict.WRONG_ANSWER, 0, f"There is no file {test.id}.out.")
        evidence = Evidence(limits=test.limits)
        output = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            evidence = replace(evidence, checked=self.check(test, output).checked)
        except ProblemFault as fault:
            evidence = replace(evidence, problem_fault=fault.reason)
        finally:
            os.close(output)
        return _result(test, evidence)


@dataclass(frozen=True, slots=True)
class _Tester:
    builder: Builder
    program: Program | None
    runs: Stand
    attempt: "Attempter"
    stages: frozenset[str]

    def judge(self, test: Test, results: Mapping[str, TestResult]) -> TestResult:
        """Skipped, or built where it has a main of its own, then run and checked."""
        if (skipped := _skipped(test, results)) is not None:
            self.runs.skip(test)
            return skipped
        program = self.program
        if program is None or test.main is not None:
            built = self.builder.build_for(test)
            if isinstance(built, Unbuilt):
                self.runs.skip(test)
                return TestResult(test.id, Verdict.COMPILE_ERROR, 0, built.message)
            program = built
        return self._run(program, test)

    def _run(self, program: Program, test: Test) -> TestResult:
        """Run and check, as often as the checker asks for another pass."""
        given, usages, other, told = test.input, [], None, ""
        passes = self.builder.problem.passes
        with tempfile.NamedTemporaryFile(prefix="adjudge-pass-") as next_pass:
            for number in range(passes):
                attempt_it = partial(self.attempt, program, test, given, again=number > 0)
                # Neither what a stage left nor what a checker noted of a pass can be undone.
                looked = look(attempt_it, once=passes > 1 or test.id in self.stages)
                attempt, other = looked.attempt, looked.other
                usages.append(attempt.ran.run.usage)
                if attempt.answered is not None:
                    told = attempt.answered.checked.judge_message
                if attempt.answered is None or attempt.answered.next_input is None:
                    break
                given = Path(next_pass.name)
                given.write_bytes(attempt.answered.next_input)
            else:
                if passes > 1:
                    fault = f"The checker asks for more than {passes} passes."
                    attempt = replace(attempt, problem_fault=fault)
        result = _result(test, _evidence(attempt), attempt.ran.note)
        # What the checker told of earlier passes is of use where the program failed in this one.
        usage = total_usage(usages)
        return replace(result, usage=usage, other_look=other, judge_message=told)


class Attempter(Protocol):
    """Runs a program once on a test and asks what it did."""

    def __call__(self, program: Program, test: Test, given: Given, *, again: bool) -> Attempt: ...


@dataclass(frozen=True, slots=True)
class _Plain:
    """Run, then check."""

    runs: Stand
    check: Checker

    def attempt(self, program: Program, test: Test, given: Given, *, again: bool) -> Attempt:
        ran = self.runs.run(program, test, given)
        if not needs_checker(ran.run, ran.limits):
            return Attempt(ran)
        try:
            return Attempt(ran, self.check(test, self.runs.output.fileno(), again=again))
        except ProblemFault as fault:
            return Attempt(ran, problem_fault=fault.reason)


def _evidence(attempt: Attempt) -> Evidence:
    ran, answered = attempt.ran, attempt.answered
    return Evidence(
        limits=ran.limits,
        run=ran.run,
        checked=answered.checked if answered else None,
        invalid_access=ran.found.invalid_access,
        leak=ran.found.leak,
        problem_fault=attempt.problem_fault,
    )


def _skipped(test: Test, results: Mapping[str, TestResult]) -> TestResult | None:
    if test.after is None or results[test.after].verdict is Verdict.ACCEPTED:
        return None
    return TestResult(test.id, Verdict.SKIPPED, 0, f"Test {test.after} was not accepted.")


def _result(test: Test, evidence: Evidence, note: str = "") -> TestResult:
    checked = evidence.checked
    match decide(evidence):
        case Verdict.ACCEPTED:
            points = 1.0
        case Verdict.WRONG_ANSWER if checked:
            points = checked.score
        case _:
            points = 0.0
    return TestResult(
        test=test.id,
        verdict=decide(evidence),
        score=points,
        message=_with_raw_score(checked, points, note or explain(evidence)),
        usage=evidence.run.usage if evidence.run else None,
        raw=checked.raw if checked else None,
        judge_message=checked.judge_message if checked else "",
    )


def _with_raw_score(checked: Checked | None, share: float, message: str) -> str:
    """The message, begun with the raw score where the share of the points does not tell it."""
    if checked is None or checked.raw is None or checked.raw == share:
        return message
    return f"Raw score {checked.raw:g}. {message}".strip()
