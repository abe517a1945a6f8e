"""The code review score: rules that a machine checks, and criteria that a model or a person rates.

100 x (rules passed + sum of criterion / 10) / (rules + criteria)   (ProjDevBench)
"""

import math
from dataclasses import dataclass

MAX_CRITERION = 10
MIN_COMMITS = 2
"""A repository with one commit or none fails all rules."""


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What a review found. `rules` says of each rule by name whether it passed, `criteria` gives
    each rating from 0 to 10, or None where no valid answer came. `commits` is the length of the
    full history, None where it is not known (a source file)."""

    rules: dict[str, bool]
    criteria: dict[str, float | None]
    commits: int | None = None
    repo_url: str = "N/A"

    def __post_init__(self) -> None:
        for name, rating in self.criteria.items():
            if rating is not None and not 0 <= rating <= MAX_CRITERION:
                raise ValueError(f"criterion {name}: a rating is from 0 to 10, not {rating}")

    @property
    def passed(self) -> int:
        """Rules that count as passed."""
        if self.commits is not None and self.commits < MIN_COMMITS:
            return 0
        return sum(self.rules.values())

    @property
    def achieved(self) -> float | None:
        """The sum of the criteria's ratings; None where one is missing."""
        ratings = [rating for rating in self.criteria.values() if rating is not None]
        return math.fsum(ratings) if len(ratings) == len(self.criteria) else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The criteria without a valid rating."""
        return tuple(name for name, rating in self.criteria.items() if rating is None)


def review(result: ReviewResult) -> float | None:
    """From 0 to 100; None where nothing was asked, or where a rating is missing: a missing answer
    never becomes a number."""
    asked = len(result.rules) + len(result.criteria)
    achieved = result.achieved
    if asked == 0 or achieved is None:
        return None
    return 100 * (result.passed + achieved / MAX_CRITERION) / asked
