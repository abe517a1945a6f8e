"""From a raw score to the part of a problem's weight that it earns."""

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Linear:
    """Raw score over full score."""

    full: float

    def fraction(self, raw: float, *, capped: bool = True) -> float:
        """At most 1, unless `capped` is off (as the original scripts of ProjDevBench count)."""
        ratio = raw / self.full
        return min(ratio, 1.0) if capped else ratio


@dataclass(frozen=True, slots=True)
class Piecewise:
    """Straight lines between `points` of (raw score, fraction), in rising order of raw score.

    Below the first point it is 0, from the last point on it is `above`.
    """

    points: tuple[tuple[float, float], ...]
    above: float = 1.0

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("a piecewise map needs at least one point")
        for (raw, low), (next_raw, high) in pairwise(self.points):
            if next_raw <= raw or high < low:
                raise ValueError("the points of a piecewise map must rise")

    def fraction(self, raw: float, *, capped: bool = True) -> float:  # noqa: ARG002
        """From 0 to `above`; a piecewise map has its own end, so `capped` changes nothing."""
        if raw < self.points[0][0]:
            return 0.0
        for (start, low), (end, high) in pairwise(self.points):
            if raw < end:
                return low + (raw - start) / (end - start) * (high - low)
        return self.above


ScoreMap = Linear | Piecewise

PROJDEVBENCH_MAPS: dict[int, ScoreMap] = {
    # Minesweeper's second part is scored by its distance from three reference players.
    2877: Piecewise(points=((39625, 0.0), (100449, 10 / 35), (136481, 30 / 35))),
}
"""Maps of the public benchmark that its registry does not carry, by judge id."""
