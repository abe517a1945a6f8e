"""Problems, and the entries that give them a cap and a policy."""

from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, select

from judge.model import Problem as Package
from judge.store import events, workers
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import Exists, NotFound, Refused, StoreError
from judge.store.numbers import continue_numbers
from judge.store.tables import (
    AbortPolicy,
    Entry,
    EntryProblem,
    Feedback,
    Judging,
    Problem,
    Submission,
    User,
    utc_now,
)

_BY_ID = select(Problem).where(Problem.id == bindparam("problem"))
_ENTRY = select(Entry).join(EntryProblem).where(EntryProblem.problem_id == bindparam("problem"))

PAGE = 20
LAST_NUMBER = 2**31 - 1
"""The largest id that the database's integers hold."""


@dataclass(frozen=True, slots=True)
class ProblemPage:
    """Some problems by id; `next` is the id that the next page begins with, None on the last."""

    problems: tuple[Problem, ...]
    next: int | None


def put(
    db: Database,
    package: Package,
    package_hash: str,
    *,
    number: int | None = None,
    cap: int | None = None,
    released: bool = True,
    feedback: Feedback | None = None,
    abort: AbortPolicy | None = None,
    worker_group: str | None = None,
    actor: User | None = None,
) -> Problem:
    """Adds a problem, or gives the problem of that slug a new package version.

    `number` is the id that a new problem gets, None the next one: a benchmark that moves here keeps
    its ids. Raises StoreError where it cannot be one, Exists where it is another problem's.

    `cap`, `feedback` or `abort` puts the problem into an entry of its own, or changes that entry;
    None leaves it as it is, as with `worker_group`, which says who judges it. Raises StoreError
    where the entry is a benchmark's, or where it can be no group.
    """
    if cap is not None and cap < 0:
        raise StoreError(f"a cap is 0 or more submissions, not {cap}")
    if worker_group is not None:
        workers.refuse_group(worker_group)
    with db.write() as session:
        problem = session.exec(select(Problem).where(Problem.slug == package.slug)).first()
        if number is not None:
            _refuse_number(session, number, package.slug, problem)
        if problem is None:
            problem = Problem(
                slug=package.slug, title="", package="", languages=[], source_bytes=0, points=0
            )
            if number is not None:
                problem.id = number
        problem.title = clean(package.title, 500)
        problem.package = package_hash
        problem.languages = list(package.languages)
        problem.source_bytes = package.source_bytes
        problem.points = package.points
        problem.released = released
        if worker_group is not None:
            problem.worker_group = worker_group
        problem.updated_at = utc_now()
        session.add(problem)
        session.flush()
        if number is not None:
            continue_numbers(session.connection(), SQLModel.metadata.tables["problem"])
        if not (cap is None and feedback is None and abort is None):
            _put_own_entry(session, problem, cap, feedback, abort)
        events.write(session, actor, "put", "problem", problem.id, package=package_hash)
        return problem


def _refuse_number(session: Session, number: int, slug: str, problem: Problem | None) -> None:
    if not 1 <= number <= LAST_NUMBER:
        raise StoreError(f"the id of a problem is a number from 1 to {LAST_NUMBER}, not {number}")
    if problem is not None and problem.id != number:
        raise Exists(f"{slug!r} is problem {problem.id} already, and an id cannot be changed")
    holder = session.get(Problem, number)
    if holder is not None and holder.slug != slug:
        raise Exists(f"problem {number} is {holder.slug!r} already; give another id")


def _put_own_entry(
    session: Session,
    problem: Problem,
    cap: int | None,
    feedback: Feedback | None,
    abort: AbortPolicy | None,
) -> None:
    entry = entry_of(session, problem.id)
    if entry is None:
        entry = Entry(name=problem.slug)
        session.add(entry)
        session.flush()
        session.add(EntryProblem(problem_id=problem.id, entry_id=entry.id))
    elif entry.benchmark_id is not None:
        raise StoreError(
            f"{problem.slug!r} has its cap from the benchmark entry {entry.name!r}; change it there"
        )
    entry.cap = entry.cap if cap is None else cap
    entry.feedback = feedback or entry.feedback
    entry.abort = abort or entry.abort
    session.add(entry)


def hold(db: Database, problem_id: int, reason: str, actor: User | None) -> Problem:
    """Lets submissions wait from now on, and says why; what is being judged goes on.
    Raises NotFound."""
    with db.write() as session:
        problem = _locked(session, problem_id)
        problem.held = clean(reason, 500) or "held by an operator"
        session.add(problem)
        events.write(session, actor, "hold", "problem", problem_id, reason=problem.held)
        return problem


def resume(db: Database, problem_id: int, actor: User | None) -> Problem:
    """Lets what waits be judged again; the reaper rings for it. Raises NotFound."""
    with db.write() as session:
        problem = _locked(session, problem_id)
        problem.held = None
        session.add(problem)
        events.write(session, actor, "resume", "problem", problem_id)
        return problem


def _locked(session: Session, problem_id: int) -> Problem:
    query = select(Problem).where(Problem.id == problem_id).with_for_update()
    problem = session.exec(query).first()
    if problem is None:
        raise NotFound(f"there is no problem {problem_id}")
    return problem


def languages_lacking(db: Database, problem: Problem) -> list[str]:
    """The languages of the problem that no worker of its group offers; none where there is no
    worker, so that nobody knows."""
    with db.read() as session:
        offered = workers.languages(session, problem.worker_group)
    return [] if offered is None else [id_ for id_ in problem.languages if id_ not in offered]


def version(db: Database, problem_id: int | None, beginning: str) -> str:
    """The content hash of a version that the problem has or had, by its beginning. NotFound where
    none of its judgings, nor the problem now, has one that begins so; Refused where several do."""
    query = (
        select(Judging.package)
        .join(Submission, col(Submission.id) == Judging.submission_id)
        .where(Submission.problem_id == problem_id)
        .union(select(Problem.package).where(Problem.id == problem_id))
    )
    with db.read() as session:
        known = session.connection().execute(query).scalars().all()
    found = [package for package in known if package.startswith(beginning)]
    if not found:
        raise NotFound(f"the problem had no version {beginning!r}")
    if len(found) > 1:
        raise Refused(f"several versions begin with {beginning!r}: " + ", ".join(sorted(found)))
    return found[0]


def get(db: Database, problem_id: int) -> Problem:
    """The problem of that id. Raises NotFound."""
    with db.read() as session:
        return get_in(session, problem_id)


def get_in(session: Session, problem_id: int) -> Problem:
    """The problem of that id, within a transaction. Raises NotFound."""
    problem = session.exec(_BY_ID, params={"problem": problem_id}).first()
    if problem is None:
        raise NotFound(f"there is no problem {problem_id}")
    return problem


def find(db: Database, slug: str) -> Problem:
    """The problem of that slug. Raises NotFound."""
    with db.read() as session:
        problem = session.exec(select(Problem).where(Problem.slug == slug)).first()
    if problem is None:
        raise NotFound(f"there is no problem {slug!r}")
    return problem


def page(
    db: Database,
    *,
    keyword: str = "",
    released_only: bool = True,
    only: list[int] | None = None,
    benchmark_id: int | None = None,
    cursor: int | None = None,
    size: int = PAGE,
) -> ProblemPage:
    """Problems by id, from `cursor` on. `keyword` is a part of the title; `only` are the ids that
    a token may touch, `benchmark_id` narrows to the problems of a benchmark."""
    query = select(Problem).order_by(col(Problem.id)).limit(size + 1)
    if keyword:
        query = query.where(col(Problem.title).contains(clean(keyword), autoescape=True))
    if released_only:
        query = query.where(col(Problem.released))
    if only is not None:
        query = query.where(col(Problem.id).in_(only))
    if benchmark_id is not None:
        query = query.join(EntryProblem).join(Entry).where(Entry.benchmark_id == benchmark_id)
    if cursor is not None:
        query = query.where(Problem.id >= cursor)
    with db.read() as session:
        found = session.exec(query).all()
    return ProblemPage(tuple(found[:size]), found[size].id if len(found) > size else None)


def all_problems(db: Database) -> list[Problem]:
    """Every problem, by id."""
    with db.read() as session:
        return list(session.exec(select(Problem).order_by(col(Problem.id))))


def entry(db: Database, problem_id: int) -> Entry | None:
    """The entry whose cap and policy hold for that problem; None: no cap, live feedback."""
    with db.read() as session:
        return entry_of(session, problem_id)


def entry_of(session: Session, problem_id: int) -> Entry | None:
    return session.exec(_ENTRY, params={"problem": problem_id}).first()
