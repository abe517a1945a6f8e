"""The solutions of a package, and what each of them is expected to get."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path

from judge.model import Outcome, TestResult, Verdict, passed, points_within
from judge.packages.fields import Fields

_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Points:
    """The points that a solution is expected to get: from `least` to `most`."""

    least: float
    most: float

    def __contains__(self, points: float) -> bool:
        return self.least - _NEAR <= points <= self.most + _NEAR

    @property
    def written(self) -> float | list[float]:
        """As packages and JSON have it: a number, or the least and the most."""
        return self.least if self.least == self.most else [self.least, self.most]

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least:g}"
        return f"{self.least:g} to {self.most:g}"


def read_points(fields: Fields, key: str = "score") -> Points | None:
    """A number, or a list of the least and the most; None where the key is missing."""
    match fields.anything(key, None):
        case None:
            return None
        case bool():
            pass
        case [int() | float() as least, int() | float() as most] if 0 <= least <= most < inf:
            return Points(least, most)
        case int() | float() as points if 0 <= points < inf:
            return Points(points, points)
    fields.fault(key, "must be a number, or a list of the least and the most, 0 or more")
    return None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a solution is to get in some of the tests, or in all where `tests` is None: every test
    one of the `permitted` verdicts, at least one test one of the `required` ones, these points, and
    `message` in what a validator tells the judges of one of them. `of` is the package's name for
    the tests."""

    of: str = "all tests"
    tests: tuple[str, ...] | None = None
    permitted: frozenset[Verdict] = frozenset()
    required: frozenset[Verdict] = frozenset()
    score: Points | None = None
    message: str = ""

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """A sentence for each way in which the outcome differs."""
        known = {result.test: result for group in outcome.groups for result in group.results}
        tests = tuple(known) if self.tests is None else self.tests
        results = [known[test] for test in tests if test in known]
        if self.permitted:
            yield from self._not_permitted(results)
        if self.required and not any(_is_one_of(result, self.required) for result in results):
            yield f"{self.of}: no test got {_words(self.required)}"
        if self.message and not any(self.message in result.judge_message for result in results):
            yield f'{self.of}: no message to the judges holds "{self.message}"'
        if self.score is not None:
            found = [points_within(group.group, tests, known) for group in outcome.groups]
            points = [one for one in found if one is not None]
            if not points:
                yield f"{self.of}: has no points of its own, so none can be expected"
            elif sum(points) not in self.score:
                yield f"{self.of}: {sum(points):g} points, not {self.score}"

    def _not_permitted(self, results: Collection[TestResult]) -> Iterator[str]:
        others = [result for result in results if not _is_one_of(result, self.permitted)]
        if others:
            first, more = others[0], len(others) - 1
            rest = f" (and {more} more)" if more else ""
            permitted = _words(self.permitted)
            yield f"{self.of}: test {first.test} got {first.verdict}{rest}, not {permitted}"


@dataclass(frozen=True, slots=True)
class Solution:
    """A submission that comes with a package: a file, or a folder that is a repository.

    `expected` is the verdict of the whole, or those that will do. `language` is that of a file
    whose extension does not tell; a folder that has one is no repository, but sources in that
    language. `counts_for_time`: whether a time limit that follows from the solutions follows from
    this one too.
    """

    name: str
    path: Path
    expected: frozenset[Verdict]
    score: Points | None = None
    language: str | None = None
    counts_for_time: bool = True
    expectations: tuple[Expectation, ...] = ()


def _is_one_of(result: TestResult, verdicts: Collection[Verdict]) -> bool:
    """A test that is accepted with less than its full score counts as accepted as well."""
    return result.verdict in verdicts or (Verdict.ACCEPTED in verdicts and passed(result))


def _words(verdicts: Collection[Verdict]) -> str:
    return " or ".join(sorted(verdicts))
