"""The way of one submission through the judge, from its source to its outcome."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.grading.build import Builder, Unbuilt
from judge.grading.errors import GradingError, ProblemFault
from judge.grading.slot import Cancel, Slot
from judge.grading.source import Source, language_of
from judge.grading.testing import tester
from judge.model import Outcome, Problem, TestResult, Verdict, score


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
        problem = problem.in_language(language_of(source))
        builder = Builder(problem, source, slot, cancel, _programs(Path(scratch)))
        if builder.is_needed:
            yield Compiling()
        built = builder.build()
        if isinstance(built, Unbuilt):
            yield Finished(Outcome(Verdict.COMPILE_ERROR, message=built.message))
            return
        yield Judging()
        results: dict[str, TestResult] = {}
        try:
            with tester(builder, built) as judge:
                for test in problem.tests:
                    results[test.id] = judge(test, results)
                    yield TestFinished(results[test.id])
        except ProblemFault as fault:
            yield Finished(Outcome(Verdict.BAD_PROBLEM, message=fault.reason))
            return
        yield Finished(score(problem.groups, results, built.message if built else ""))


def _programs(scratch: Path) -> Path:
    """The folder of the built programs; the unprivileged user of a box may read it."""
    folder = scratch / "programs"
    folder.mkdir()
    folder.chmod(0o755)
    return folder
