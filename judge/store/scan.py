"""Long reads for exports: rows as named tuples (the cheapest of records), in chunks, by id.

Each chunk is a transaction of its own that begins after the last id, so that a million rows need
neither memory nor a lock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, false, select, tuple_
from sqlalchemy.orm import Mapped
from sqlmodel import col

from judge.model import State, Verdict
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.tables import (
    Benchmark,
    Entry,
    EntryProblem,
    Event,
    Judging,
    Priority,
    Problem,
    Role,
    Submission,
    TestRow,
    User,
)

CHUNK = 5000

Column = ColumnElement[Any] | Mapped[Any]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which submissions; what is None or empty does not narrow. `until` is left out itself,
    `counted` leaves only those that are final and spend a slot of the cap, not aborted."""

    benchmark: str = ""
    problems: tuple[int, ...] | None = None
    users: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    participants: bool = False
    counted: bool = False


EVERYTHING = Filter()


class SubmissionRow(NamedTuple):
    """A submission with its user, its problem, and the judging that counts."""

    id: int
    user_id: int
    user: str
    role: Role
    agent: str | None
    model: str | None
    round: str | None
    problem_id: int
    problem: str
    points: float
    entry: str | None
    language: str
    url: str | None
    repository: str | None
    commit: str | None
    created_at: datetime
    status: str
    charged: bool
    judging_id: int
    generation: int
    package: str
    score: float
    message: str
    cpu_ns: int | None
    wall_ns: int | None
    memory_bytes: int | None
    disk_bytes: int | None
    files: int | None
    started_at: datetime | None
    finished_at: datetime | None


class JudgingRow(NamedTuple):
    """A judging. `counts`: its submission shows it."""

    id: int
    submission_id: int
    generation: int
    counts: bool
    priority: Priority
    package: str
    attempt: int
    state: State
    verdict: Verdict | None
    score: float
    message: str
    cpu_ns: int | None
    wall_ns: int | None
    memory_bytes: int | None
    disk_bytes: int | None
    files: int | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class TestResultRow(NamedTuple):
    """A test of a judging that counts."""

    submission_id: int
    judging_id: int
    problem: str
    test: str
    verdict: Verdict
    score: float
    message: str
    cpu_ns: int | None
    wall_ns: int | None
    memory_bytes: int | None
    disk_bytes: int | None
    files: int | None
    raw_score: float | None
    other_cpu_ns: int | None
    other_wall_ns: int | None


class EventRow(NamedTuple):
    """An event of the audit trail. `actor` is None where the judge itself did it."""

    id: int
    at: datetime
    actor: str | None
    action: str
    record: str
    record_id: int | None
    details: dict[str, Any]


def submissions(db: Database, chosen: Filter = EVERYTHING) -> Iterator[SubmissionRow]:
    """Submissions by id."""
    query = _chosen(
        _from_submissions(
            col(Submission.id),
            col(User.id),
            col(User.name),
            col(User.role),
            col(User.agent),
            col(User.model),
            col(User.round),
            col(Problem.id),
            col(Problem.slug),
            col(Problem.points),
            col(Entry.name),
            col(Submission.language),
            col(Submission.url),
            col(Submission.repository),
            col(Submission.commit),
            col(Submission.created_at),
            col(Submission.status),
            col(Submission.charged),
            col(Judging.id),
            col(Judging.generation),
            col(Judging.package),
            col(Judging.score),
            col(Judging.message),
            *_usage(Judging),
            col(Judging.started_at),
            col(Judging.finished_at),
        )
        .join(Judging, col(Judging.id) == Submission.judging_id)
        .join(Entry, col(Entry.id) == Submission.entry_id, isouter=True),
        chosen,
    )
    for row in _by_id(db, query, col(Submission.id)):
        yield SubmissionRow._make(row)


def judgings(db: Database, chosen: Filter = EVERYTHING) -> Iterator[JudgingRow]:
    """Judgings of the chosen submissions, all generations, by id."""
    query = _chosen(
        _from_submissions(
            col(Judging.id),
            col(Judging.submission_id),
            col(Judging.generation),
            col(Submission.judging_id) == Judging.id,
            col(Judging.priority),
            col(Judging.package),
            col(Judging.attempt),
            col(Judging.state),
            col(Judging.verdict),
            col(Judging.score),
            col(Judging.message),
            *_usage(Judging),
            col(Judging.created_at),
            col(Judging.started_at),
            col(Judging.finished_at),
        ).join(Judging, col(Judging.submission_id) == Submission.id),
        chosen,
    )
    for row in _by_id(db, query, col(Judging.id)):
        yield JudgingRow._make(row)


def results_of_tests(db: Database, chosen: Filter = EVERYTHING) -> Iterator[TestResultRow]:
    """Tests of the judgings that count, by judging and test."""
    query = _chosen(
        _from_submissions(
            col(Submission.id),
            col(TestRow.judging_id),
            col(Problem.slug),
            col(TestRow.test),
            col(TestRow.verdict),
            col(TestRow.score),
            col(TestRow.message),
            *_usage(TestRow),
            col(TestRow.raw_score),
            col(TestRow.other_cpu_ns),
            col(TestRow.other_wall_ns),
        ).join(TestRow, col(TestRow.judging_id) == Submission.judging_id),
        chosen,
    ).order_by(col(TestRow.judging_id), col(TestRow.test))
    place = tuple_(col(TestRow.judging_id), col(TestRow.test))
    last: tuple[int, str] | None = None
    while True:
        chunk = _fetch(db, query if last is None else query.where(place > last))
        for row in chunk:
            yield TestResultRow._make(row)
        if len(chunk) < CHUNK:
            return
        last = chunk[-1][1], chunk[-1][3]


def events(db: Database, chosen: Filter = EVERYTHING) -> Iterator[EventRow]:
    """Events by id; of a filter, `since`, `until` and `users` (who acted) narrow them."""
    query = select(
        col(Event.id),
        col(Event.at),
        col(User.name),
        col(Event.action),
        col(Event.record),
        col(Event.record_id),
        col(Event.details),
    ).join_from(Event, User, col(User.id) == Event.actor_id, isouter=True)
    if chosen.since:
        query = query.where(col(Event.at) >= chosen.since)
    if chosen.until:
        query = query.where(col(Event.at) < chosen.until)
    if chosen.users:
        query = query.where(col(User.name).in_(chosen.users))
    for row in _by_id(db, query, col(Event.id)):
        yield EventRow._make(row)


def _from_submissions(*columns: Column) -> Select[Any]:
    return (
        select(*columns)
        .select_from(Submission)
        .join(User, col(User.id) == Submission.user_id)
        .join(Problem, col(Problem.id) == Submission.problem_id)
    )


def _usage(table: type[Judging | TestRow]) -> tuple[Column, ...]:
    return (
        col(table.cpu_ns),
        col(table.wall_ns),
        col(table.memory_bytes),
        col(table.disk_bytes),
        col(table.files),
    )


def _chosen(query: Select[Any], chosen: Filter) -> Select[Any]:
    for column, values in (
        (col(User.name), chosen.users),
        (col(User.agent), chosen.agents),
        (col(User.model), chosen.models),
        (col(Submission.status), chosen.statuses),
    ):
        if values:
            query = query.where(column.in_([clean(value) for value in values]))
    if chosen.problems is not None:
        among = col(Submission.problem_id).in_(chosen.problems) if chosen.problems else false()
        query = query.where(among)
    if chosen.benchmark:
        query = query.where(col(Submission.problem_id).in_(_problems_of(chosen.benchmark)))
    if chosen.since:
        query = query.where(col(Submission.created_at) >= chosen.since)
    if chosen.until:
        query = query.where(col(Submission.created_at) < chosen.until)
    if chosen.participants:
        query = query.where(col(User.role) == Role.PARTICIPANT)
    if chosen.counted:
        live = [state.value for state in State if state is not State.FINISHED]
        query = query.where(
            col(Submission.charged),
            col(Submission.status).not_in([*live, Verdict.ABORTED.value]),
        )
    return query


def _problems_of(benchmark: str) -> Select[Any]:
    return (
        select(col(EntryProblem.problem_id))
        .join(Entry, col(Entry.id) == EntryProblem.entry_id)
        .join(Benchmark, col(Benchmark.id) == Entry.benchmark_id)
        .where(col(Benchmark.name) == clean(benchmark))
    )


def _by_id(db: Database, query: Select[Any], id_: Column) -> Iterator[Any]:
    """The query's first column must be the id."""
    last = 0
    query = query.order_by(id_)
    while True:
        chunk = _fetch(db, query.where(id_ > last))
        yield from chunk
        if len(chunk) < CHUNK:
            return
        last = chunk[-1][0]


def _fetch(db: Database, query: Select[Any]) -> Sequence[Any]:
    with db.read() as session:
        return session.connection().execute(query.limit(CHUNK)).all()
