"""The judge as an ICPC contest: an NDJSON feed in the notification format of the Contest API.

Format and words: https://ccs-specs.icpc.io/2023-06/contest_api (scoreboard_type `score`). Verdicts
that the specification does not know are mapped to the nearest; the judge's own word stands beside
them as `status`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO, Any

from judge.model import Verdict
from judge.store import Database, scan
from judge.store.scan import Filter, JudgingRow, SubmissionRow

JUDGEMENT_TYPES = {
    "AC": ("Accepted", False, True),
    "CE": ("Compile Error", False, False),
    "JE": ("Judging Error", False, False),
    "MLE": ("Memory Limit Exceeded", True, False),
    "OLE": ("Output Limit Exceeded", True, False),
    "RTE": ("Run-Time Error", True, False),
    "SE": ("Submission Error", False, False),
    "TLE": ("Time Limit Exceeded", True, False),
    "WA": ("Wrong Answer", True, False),
}
"""id -> name, whether it costs penalty, whether it solves."""

JUDGEMENT_TYPE_OF = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.COMPILE_ERROR: "CE",
    Verdict.RUNTIME_ERROR: "RTE",
    Verdict.TIME_LIMIT_EXCEEDED: "TLE",
    Verdict.MEMORY_LIMIT_EXCEEDED: "MLE",
    Verdict.DISK_LIMIT_EXCEEDED: "RTE",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "OLE",
    Verdict.MEMORY_LEAK: "RTE",
    Verdict.SKIPPED: "JE",
    Verdict.ABORTED: "SE",
    Verdict.VOID: "SE",
    Verdict.BAD_PROBLEM: "JE",
    Verdict.SYSTEM_ERROR: "JE",
}


def write_feed(file: IO[bytes], db: Database, chosen: Filter, name: str = "adjudge") -> int:
    """Writes the feed of the chosen submissions and returns the number of events.

    The contest begins with the first submission and lasts until the end of the last judging.
    """
    count = 0
    for kind, id_, data in _events(db, chosen, name):
        event = {"type": kind, "id": id_, "data": data, "token": str(count)}
        file.write(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        count += 1
    return count


_Event = tuple[str, str | None, Any]


def _events(db: Database, chosen: Filter, name: str) -> Iterator[_Event]:
    teams: dict[int, SubmissionRow] = {}
    problems: dict[int, SubmissionRow] = {}
    languages: set[str] = set()
    start = end = None
    for row in scan.submissions(db, chosen):
        teams.setdefault(row.user_id, row)
        problems.setdefault(row.problem_id, row)
        languages.add(row.language)
        start = min(start or row.created_at, row.created_at)
        end = max(end or row.created_at, row.finished_at or row.created_at)
    clock = _Clock(start or datetime.min)
    yield (
        "contest",
        None,
        {
            "id": _identifier(name),
            "name": name,
            "start_time": clock.absolute(start),
            "duration": clock.relative(end) or "0:00:00.000",
            "scoreboard_type": "score",
            "penalty_time": 0,
        },
    )
    yield from _configuration(teams, problems, languages)
    if start is None:
        return
    for row in scan.submissions(db, chosen):
        yield "submissions", str(row.id), _submission(row, clock)
    for judging in scan.judgings(db, chosen):
        if judging.started_at is not None:
            yield "judgements", str(judging.id), _judgement(judging, clock)


def _configuration(
    teams: Mapping[int, SubmissionRow], problems: Mapping[int, SubmissionRow], languages: set[str]
) -> Iterator[_Event]:
    for id_, (name, penalty, solved) in JUDGEMENT_TYPES.items():
        data = {"id": id_, "name": name, "penalty": penalty, "solved": solved}
        yield "judgement-types", id_, data
    for language in sorted(languages):
        yield "languages", language, {"id": language, "name": language}
    for ordinal, (problem_id, row) in enumerate(sorted(problems.items())):
        yield (
            "problems",
            str(problem_id),
            {
                "id": str(problem_id),
                "label": str(problem_id),
                "name": row.problem,
                "ordinal": ordinal,
                "max_score": row.points,
            },
        )
    for user_id, row in sorted(teams.items()):
        yield (
            "teams",
            str(user_id),
            {
                "id": str(user_id),
                "label": str(user_id),
                "name": row.user,
                "agent": row.agent,
                "model": row.model,
                "round": row.round,
            },
        )


def _submission(row: SubmissionRow, clock: "_Clock") -> dict[str, Any]:
    return {
        "id": str(row.id),
        "language_id": row.language,
        "problem_id": str(row.problem_id),
        "team_id": str(row.user_id),
        "time": clock.absolute(row.created_at),
        "contest_time": clock.relative(row.created_at),
    }


def _judgement(row: JudgingRow, clock: "_Clock") -> dict[str, Any]:
    verdict = row.verdict
    return {
        "id": str(row.id),
        "submission_id": str(row.submission_id),
        "judgement_type_id": JUDGEMENT_TYPE_OF[verdict] if verdict else None,
        "status": verdict.value if verdict else row.state.value,
        "score": row.score,
        "current": row.counts,
        "start_time": clock.absolute(row.started_at),
        "start_contest_time": clock.relative(row.started_at),
        "end_time": clock.absolute(row.finished_at),
        "end_contest_time": clock.relative(row.finished_at),
    }


@dataclass(frozen=True, slots=True)
class _Clock:
    """TIME and RELTIME of the specification, to the millisecond."""

    start: datetime

    def absolute(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.isoformat(timespec="milliseconds")

    def relative(self, moment: datetime | None) -> str | None:
        if moment is None:
            return None
        milliseconds = (moment - self.start) // timedelta(milliseconds=1)
        seconds, part = divmod(milliseconds, 1000)
        minutes, second = divmod(seconds, 60)
        hours, minute = divmod(minutes, 60)
        return f"{hours}:{minute:02}:{second:02}.{part:03}"


def _identifier(name: str) -> str:
    """An ID of the specification: at most 36 of [a-zA-Z0-9_.-]."""
    return re.sub(r"[^a-zA-Z0-9_.-]", "_", name)[:36].strip("-.") or "contest"
