"""From rows and reviews to a folder of score files.

One round is written into the folder itself; of several, each goes into `round-<name>`, and our own
files, which know rounds, stand above them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.results.errors import ResultsError
from judge.results.files.all_files import final_scores, write_all_files
from judge.results.files.exec_files import write_exec_files
from judge.results.files.review_files import write_review_files
from judge.results.files.reviews import Reviews
from judge.results.files.score_files import write_score_files
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

NO_REVIEWS: Reviews = {}


@dataclass(frozen=True, slots=True)
class Published:
    """What was written, and the scores in it."""

    files: list[Path] = field(default_factory=list)
    participants: list[ParticipantScores] = field(default_factory=list)
    pairs: list[PairScores] = field(default_factory=list)


def publish_executions(
    out: Path,
    benchmark: Benchmark,
    rows: Sequence[Row],
    *,
    protocol: Protocol = FAIR,
    code_of: Callable[[Row], str],
) -> Published:
    """Writes the files of execution scores."""
    scores = score_participants(benchmark, rows, protocol)
    _need(scores, "there is no judged submission to score")
    files: list[Path] = []
    for folder, round_ in _folders(out, {own.participant.round for own in scores}):
        files += _write_round(folder, round_, scores, rows, code_of)
    pairs = over_rounds(scores)
    files += write_score_files(out, benchmark, scores, pairs, protocol)
    return Published(files, scores, pairs)


def publish_reviews(out: Path, reviews: Reviews) -> Published:
    """Writes the files of review scores."""
    _need(reviews, "there is no review to score")
    files: list[Path] = []
    for folder, round_ in _folders(out, {who.round for who in reviews}):
        files += write_review_files(folder, _of_round(reviews, round_))
    return Published(files)


def publish_all(
    out: Path,
    benchmark: Benchmark,
    rows: Sequence[Row],
    reviews: Reviews,
    *,
    weights: Weights,
    protocol: Protocol = FAIR,
    code_of: Callable[[Row], str],
) -> Published:
    """Writes the files of execution, review and final scores."""
    scores = score_participants(benchmark, rows, protocol)
    rounds = {own.participant.round for own in scores} | {who.round for who in reviews}
    _need(rounds, "there is neither a judged submission nor a review to score")
    files: list[Path] = []
    for folder, round_ in _folders(out, rounds):
        own_scores = [own for own in scores if own.participant.round == round_]
        own_reviews = _of_round(reviews, round_)
        files += _write_round(folder, round_, scores, rows, code_of)
        files += write_review_files(folder, own_reviews)
        files += write_all_files(folder, final_scores(own_scores, own_reviews, weights), weights)
    pairs = over_rounds(scores)
    finals = final_scores(scores, reviews, weights)
    files += write_score_files(out, benchmark, scores, pairs, protocol, finals)
    return Published(files, scores, pairs)


def _write_round(
    folder: Path,
    round_: str,
    scores: Sequence[ParticipantScores],
    rows: Sequence[Row],
    code_of: Callable[[Row], str],
) -> list[Path]:
    return write_exec_files(
        folder,
        [own for own in scores if own.participant.round == round_],
        [row for row in rows if row.participant.round == round_],
        code_of,
    )


def _folders(out: Path, rounds: set[str]) -> list[tuple[Path, str]]:
    if len(rounds) == 1:
        return [(out, rounds.pop())]
    return [(out / f"round-{round_}", round_) for round_ in sorted(rounds)]


def _of_round(reviews: Reviews, round_: str) -> Reviews:
    return {who: own for who, own in reviews.items() if who.round == round_}


def _need(something: object, sentence: str) -> None:
    if not something:
        raise ResultsError(sentence)
