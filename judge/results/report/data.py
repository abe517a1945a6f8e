"""What a report shows, computed once for the page and the figures."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from judge.model import Verdict
from judge.results.files.all_files import FinalScores, final_scores
from judge.results.files.reviews import Reviews
from judge.results.scoring.execution import FAIR, Protocol
from judge.results.scoring.final import Weights
from judge.results.scoring.registry import Benchmark
from judge.results.scoring.rows import Row
from judge.results.scoring.scoreboard import (
    PairScores,
    ParticipantScores,
    over_rounds,
    score_participants,
)
from judge.results.scoring.statistics import Spread, averages, spread, verdict_shares


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the leaderboard: an agent with a model over its rounds. `final` is the average over
    all problems with missing halves counted as 0; None where no reviews were given. `attempted` are
    the problems to which something was submitted in any round."""

    pair: PairScores
    final: Spread | None
    review: Spread | None
    curve: tuple[float, ...]
    verdicts: dict[Verdict, tuple[int, float]]
    categories: dict[str, float]
    submissions: int
    attempted: frozenset[str]

    @property
    def name(self) -> str:
        """agent + model."""
        return f"{self.pair.agent} + {self.pair.model}"

    @property
    def score(self) -> float:
        """What the leaderboard is ordered by."""
        return self.final.mean if self.final else self.pair.average_all.mean


@dataclass(frozen=True, slots=True)
class ReportData:
    """Standings, the best first, and the rows behind them."""

    benchmark: Benchmark
    standings: tuple[Standing, ...]
    rows: tuple[Row, ...]
    verdicts: dict[Verdict, tuple[int, float]]
    protocol: Protocol
    weights: Weights
    reviewed: bool


def gather(
    benchmark: Benchmark,
    rows: Sequence[Row],
    reviews: Reviews,
    *,
    weights: Weights | None = None,
    protocol: Protocol = FAIR,
) -> ReportData:
    """Scores the rows and puts the rounds of each pair together."""
    weights = weights or Weights()
    scores = score_participants(benchmark, rows, protocol)
    finals = final_scores(scores, reviews, weights)
    by_pair: defaultdict[tuple[str, str], list[ParticipantScores]] = defaultdict(list)
    for own in scores:
        by_pair[own.participant.pair].append(own)
    standings = [
        _standing(benchmark, pair, by_pair[pair.agent, pair.model], finals if reviews else {})
        for pair in over_rounds(scores)
    ]
    standings.sort(key=lambda one: (-one.score, one.name))
    return ReportData(
        benchmark=benchmark,
        standings=tuple(standings),
        rows=tuple(rows),
        verdicts=verdict_shares(_counted(scores)),
        protocol=protocol,
        weights=weights,
        reviewed=bool(reviews),
    )


def _standing(
    benchmark: Benchmark,
    pair: PairScores,
    rounds: Sequence[ParticipantScores],
    finals: FinalScores,
) -> Standing:
    keys = [entry.key for entry in benchmark.entries]
    final, reviewed = [], []
    for own in rounds:
        scores = finals.get(own.participant, {})
        zero = {key: scores[key].missing_as_zero if key in scores else None for key in keys}
        final.append(averages(zero).all)
        review = averages({key: score.review for key, score in scores.items()}).attempted
        if review is not None:
            reviewed.append(review)
    longest = max(len(own.curve) for own in rounds)
    categories = {
        name: sum(own.categories[name].all for own in rounds) / len(rounds)
        for name in rounds[0].categories
    }
    return Standing(
        pair=pair,
        final=spread(final) if finals else None,
        review=spread(reviewed) if reviewed else None,
        curve=tuple(sum(own.curve[at] for own in rounds) / len(rounds) for at in range(longest)),
        verdicts=verdict_shares(_counted(rounds)),
        categories=categories,
        submissions=len(_counted(rounds)),
        attempted=frozenset(key for own in rounds for key in own.attempted),
    )


def _counted(scores: Sequence[ParticipantScores]) -> list[Row]:
    return [row for own in scores for entry in own.entries.values() for row in entry.counted]
