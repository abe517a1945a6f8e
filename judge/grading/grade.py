"""The way of one submission through the judge, from its source to its outcome."""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.grading.build import Builder, Program, Unbuilt
from judge.grading.check import ProblemFault, check
from judge.grading.errors import GradingError
from judge.grading.run import Ran, Stand, stand
from judge.grading.slot import Cancel, Slot
from judge.grading.source import Source, SourceText
from judge.model import (
    Checked,
    Evidence,
    Outcome,
    Problem,
    Test,
    TestResult,
    Verdict,
    decide,
    explain,
    language,
    needs_checker,
    score,
)


@dataclass(frozen=True, slots=True)
class Compiling:
    """The submission is being built."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The submission is built, and its tests begin."""


@dataclass(frozen=True, slots=True)
class TestFinished:
    """One test has ended."""

    result: TestResult


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event: the judging has ended."""

    outcome: Outcome


Event = Compiling | Judging | TestFinished | Finished


def grade(
    problem: Problem, source: Source, slot: Slot, cancel: Cancel | None = None
) -> Iterator[Event]:
    """Judge one submission, telling each event as it happens; the last one is Finished.

    GradingError for a fault of ours, Cancelled where `cancel` was used: both end the judging
    without an outcome.
    """
    try:
        yield from _grade(problem, source, slot, cancel or Cancel())
    except OSError as error:
        raise GradingError("host", str(error)) from error


def _grade(problem: Problem, source: Source, slot: Slot, cancel: Cancel) -> Iterator[Event]:
    with tempfile.TemporaryDirectory(prefix="adjudge-") as scratch:
        builder = Builder(problem, source, slot, cancel, _programs(Path(scratch)))
        if not isinstance(source, SourceText) or language(source.language).is_compiled:
            yield Compiling()
        program = builder.build()
        if isinstance(program, Unbuilt):
            yield Finished(Outcome(Verdict.COMPILE_ERROR, message=program.message))
            return
        yield Judging()
        results: dict[str, TestResult] = {}
        with stand(slot, builder.programs, cancel) as runs:
            for test in problem.tests:
                results[test.id] = _judge(test, builder, program, runs, results)
                yield TestFinished(results[test.id])
        message = program.message if program else ""
        yield Finished(score(problem.groups, results, message))


def _judge(
    test: Test,
    builder: Builder,
    program: Program | None,
    runs: Stand,
    results: Mapping[str, TestResult],
) -> TestResult:
    """One test: skipped, or built where it has a main of its own, then run and checked."""
    if test.after is not None and results[test.after].verdict is not Verdict.ACCEPTED:
        runs.skip(test)
        return TestResult(test.id, Verdict.SKIPPED, 0, f"Test {test.after} was not accepted.")
    if program is None or test.main is not None:
        built = builder.build_for(test)
        if isinstance(built, Unbuilt):
            runs.skip(test)
            return TestResult(test.id, Verdict.COMPILE_ERROR, 0, built.message)
        program = built
    ran = runs.run(program, test)
    return _result(test, _evidence(builder.problem, test, ran, runs), ran)


def _evidence(problem: Problem, test: Test, ran: Ran, runs: Stand) -> Evidence:
    checked: Checked | None = None
    problem_fault = ""
    if needs_checker(ran.run, ran.limits):
        try:
            checked = check(problem.comparison, runs.output.fileno(), test.answer)
        except ProblemFault as fault:
            problem_fault = fault.reason
    return Evidence(
        limits=ran.limits,
        run=ran.run,
        checked=checked,
        invalid_access=ran.found.invalid_access,
        leak=ran.found.leak,
        problem_fault=problem_fault,
    )


def _result(test: Test, evidence: Evidence, ran: Ran) -> TestResult:
    match decide(evidence):
        case Verdict.ACCEPTED:
            points = 1.0
        case Verdict.WRONG_ANSWER if evidence.checked:
            points = evidence.checked.score
        case _:
            points = 0.0
    return TestResult(
        test=test.id,
        verdict=decide(evidence),
        score=points,
        message=ran.note or explain(evidence),
        usage=ran.run.usage,
    )


def _programs(scratch: Path) -> Path:
    """The folder of the built programs; the unprivileged user of a box may read it."""
    folder = scratch / "programs"
    folder.mkdir()
    folder.chmod(0o755)
    return folder
