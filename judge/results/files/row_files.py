"""Rows from a file in the original's format: `exec_results.csv` or `exec_results.json`."""

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from judge.model import State, Verdict
from judge.results.errors import ResultsError
from judge.results.scoring.registry import Benchmark, Entry
from judge.results.scoring.rows import Participant, Row

NEEDED = ("agent", "model", "problem", "submission_id", "status", "score", "api_problem_id")


class RowError(ResultsError):
    """A row that cannot be scored, and where it stands (`row 7`)."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}: {place}: {reason}" if place else f"{file}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason


def load_rows(path: Path, benchmark: Benchmark) -> list[Row]:
    """The rows of the file. RowError where one of them is not fit to be scored: a missing column,
    an unknown problem or status, a judging that has not ended, a submission that stands twice."""
    try:
        records = list(_records(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RowError(path.name, "", f"cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        raise RowError(path.name, f"line {error.lineno}", f"not JSON: {error.msg}") from error
    rows = []
    places: dict[int, str] = {}
    for place, record in records:
        row = _row(path.name, place, record, benchmark)
        if row.submission in places:
            reason = f"submission {row.submission} stands in {places[row.submission]} already"
            raise RowError(path.name, place, reason)
        places[row.submission] = place
        rows.append(row)
    return rows


def _records(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    if path.suffix == ".json":
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, list):
            raise RowError(path.name, "", "must be a list of submissions")
        for number, record in enumerate(data, 1):
            if not isinstance(record, dict):
                raise RowError(path.name, f"row {number}", "must be an object in braces")
            _check_columns(path, record, f"row {number}")
            yield f"row {number}", record
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        _check_columns(path, reader.fieldnames or (), "line 1")
        for record in reader:
            yield f"line {reader.line_num}", record


def _check_columns(path: Path, given: Iterable[str], place: str) -> None:
    for column in NEEDED:
        if column not in given:
            raise RowError(path.name, place, f"the column {column} is missing")


def _row(file: str, place: str, record: Mapping[str, object], benchmark: Benchmark) -> Row:
    def word(column: str, default: str | None = None) -> str:
        value = record.get(column)
        text = "" if value is None else str(value).strip()
        if text:
            return text
        if default is None:
            raise RowError(file, place, f"{column} is empty")
        return default

    def number(column: str) -> float:
        try:
            value = float(word(column))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise RowError(file, place, f"{column} is not a number: {word(column)!r}")
        return value

    def whole(column: str) -> int:
        text = word(column)
        if not (text.isascii() and text.isdigit()):
            raise RowError(file, place, f"{column} is not a whole number: {text!r}")
        return int(text)

    try:
        entry = find_entry(benchmark, word("problem"), whole("api_problem_id"))
        verdict = final_verdict(word("status"))
    except ValueError as error:
        raise RowError(file, place, str(error)) from error
    return Row(
        participant=Participant(word("agent"), word("model"), word("round", "1")),
        problem=entry.key,
        judge_id=whole("api_problem_id"),
        submission=whole("submission_id"),
        verdict=verdict,
        score=number("score"),
        code_url=word("code_url", "N/A"),
        repo_url=word("repo_url", "N/A"),
        log_file=word("log_file", "N/A"),
    )


def find_entry(benchmark: Benchmark, key: str, judge_id: int) -> Entry:
    """The entry of that key. ValueError where there is none, or where it lacks the judge id."""
    try:
        entry = benchmark.entry(key)
    except KeyError:
        raise ValueError(f"there is no problem {key} in {benchmark.name}") from None
    ids = [problem.id for problem in entry.problems]
    if judge_id not in ids:
        given = ", ".join(str(id_) for id_ in ids)
        raise ValueError(f"judge id {judge_id} is not one of problem {key} ({given})")
    return entry


def final_verdict(status: str) -> Verdict:
    """The verdict of a status. ValueError where it is unknown or the judging has not ended."""
    if status in (State.PENDING, State.COMPILING, State.JUDGING):
        raise ValueError(f"the submission is not judged yet ({status})")
    try:
        return Verdict(status)
    except ValueError:
        raise ValueError(f"the status {status!r} is unknown, so it cannot be scored") from None
