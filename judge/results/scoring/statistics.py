"""Means, spreads and counts over scores and rows."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scipy import stats

from judge.model import Verdict
from judge.results.scoring.rows import Row


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean of n values, their sample standard deviation, and a confidence interval of the mean
    (Student's t); the last three are None where one value leaves them open."""

    mean: float
    n: int
    deviation: float | None = None
    low: float | None = None
    high: float | None = None


def spread(values: Sequence[float], confidence: float = 0.95) -> Spread:
    """The spread of the values. ValueError where there are none."""
    if not values:
        raise ValueError("there is no mean of no values")
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return Spread(mean, 1)
    deviation = statistics.stdev(values)
    quantile = float(stats.t.ppf((1 + confidence) / 2, len(values) - 1))
    half = quantile * deviation / math.sqrt(len(values))
    return Spread(mean, len(values), deviation, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class Averages:
    """The mean over all problems of a benchmark (a missing score is 0), and the mean over those
    that were attempted (None where none was)."""

    all: float
    attempted: float | None
    problems: int
    attempts: int


def averages(scores: Mapping[str, float | None]) -> Averages:
    """Both averages of scores by problem; None stands for a problem that was not attempted."""
    given = [score for score in scores.values() if score is not None]
    total = math.fsum(given)
    return Averages(
        all=total / len(scores) if scores else 0.0,
        attempted=total / len(given) if given else None,
        problems=len(scores),
        attempts=len(given),
    )


def verdict_shares(rows: Iterable[Row]) -> dict[Verdict, tuple[int, float]]:
    """How many submissions ended with each verdict, and which per cent of all that is; the most
    frequent first, in the order of the verdicts where they tie."""
    counts = Counter(row.verdict for row in rows)
    total = counts.total()
    order = sorted(Verdict, key=lambda verdict: -counts[verdict])
    return {
        verdict: (counts[verdict], 100 * counts[verdict] / total)
        for verdict in order
        if counts[verdict]
    }
