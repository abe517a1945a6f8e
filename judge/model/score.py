"""From the results of tests to the result of a judging."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.model.group import Aggregation, Group
from judge.model.limits import Usage
from judge.model.verdict import OURS, Verdict


@dataclass(frozen=True, slots=True)
class TestResult:
    """How one test ended. `score` is from 0 to 1; `usage` is None where nothing ran; `raw` is the
    checker's own score, in its own measure, where it gave one.

    `other_look` are the figures that do not count of a test that was run twice: it had ended near a
    time limit while the machine was busy. `judge_message` is what a validator tells the judges, and
    no participant.
    """

    test: str
    verdict: Verdict
    score: float
    message: str = ""
    usage: Usage | None = None
    raw: float | None = None
    other_look: Usage | None = None
    judge_message: str = ""


@dataclass(frozen=True, slots=True)
class GroupResult:
    """How one group ended. `score` is in points; `results` stand in the group's order."""

    group: Group
    verdict: Verdict
    score: float
    results: tuple[TestResult, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a judging ended. Before the first test (a compile error, say) `groups` is empty."""

    verdict: Verdict
    score: float = 0.0
    message: str = ""
    groups: tuple[GroupResult, ...] = ()

    @property
    def usage(self) -> Usage | None:
        """As ACMOJ shows it: sums of time, maxima of the rest, each test once."""
        results = {result.test: result for group in self.groups for result in group.results}
        return total_usage(result.usage for result in results.values())


def total_usage(usages: Iterable[Usage | None]) -> Usage | None:
    """Sum of CPU and wall time, maximum of memory and disk; None where nothing ran."""
    known = [usage for usage in usages if usage is not None]
    if not known:
        return None
    return Usage(
        cpu_ns=sum(usage.cpu_ns for usage in known),
        wall_ns=sum(usage.wall_ns for usage in known),
        memory_bytes=max(usage.memory_bytes for usage in known),
        disk_bytes=max(usage.disk_bytes for usage in known),
        files=max(usage.files for usage in known),
    )


def score(groups: Sequence[Group], results: Mapping[str, TestResult], message: str = "") -> Outcome:
    """The outcome of a judging whose tests have all ended.

    The points of a group follow from its aggregation (`points_of`); total = sum. `results` maps a
    test's id to its result; KeyError where one is missing. ValueError where a group has no tests,
    which no package that loads has.
    """
    scored = tuple(_score_group(group, results) for group in groups)
    return Outcome(
        verdict=first_failure(group.verdict for group in scored),
        score=sum(group.score for group in scored),
        message=message,
        groups=scored,
    )


def _score_group(group: Group, results: Mapping[str, TestResult]) -> GroupResult:
    if not group.tests:
        raise ValueError(f"group {group.id!r} has no tests, so it cannot be scored")
    theirs = tuple(results[test] for test in group.tests)
    return GroupResult(
        group=group,
        verdict=first_failure(result.verdict for result in theirs),
        score=points_of(group, results),
        results=theirs,
    )


def points_of(group: Group, results: Mapping[str, TestResult]) -> float:
    """What a group gets: of each of its tests its share of what a test is worth there, of each part
    its points, and of all these the least, the sum or the most."""
    if not all(passed(results[test]) for test in group.requires):
        return 0.0
    own, each = (results[test] for test in group.own), group.each
    points = [one.score * each if passed(one) else group.rejected for one in own]
    points.extend(points_of(part, results) for part in group.parts)
    match group.aggregation:
        case Aggregation.MIN:
            return min(points)
        case Aggregation.MAX:
            return max(points)
        case Aggregation.SUM:
            return sum(points)


def points_within(
    group: Group, tests: Collection[str], results: Mapping[str, TestResult]
) -> float | None:
    """What a group, or the parts of it, get that have these tests alone; None where there is none
    such."""
    if set(group.tests) <= set(tests):
        return points_of(group, results)
    found = (points_within(part, tests, results) for part in group.parts)
    known = [points for points in found if points is not None]
    return sum(known) if known else None


def passed(result: TestResult) -> bool:
    """Whether a test was accepted, be it with less than its full score: where a checker gives a
    score, it has taken the output."""
    if result.verdict is Verdict.WRONG_ANSWER:
        return result.score > 0 or result.raw is not None
    return result.verdict is Verdict.ACCEPTED


def first_failure(verdicts: Iterable[Verdict]) -> Verdict:
    """Accepted if all are, else system_error, bad_problem, then the first failing one in order."""
    failures = [verdict for verdict in verdicts if verdict is not Verdict.ACCEPTED]
    for ours in (Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM):
        if ours in failures:
            return ours
    return failures[0] if failures else Verdict.ACCEPTED


def is_charged(verdict: Verdict) -> bool:
    """Whether a judging with that verdict spends a slot of the cap (DESIGN.md section 9)."""
    return verdict not in OURS and verdict is not Verdict.VOID
