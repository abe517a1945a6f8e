"""The original's files of execution scores, with its names and columns.

`exec_results.json|csv`, `exec_score_analysis.json|csv`, `exec_score_summary.txt`: notebooks of
others read them. One call writes one round.
"""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from judge.results.scoring.execution import EntryScore
from judge.results.scoring.rows import Row
from judge.results.scoring.scoreboard import ParticipantScores

RESULT_COLUMNS = (
    "agent",
    "model",
    "problem",
    "submission_id",
    "status",
    "score",
    "code_url",
    "repo_url",
    "api_problem_id",
    "log_file",
)


def write_exec_files(
    folder: Path,
    scores: Sequence[ParticipantScores],
    rows: Sequence[Row],
    code_of: Callable[[Row], str],
) -> list[Path]:
    """Writes the five files and returns them. `code_of` gives a submission's source text ("N/A"
    for a repository); it is asked for one row at a time."""
    paths = [
        folder / "exec_results.json",
        folder / "exec_results.csv",
        folder / "exec_score_analysis.json",
        folder / "exec_score_analysis.csv",
        folder / "exec_score_summary.txt",
    ]
    folder.mkdir(parents=True, exist_ok=True)
    _write_results_json(paths[0], rows, code_of)
    _write_results_csv(paths[1], rows)
    analysis = {
        own.participant.name: {key: _analysed(entry) for key, entry in own.attempted.items()}
        for own in scores
    }
    paths[2].write_text(json.dumps(analysis, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    _write_matrix(paths[3], scores)
    paths[4].write_text(_summary(scores), encoding="utf-8")
    return paths


def _result(row: Row) -> dict[str, object]:
    values = (
        row.participant.agent,
        row.participant.model,
        row.problem,
        str(row.submission),
        row.verdict.value,
        plain(row.score),
        row.code_url,
        row.repo_url,
        row.judge_id,
        row.log_file,
    )
    return dict(zip(RESULT_COLUMNS, values, strict=True))


def _write_results_json(path: Path, rows: Sequence[Row], code_of: Callable[[Row], str]) -> None:
    """Row by row, so that the sources are never in memory together."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, row in enumerate(rows):
            record = _result(row) | {"code_content": code_of(row)}
            file.write(",\n" if number else "\n")
            file.write(json.dumps(record, ensure_ascii=False))
        file.write("\n]\n")


def _write_results_csv(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, RESULT_COLUMNS)
        writer.writeheader()
        writer.writerows(_result(row) for row in rows)


def _analysed(entry: EntryScore) -> dict[str, object]:
    return {
        "api_scores": {str(id_): round(100 * part, 2) for id_, part in entry.fractions.items()},
        "api_raw_scores": {str(id_): plain(raw) for id_, raw in entry.raw.items()},
        "final_score": round(entry.score, 2),
        "total_weight": plain(entry.entry.weight),
        "total_submissions": entry.submissions,
        "abort_count": len(entry.aborted),
        "valid_submissions": len(entry.counted),
        "excluded_submissions": len(entry.excluded),
        "max_allowed": entry.entry.cap,
        "expected_api_ids": [str(problem.id) for problem in entry.entry.problems],
    }


def _write_matrix(path: Path, scores: Sequence[ParticipantScores]) -> None:
    keys = sorted({key for own in scores for key in own.attempted})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["agent+model", *keys], restval="")
        writer.writeheader()
        for own in scores:
            row = {key: round(entry.score, 2) for key, entry in own.attempted.items()}
            writer.writerow({"agent+model": own.participant.name} | row)


def _summary(scores: Sequence[ParticipantScores]) -> str:
    lines = ["Execution scores", "================"]
    for own in scores:
        average = own.average
        attempted = "none" if average.attempted is None else f"{average.attempted:.2f}"
        lines += [
            "",
            own.participant.name,
            f"  average over all {average.problems} problems: {average.all:.2f}",
            f"  average over the {average.attempts} attempted: {attempted}",
            f"  Exec@1 over all problems: {own.average_at_first.all:.2f}",
        ]
        for key, entry in own.attempted.items():
            lines.append(f"  {key}: {entry.score:.2f}  {_counts(entry)}")
            lines += [
                f"    {id_}: {100 * part:.2f} % (raw {plain(entry.raw[id_])})"
                for id_, part in entry.fractions.items()
            ]
    return "\n".join(lines) + "\n"


def _counts(entry: EntryScore) -> str:
    words = [f"{len(entry.counted)} of {entry.submissions} submissions, cap {entry.entry.cap}"]
    for rows, word in (
        (entry.aborted, "aborted"),
        (entry.uncharged, "not charged"),
        (entry.excluded, "past the cap"),
    ):
        if rows:
            words.append(f"{len(rows)} {word}")
    return ", ".join(words)


def plain(number: float) -> float | int:
    """80 instead of 80.0."""
    return int(number) if number == int(number) else number
