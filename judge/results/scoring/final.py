"""The final score: execution and code review, weighed."""

import math
from dataclasses import dataclass
from enum import StrEnum


class Halves(StrEnum):
    """Which halves of a final score are there."""

    COMPLETE = "complete"
    EXEC_ONLY = "exec_only"
    CR_ONLY = "cr_only"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each half counts; they add up to 1."""

    execution: float = 0.8
    review: float = 0.2

    def __post_init__(self) -> None:
        if min(self.execution, self.review) < 0 or not math.isclose(
            self.execution + self.review, 1, abs_tol=1e-9
        ):
            raise ValueError(
                f"the weights must add up to 1, and {self.execution:g} + {self.review:g} do not"
            )


@dataclass(frozen=True, slots=True)
class FinalScore:
    """Both readings of a final score: a missing half counted as 0, and left out."""

    execution: float | None
    review: float | None
    missing_as_zero: float | None
    missing_left_out: float | None

    @property
    def halves(self) -> Halves:
        """Which halves are there."""
        match self.execution, self.review:
            case None, None:
                return Halves.MISSING
            case None, _:
                return Halves.CR_ONLY
            case _, None:
                return Halves.EXEC_ONLY
            case _:
                return Halves.COMPLETE


def final(
    execution: float | None, review: float | None, weights: Weights | None = None
) -> FinalScore:
    """The final score from its halves (0 to 100 each); None where both are missing."""
    weights = weights or Weights()
    halves = ((execution, weights.execution), (review, weights.review))
    there = [(score, weight) for score, weight in halves if score is not None]
    if not there:
        return FinalScore(execution, review, None, None)
    total = sum(score * weight for score, weight in there)
    weight = sum(weight for _, weight in there)
    # A half of weight 0 says nothing about what is left when the other is missing.
    left_out = total / weight if weight else None
    return FinalScore(execution, review, total, left_out)
