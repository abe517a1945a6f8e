"""The points of an ICPC package: what its groups of test data get, each of what is in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import Aggregation, Group, ScoreMap, Test
from judge.packages.faults import Faults
from judge.packages.icpc_settings import Settings

ALL_POINTS = 100.0
"""What there is to get where a package names nothing (2023-07-draft)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A group of test data, and the groups in it; `path` is that of its folder in `data`."""

    path: Path
    settings: Settings
    tests: tuple[Test, ...] = ()
    below: tuple["Node", ...] = ()

    @property
    def name(self) -> str:
        """Its path as the name of a group."""
        return self.path.as_posix().replace("/", "-")

    @property
    def all_tests(self) -> tuple[Test, ...]:
        """Its tests, and those of the groups in it."""
        deeper = (test for node in self.below for test in node.all_tests)
        return (*self.tests, *deeper)

    @property
    def filled(self) -> tuple["Node", ...]:
        """The groups in it that have tests."""
        return tuple(node for node in self.below if node.all_tests)


class Points:
    """Shares out the points of a scoring problem. `tests` are all that there are; `scores`: a
    validator gives scores in the legacy format."""

    def __init__(
        self, folder: Path, faults: Faults, tests: Sequence[Test], *, scores: bool
    ) -> None:
        self._folder, self._faults, self._tests, self._scores = folder, faults, tests, scores
        self._full: dict[str, float] = {}

    def mapped(self, test: Test) -> Test:
        """The test with its own score map, where it needs one: what is all of its points is the
        raw score that a validator may give it."""
        full = self._full.get(test.id, 1.0)
        if full in (0.0, 1.0):
            return test
        return replace(test, score_map=ScoreMap(((0.0, 0.0), (full, 1.0))))

    def legacy(self, node: Node) -> Group | None:
        """A test gets its accept_score; where a validator scores, as much as the range allows."""
        if not node.all_tests:
            return None
        settings = node.settings
        how = settings.aggregation or "sum"
        each = 1.0 if settings.accept_score is None else settings.accept_score
        if self._scores and settings.accept_score is None and settings.highest is not None:
            each = settings.highest / (len(node.tests) or 1 if how == "sum" else 1)
        parts = [part for entry in node.below if (part := self.legacy(entry)) is not None]
        return self._group(node, how, each, parts, rejected=settings.reject_score)

    def of(self, node: Node, how: str, most: float) -> Group | None:
        """A group of 2023-07-draft; `how` and `most` are how it is scored and what it gets if it
        names nothing itself."""
        if not node.all_tests:
            return None
        settings, below = node.settings, node.filled
        most = most if settings.highest is None else settings.highest
        how = settings.aggregation or how
        if how == "pass-fail":
            self._refuse_scores_in(node)
            # It passes or fails as a whole, whatever the groups in it are worth.
            return self._group(replace(node, tests=node.all_tests, below=()), "min", most, [])
        each = most
        if how == "sum":
            named = [entry.settings.highest for entry in below]
            spent = sum(points for points in named if points is not None)
            if spent > most:
                reason = f"its groups can get {spent:g} points, and it can get {most:g} itself"
                self._faults.add(self._folder / node.path, "scoring.score", reason)
            each = max(0.0, most - spent) / max(1, len(node.tests) + named.count(None))
        found = (self.of(entry, "pass-fail", each) for entry in below)
        return self._group(node, how, each, [part for part in found if part is not None])

    def _refuse_scores_in(self, node: Node) -> None:
        for entry in node.filled:
            if entry.settings.aggregation not in (None, "pass-fail"):
                reason = "is in a group that passes or fails, so it must pass or fail as well"
                self._faults.add(self._folder / entry.path, "scoring.aggregation", reason)
            self._refuse_scores_in(entry)

    def _group(
        self, node: Node, how: str, each: float, parts: list[Group], *, rejected: float = 0.0
    ) -> Group:
        """A group whose own tests get `each` points: the sum of what is in it, the mean, which is
        the sum of shares, the least or the most."""
        tests = tuple(test.id for test in node.tests)
        for test in tests:
            self._full[test] = each
        requires = tuple(dict.fromkeys(id_ for path in self._required(node) for id_ in path))
        worth = [each] * len(tests) + [part.points for part in parts]
        if how == "avg":
            each, rejected = each / len(worth), rejected / len(worth)
            parts = [_scaled(part, 1 / len(worth)) for part in parts]
        kind = Aggregation.SUM if how == "avg" else Aggregation(how)
        points = {
            Aggregation.SUM: sum(part.points for part in parts) + each * len(tests),
            Aggregation.MIN: min(worth),
            Aggregation.MAX: max(worth),
        }[kind]
        if kind is not Aggregation.SUM and tests and each != points:
            name = f"{node.name}-tests"
            parts = [Group(name, name, each, tests, kind, rejected=rejected), *parts]
        everything = dict.fromkeys((*tests, *(test for part in parts for test in part.tests)))
        return Group(
            *(node.name, node.name, points, tuple(everything), kind, tuple(parts), requires),
            rejected=rejected,
        )

    def _required(self, node: Node) -> Iterator[list[str]]:
        """The tests of each group, or the test, at the paths in `data` that the node requires."""
        for path in node.settings.requires:
            name = path.strip("/").replace("/", "-")
            found = [test.id for test in self._tests if f"{test.id}-".startswith(f"{name}-")]
            if not found:
                reason = f'"{path}" is neither a test nor a group of tests'
                self._faults.add(self._folder, "scoring.require_pass", reason)
            yield found


def apart(group: Group) -> Iterator[Group]:
    """The groups that are shown for one that adds up: its parts, each by itself, and its own tests
    as one group. What it requires, each of them requires."""
    if group.aggregation is not Aggregation.SUM or not group.parts:
        yield group
        return
    if own := group.own:
        yield replace(group, points=group.each * len(own), tests=own, parts=())
    for part in group.parts:
        requires = tuple(dict.fromkeys((*group.requires, *part.requires)))
        yield from apart(replace(part, requires=requires))


def _scaled(group: Group, factor: float) -> Group:
    """The group, worth that much of what it was."""
    return replace(
        group,
        points=group.points * factor,
        rejected=group.rejected * factor,
        parts=tuple(_scaled(part, factor) for part in group.parts),
    )
