"""A CSV that says which agent and model made which submission (`adjudge import-logs` writes it)."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from judge.results.errors import ResultsError
from judge.results.scoring.rows import Participant
from judge.results.stored import Attribution

COLUMNS = (
    "submission_id",
    "agent",
    "model",
    "round",
    "problem",
    "repo_url",
    "log_file",
)


def write_attributions(path: Path, attributions: Mapping[int, Attribution]) -> None:
    """One line for each submission, by id."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for submission, own in sorted(attributions.items()):
            who = own.participant
            writer.writerow(
                (
                    submission,
                    who.agent,
                    who.model,
                    who.round,
                    own.problem,
                    own.repo_url,
                    own.log_file,
                )
            )


def load_attributions(path: Path) -> dict[int, Attribution]:
    """Submission -> whose it was. ResultsError where a column is missing or a line is not one."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        _check(path, reader.fieldnames or ())
        found: dict[int, Attribution] = {}
        for line in reader:
            place = f"{path.name}: line {reader.line_num}"
            word = (line["submission_id"] or "").strip()
            if not (word.isascii() and word.isdigit()):
                raise ResultsError(f"{place}: submission_id is not a whole number: {word!r}")
            if int(word) in found:
                raise ResultsError(f"{place}: submission {word} stands there twice")
            if not (line["agent"] and line["model"] and line["problem"]):
                raise ResultsError(f"{place}: agent, model and problem must not be empty")
            found[int(word)] = Attribution(
                Participant(line["agent"], line["model"], line.get("round") or "1"),
                line["problem"],
                line.get("repo_url") or "N/A",
                line.get("log_file") or "N/A",
            )
    return found


def _check(path: Path, given: Iterable[str]) -> None:
    for column in ("submission_id", "agent", "model", "problem"):
        if column not in given:
            raise ResultsError(f"{path.name}: the column {column} is missing")
