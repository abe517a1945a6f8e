"""Problems, and the entries that give them a cap and a policy."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from judge.model import Problem as Package
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import NotFound, StoreError
from judge.store.tables import Entry, EntryProblem, Feedback, Problem, utc_now

PAGE = 20


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
    cap: int | None = None,
    released: bool = True,
    feedback: Feedback | None = None,
) -> Problem:
    """Adds a problem, or gives the problem of that slug a new package version.

    `cap` or `feedback` puts the problem into an entry of its own, or changes that entry; None
    leaves it as it is. Raises StoreError where the entry is a benchmark's.
    """
    if cap is not None and cap < 0:
        raise StoreError(f"a cap is 0 or more submissions, not {cap}")
    with db.write() as session:
        problem = session.exec(select(Problem).where(Problem.slug == package.slug)).first()
        if problem is None:
            problem = Problem(
                slug=package.slug, title="", package="", languages=[], source_bytes=0, points=0
            )
        problem.title = clean(package.title, 500)
        problem.package = package_hash
        problem.languages = list(package.languages)
        problem.source_bytes = package.source_bytes
        problem.points = package.points
        problem.released = released
        problem.updated_at = utc_now()
        session.add(problem)
        session.flush()
        if cap is not None or feedback is not None:
            _put_own_entry(session, problem, cap, feedback)
        return problem


def _put_own_entry(
    session: Session, problem: Problem, cap: int | None, feedback: Feedback | None
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
    session.add(entry)


def get(db: Database, problem_id: int) -> Problem:
    """The problem of that id. Raises NotFound."""
    with db.read() as session:
        problem = session.get(Problem, problem_id)
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
    cursor: int | None = None,
    size: int = PAGE,
) -> ProblemPage:
    """Problems by id, from `cursor` on. `keyword` is a part of the title; `only` are the ids that
    a token may touch."""
    query = select(Problem).order_by(col(Problem.id)).limit(size + 1)
    if keyword:
        query = query.where(col(Problem.title).contains(clean(keyword), autoescape=True))
    if released_only:
        query = query.where(col(Problem.released))
    if only is not None:
        query = query.where(col(Problem.id).in_(only))
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
    return session.exec(
        select(Entry).join(EntryProblem).where(EntryProblem.problem_id == problem_id)
    ).first()
