"""Benchmarks: a registry as it was imported, and the entries that keep its caps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from judge.store import events, workers
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import NotFound, StoreError
from judge.store.tables import (
    AbortPolicy,
    Benchmark,
    Entry,
    EntryProblem,
    Feedback,
    Problem,
    Submission,
    User,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A problem of an entry, with its weight and full score."""

    problem_id: int
    weight: float
    full_score: float | None


@dataclass(frozen=True, slots=True)
class EntryPlan:
    """An entry as a registry has it. `name` is its key in the registry."""

    name: str
    cap: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What holds for every entry of a benchmark; None leaves it as it is."""

    feedback: Feedback | None = None
    abort: AbortPolicy | None = None


AS_IT_IS = Policy()


def put(
    db: Database,
    name: str,
    title: str,
    definition: dict[str, Any],
    plans: Sequence[EntryPlan],
    policy: Policy = AS_IT_IS,
) -> Benchmark:
    """Adds a benchmark, or brings the one of that name to what its registry says now.

    Its entries keep their ids, so what was submitted to them still counts for their caps; a problem
    that had an entry of its own comes over with its submissions. Raises StoreError where a problem
    belongs to another benchmark.
    """
    with db.write() as session:
        benchmark = session.exec(select(Benchmark).where(Benchmark.name == name)).first()
        if benchmark is None:
            benchmark = Benchmark(name=clean(name, 100), title="")
        benchmark.title = clean(title, 500)
        benchmark.definition = definition
        session.add(benchmark)
        session.flush()
        old = {entry.name: entry for entry in _entries(session, benchmark)}
        for plan in plans:
            entry = old.pop(plan.name, None) or Entry(benchmark_id=benchmark.id, name=plan.name)
            entry.cap = plan.cap
            entry.feedback = policy.feedback or entry.feedback
            entry.abort = policy.abort or entry.abort
            session.add(entry)
            session.flush()
            _fill(session, benchmark, entry, plan)
        for entry in old.values():
            _retire(session, entry)
        return benchmark


def _entries(session: Session, benchmark: Benchmark) -> Sequence[Entry]:
    return session.exec(select(Entry).where(Entry.benchmark_id == benchmark.id)).all()


def _fill(session: Session, benchmark: Benchmark, entry: Entry, plan: EntryPlan) -> None:
    wanted = [part.problem_id for part in plan.parts]
    session.connection().execute(
        delete(EntryProblem).where(
            col(EntryProblem.entry_id) == entry.id, col(EntryProblem.problem_id).not_in(wanted)
        )
    )
    for part in plan.parts:
        link = session.get(EntryProblem, part.problem_id)
        if link is None:
            link = EntryProblem(problem_id=part.problem_id, entry_id=entry.id)
            _take_submissions(session, link)
        elif link.entry_id != entry.id:
            _refuse_foreign(session, benchmark, link)
            link.entry_id = entry.id
            _take_submissions(session, link)
        link.weight = part.weight
        link.full_score = part.full_score
        session.add(link)


def _refuse_foreign(session: Session, benchmark: Benchmark, link: EntryProblem) -> None:
    before = session.get(Entry, link.entry_id)
    if before is not None and before.benchmark_id not in (None, benchmark.id):
        other = session.get(Benchmark, before.benchmark_id)
        raise StoreError(
            f"problem {link.problem_id} is in the benchmark {other.name if other else '?'!r}"
            " already; a problem can be in one only"
        )


def _take_submissions(session: Session, link: EntryProblem) -> None:
    """What was submitted to the problem before counts for the cap of its entry now."""
    session.connection().execute(
        update(Submission)
        .where(col(Submission.problem_id) == link.problem_id)
        .values(entry_id=link.entry_id)
    )


def _retire(session: Session, entry: Entry) -> None:
    """An entry that the registry no longer has: its problems have no cap, its submissions stay."""
    session.connection().execute(delete(EntryProblem).where(col(EntryProblem.entry_id) == entry.id))
    entry.benchmark_id = None
    session.add(entry)


def bind(db: Database, name: str, group: str, actor: User | None) -> int:
    """Gives all problems of the benchmark to the workers of a group (empty: to those of none), at
    once; what waits already stays with whom it was given to. Returns how many problems there are.

    Raises NotFound, StoreError where it can be no group.
    """
    workers.refuse_group(group)
    benchmark = find(db, name)
    with db.write() as session:
        parts = (
            select(EntryProblem.problem_id).join(Entry).where(Entry.benchmark_id == benchmark.id)
        )
        bound = session.connection().execute(
            update(Problem).where(col(Problem.id).in_(parts)).values(worker_group=group)
        )
        events.write(session, actor, "bind", "benchmark", benchmark.id, group=group)
        return bound.rowcount


def find(db: Database, name: str) -> Benchmark:
    """The benchmark of that name. Raises NotFound."""
    with db.read() as session:
        benchmark = session.exec(select(Benchmark).where(Benchmark.name == name)).first()
    if benchmark is None:
        raise NotFound(
            f"there is no benchmark {name!r}; import one: adjudge benchmark import registry.json"
        )
    return benchmark


def get(db: Database, benchmark_id: int) -> Benchmark:
    """The benchmark of that id. Raises NotFound."""
    with db.read() as session:
        benchmark = session.get(Benchmark, benchmark_id)
    if benchmark is None:
        raise NotFound(f"there is no benchmark {benchmark_id}")
    return benchmark


def contents(db: Database, benchmark_id: int) -> list[tuple[Entry, EntryProblem, Problem]]:
    """The entries of a benchmark in the order they were made, each with each of its problems."""
    query = (
        select(Entry, EntryProblem, Problem)
        .join(EntryProblem, col(EntryProblem.entry_id) == Entry.id)
        .join(Problem, col(Problem.id) == EntryProblem.problem_id)
        .where(Entry.benchmark_id == benchmark_id)
        .order_by(col(Entry.id), col(Problem.id))
    )
    with db.read() as session:
        return [(entry, link, problem) for entry, link, problem in session.exec(query)]


def all_benchmarks(db: Database) -> list[Benchmark]:
    """Every benchmark, by name."""
    with db.read() as session:
        return list(session.exec(select(Benchmark).order_by(col(Benchmark.name))))


def served(db: Database) -> dict[int, str]:
    """Every problem that is served: id -> slug."""
    with db.read() as session:
        return {
            problem.id: problem.slug
            for problem in session.exec(select(Problem).order_by(col(Problem.id)))
        }
