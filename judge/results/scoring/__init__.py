"""From rows to scores: pure functions, and the registry that they go by."""

from judge.results.scoring.execution import FAIR, EntryScore, Protocol, at_first, curve, execution
from judge.results.scoring.final import FinalScore, Halves, Weights, final
from judge.results.scoring.registry import Benchmark, Entry, JudgeProblem, RegistryError
from judge.results.scoring.review_score import ReviewResult, review
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import Linear, Piecewise, ScoreMap
from judge.results.scoring.scoreboard import (
    PairScores,
    ParticipantScores,
    over_rounds,
    score_participants,
)

__all__ = [
    "FAIR",
    "Benchmark",
    "Entry",
    "EntryScore",
    "FinalScore",
    "Halves",
    "JudgeProblem",
    "Linear",
    "PairScores",
    "Participant",
    "ParticipantScores",
    "Piecewise",
    "Protocol",
    "RegistryError",
    "ReviewResult",
    "Row",
    "ScoreMap",
    "Weights",
    "at_first",
    "curve",
    "execution",
    "final",
    "over_rounds",
    "review",
    "score_participants",
]
