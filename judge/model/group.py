"""Groups of tests, and how the points of a group follow from what is in it."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Aggregation(StrEnum):
    """What a group gets of what its tests and parts get."""

    MIN = "min"
    SUM = "sum"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Group:
    """A subtask: what it gets is the least (ACMOJ), the sum or the most of what is in it, and
    `points` is all of it.

    `tests` are all its tests, those of its `parts` included: groups in it that are scored on their
    own first. Of the tests that are in no part each is worth `each` points, or `rejected` where it
    fails. Where a test that it `requires` is not accepted, the group gets nothing.
    """

    id: str
    name: str
    points: float
    tests: tuple[str, ...]
    aggregation: Aggregation = Aggregation.MIN
    parts: tuple["Group", ...] = field(default=())
    requires: tuple[str, ...] = ()
    rejected: float = 0.0

    @property
    def own(self) -> tuple[str, ...]:
        """The tests that are in no part."""
        deeper = {test for part in self.parts for test in part.tests}
        return tuple(test for test in self.tests if test not in deeper)

    @property
    def each(self) -> float:
        """What a test that is in no part is worth: of a sum an equal share of what the parts leave,
        else all points."""
        if self.aggregation is not Aggregation.SUM:
            return self.points
        left = self.points - sum(part.points for part in self.parts)
        return left / max(1, len(self.own))

    def of(self, tests: Collection[str]) -> "Group":
        """The group with those of its tests alone; a part without any is left out."""
        parts = (part.of(tests) for part in self.parts)
        return replace(
            self,
            tests=tuple(test for test in self.tests if test in tests),
            parts=tuple(part for part in parts if part.tests),
            requires=tuple(test for test in self.requires if test in tests),
        )
