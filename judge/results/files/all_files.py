"""The original's files of final scores: `all_score_analysis.json|csv`, `all_score_detail.csv`,
`all_score_summary.txt`. One call writes one round.

`all_score` counts a missing half as 0, as the original does; the reading that leaves it out stands
beside it in the JSON file and in the summary.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge.results.files.review_files import (
    mean,
    overall,
    problem_statistics,
    rounded,
    write_score_matrix,
)
from judge.results.files.reviews import Reviews
from judge.results.scoring.final import FinalScore, Halves, Weights, final
from judge.results.scoring.review_score import review
from judge.results.scoring.rows import Participant
from judge.results.scoring.scoreboard import ParticipantScores

DETAIL_COLUMNS = (
    "agent",
    "model",
    "problem",
    "exec_score",
    "cr_score",
    "all_score",
    "status",
)

FinalScores = Mapping[Participant, Mapping[str, FinalScore]]
"""Participant -> key of the entry -> final score."""


def final_scores(
    scores: Sequence[ParticipantScores], reviews: Reviews, weights: Weights
) -> FinalScores:
    """The final score of each problem that a participant attempted or had reviewed."""
    executions = {own.participant: own.attempted for own in scores}
    result: dict[Participant, dict[str, FinalScore]] = {}
    for who in sorted({*executions, *reviews}):
        attempted, reviewed = executions.get(who, {}), reviews.get(who, {})
        result[who] = {
            key: final(
                attempted[key].score if key in attempted else None,
                review(reviewed[key]) if key in reviewed else None,
                weights,
            )
            for key in sorted({*attempted, *reviewed})
        }
    return result


def write_all_files(folder: Path, finals: FinalScores, weights: Weights) -> list[Path]:
    """Writes the four files and returns them."""
    paths = [
        folder / "all_score_analysis.json",
        folder / "all_score_analysis.csv",
        folder / "all_score_detail.csv",
        folder / "all_score_summary.txt",
    ]
    folder.mkdir(parents=True, exist_ok=True)
    analysis = _analysis(finals, weights)
    paths[0].write_text(json.dumps(analysis, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    write_score_matrix(
        paths[1],
        {
            who.name: {key: rounded(score.missing_as_zero) for key, score in own.items()}
            for who, own in finals.items()
        },
    )
    _write_detail(paths[2], finals)
    paths[3].write_text(_summary(finals, weights), encoding="utf-8")
    return paths


def _analysis(finals: FinalScores, weights: Weights) -> dict[str, object]:
    by_problem: defaultdict[str, list[float]] = defaultdict(list)
    for own in finals.values():
        for key, score in own.items():
            if score.missing_as_zero is not None:
                by_problem[key].append(round(score.missing_as_zero, 2))
    return {
        "config": {
            "exec_weight": weights.execution,
            "cr_weight": weights.review,
            "formula": _formula(weights),
        },
        "by_agent_model": {
            who.name: {
                "problems": {key: _problem(score) for key, score in own.items()},
                "statistics": _statistics(own),
            }
            for who, own in finals.items()
        },
        "by_problem": {key: problem_statistics(own) for key, own in sorted(by_problem.items())},
        "overall": overall([score for own in by_problem.values() for score in own]),
    }


def _formula(weights: Weights) -> str:
    return f"all_score = {weights.execution:g} x exec_score + {weights.review:g} x cr_score"


def _problem(score: FinalScore) -> dict[str, object]:
    return {
        "exec_score": rounded(score.execution),
        "cr_score": rounded(score.review),
        "all_score": rounded(score.missing_as_zero),
        "all_score_left_out": rounded(score.missing_left_out),
        "status": score.halves.value,
    }


def _statistics(own: Mapping[str, FinalScore]) -> dict[str, object]:
    as_zero, left_out = readings(own)
    return {
        "count": len(as_zero),
        "total_problems": len(own),
        "average_score": mean(as_zero),
        "average_score_left_out": mean(left_out),
        "min_score": rounded(min(as_zero, default=None)),
        "max_score": rounded(max(as_zero, default=None)),
    }


def readings(own: Mapping[str, FinalScore]) -> tuple[list[float], list[float]]:
    """The scores in both readings: a missing half counted as 0, and left out."""
    return (
        [score.missing_as_zero for score in own.values() if score.missing_as_zero is not None],
        [score.missing_left_out for score in own.values() if score.missing_left_out is not None],
    )


def _write_detail(path: Path, finals: FinalScores) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(DETAIL_COLUMNS)
        for who, own in finals.items():
            for key, score in own.items():
                halves = (score.execution, score.review, score.missing_as_zero)
                figures = [rounded(half) for half in halves]
                writer.writerow((who.agent, who.model, key, *figures, score.halves.value))


def _summary(finals: FinalScores, weights: Weights) -> str:
    lines = ["Final scores", "============", _formula(weights)]
    for who, own in finals.items():
        as_zero, left_out = readings(own)
        lines += ["", who.name]
        incomplete = [key for key, score in own.items() if score.halves is not Halves.COMPLETE]
        lines.append(f"  average over {len(as_zero)} problems: {mean(as_zero):.2f}")
        if incomplete:
            lines[-1] += " (a missing half counted as 0)"
            lines.append(f"  with missing halves left out: {mean(left_out):.2f}")
            lines.append(f"  a half is missing in: {', '.join(incomplete)}")
        lines.append(f"  {'problem':<10}{'exec':>8}{'review':>8}{'final':>8}{'left out':>10}")
        for key, score in own.items():
            figures = (score.execution, score.review, score.missing_as_zero)
            cells = "".join(f"{_cell(figure):>8}" for figure in figures)
            left = _cell(score.missing_left_out)
            lines.append(f"  {key:<10}{cells}{left:>10}  {score.halves.value}")
    return "\n".join(lines) + "\n"


def _cell(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"
