"""The way of a judging: claimed under a lease, written down as it goes, finished once.

Every write names the lease and does nothing where another one has taken its place, so that a result
that arrives late, twice, or after an abort is dropped (LeaseLost).
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from judge.model import Outcome, State, TestResult, Usage, Verdict
from judge.model.score import is_charged
from judge.store import events
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import LeaseLost, NotFound, Refused
from judge.store.tables import (
    GroupRow,
    Judging,
    Priority,
    Problem,
    SourceText,
    Submission,
    TestRow,
    User,
    utc_now,
)

LEASE_SECONDS = 15
ATTEMPTS = 3
"""How often a judging is taken up before a fault of ours is shown as system_error."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write results of a judging, until it runs out or is taken away."""

    judging_id: int
    submission_id: int
    token: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Work:
    """A claimed judging and all that grading needs. `text` is None where the source is a commit."""

    lease: Lease
    submission: Submission
    problem: Problem
    package: str
    text: bytes | None


def claim(db: Database, judging_id: int, owner: str) -> Work | None:
    """Takes up a judging that nobody holds: a new lease, one attempt more, old results swept.

    None where there is nothing to do: it is finished, held by another, or unknown.
    """
    token = secrets.token_hex(16)
    with db.write() as session:
        now = db.now(session)
        taken = _update(
            session,
            and_(col(Judging.id) == judging_id, _is_live(), _is_free(now)),
            attempt=Judging.attempt + 1,
            state=State.PENDING,
            lease_owner=owner,
            lease_token=token,
            lease_expires=_expiry(db, session),
            started_at=now,
        )
        if not taken:
            return None
        session.connection().execute(delete(TestRow).where(col(TestRow.judging_id) == judging_id))
        judging, submission, problem, source = session.exec(
            select(Judging, Submission, Problem, SourceText)
            .join(Submission, col(Submission.id) == Judging.submission_id)
            .join(Problem, col(Problem.id) == Submission.problem_id)
            .join(SourceText, col(SourceText.submission_id) == Submission.id, isouter=True)
            .where(Judging.id == judging_id)
        ).one()
        lease = Lease(judging.id, submission.id, token, judging.attempt)
        text = source.text if source is not None else None
        return Work(lease, submission, problem, judging.package, text)


def renew(db: Database, lease: Lease) -> None:
    """Makes the lease run from now again. Raises LeaseLost: stop, the judging is not ours."""
    with db.write() as session:
        _fenced(session, lease, lease_expires=_expiry(db, session))


def check(db: Database, lease: Lease) -> None:
    """Raises LeaseLost where the lease does not stand any more. Cheap: it writes nothing."""
    query = select(Judging.lease_token).where(Judging.id == lease.judging_id)
    with db.read() as session:
        if session.exec(query).first() != lease.token:
            raise LeaseLost(lease.judging_id)


def enter(db: Database, lease: Lease, state: State) -> None:
    """Shows how far the judging is, and renews the lease. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease, state=state, lease_expires=_expiry(db, session))
        _show(session, lease.submission_id, lease.judging_id, state.value)


def record(db: Database, lease: Lease, results: Sequence[TestResult]) -> None:
    """Writes tests down that have ended, and renews the lease; a test that is written already stays
    as it is. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease, lease_expires=_expiry(db, session))
        _insert(db, session, lease.judging_id, results)


def finish(
    db: Database, lease: Lease, outcome: Outcome, results: Sequence[TestResult] = ()
) -> None:
    """The judging has its verdict, and its submission shows it; `results` are those of its tests
    that `record` has not written yet. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease)
        _insert(db, session, lease.judging_id, results)
        for position, group in enumerate(outcome.groups):
            session.add(
                GroupRow(
                    judging_id=lease.judging_id,
                    position=position,
                    group_id=group.group.id,
                    name=group.group.name,
                    points=group.group.points,
                    verdict=group.verdict,
                    score=group.score,
                    tests=list(group.group.tests),
                )
            )
        _settle(
            session,
            _judging(session, lease.judging_id),
            outcome.verdict,
            score=outcome.score,
            message=outcome.message,
            usage=outcome.usage,
        )


def give_back(db: Database, lease: Lease) -> None:
    """The worker goes away before the end: the judging waits again, and the attempt does not count.

    Nothing happens where the lease is lost.
    """
    with db.write() as session:
        _update(
            session,
            _is_ours(lease),
            state=State.PENDING,
            attempt=Judging.attempt - 1,
            lease_owner=None,
            lease_token=None,
            lease_expires=None,
        )
        _show_if_live(session, lease.submission_id, lease.judging_id)


def fail(db: Database, lease: Lease, message: str) -> bool:
    """A fault of ours ended the attempt. True: the judging waits again, enqueue it. False: that
    was the last attempt, and system_error is shown with the message. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease)
        return _retry_or_settle(session, _judging(session, lease.judging_id), message)


def rescue(db: Database) -> None:
    """Takes judgings from workers that died: those whose lease ran out wait again, or are shown as
    system_error after the last attempt."""
    with db.read() as session:
        if session.exec(_overdue(db.now(session)).limit(1)).first() is None:
            return
    with db.write() as session:
        overdue = _overdue(db.now(session)).with_for_update(skip_locked=True)
        for judging in session.exec(overdue).all():
            _retry_or_settle(
                session,
                judging,
                f"The judge was interrupted {ATTEMPTS} times in a row. This is not the fault of the"
                f" submission, and it does not count.",
            )


def waiting(db: Database, older_than_s: float = 0) -> list[tuple[int, Priority]]:
    """Judgings that wait for a worker, the oldest first: what the queue must hold."""
    with db.read() as session:
        before = db.now(session) - timedelta(seconds=older_than_s)
        found = session.exec(
            select(Judging.id, col(Judging.priority))
            .where(
                Judging.state == State.PENDING,
                col(Judging.lease_token).is_(None),
                Judging.created_at <= before,
            )
            .order_by(col(Judging.id))
        )
        return [(judging, priority) for judging, priority in found]


def abort(db: Database, submission_id: int, actor: User) -> Judging:
    """Settles the judging that counts as aborted, at once; its worker notices and drops out.

    Tests that had ended keep their results. It stays charged if a worker had taken it up.
    Raises NotFound, or Refused where it is final.
    """
    with db.write() as session:
        judging = session.exec(
            select(Judging)
            .join(Submission, col(Submission.judging_id) == Judging.id)
            .where(Submission.id == submission_id)
            .with_for_update(of=Judging)
        ).first()
        if judging is None:
            raise NotFound(f"there is no submission {submission_id}")
        if judging.state is State.FINISHED:
            raise Refused(f"submission {submission_id} is final ({judging.status})")
        began = judging.started_at is not None
        _settle(session, judging, Verdict.ABORTED, charged=began)
        events.write(session, actor, "abort", "submission", submission_id, began=began)
        return judging


def _is_live() -> ColumnElement[bool]:
    return col(Judging.state) != State.FINISHED


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(col(Judging.lease_token).is_(None), col(Judging.lease_expires) < now)


def _overdue(now: datetime) -> SelectOfScalar[Judging]:
    return select(Judging).where(_is_live(), col(Judging.lease_expires) < now)


def _is_ours(lease: Lease) -> ColumnElement[bool]:
    return and_(col(Judging.id) == lease.judging_id, col(Judging.lease_token) == lease.token)


def _update(session: Session, where: ColumnElement[bool], **values: object) -> bool:
    return session.connection().execute(update(Judging).where(where).values(**values)).rowcount == 1


def _fenced(session: Session, lease: Lease, **values: object) -> None:
    """Updates the judging and locks its row until the transaction ends. Raises LeaseLost."""
    if not _update(session, _is_ours(lease), **(values or {"lease_token": lease.token})):
        raise LeaseLost(lease.judging_id)


def _judging(session: Session, judging_id: int) -> Judging:
    return session.exec(select(Judging).where(Judging.id == judging_id)).one()


def _expiry(db: Database, session: Session) -> datetime:
    return db.now(session) + timedelta(seconds=LEASE_SECONDS)


def _insert(db: Database, session: Session, judging_id: int, results: Sequence[TestResult]) -> None:
    if results:
        session.connection().execute(
            db.insert(TestRow).on_conflict_do_nothing(),
            [_test_row(judging_id, result) for result in results],
        )


def _test_row(judging_id: int, result: TestResult) -> dict[str, object]:
    usage = result.usage
    return {
        "judging_id": judging_id,
        "test": result.test,
        "verdict": result.verdict,
        "score": result.score,
        "message": clean(result.message),
        "cpu_ns": usage.cpu_ns if usage else None,
        "wall_ns": usage.wall_ns if usage else None,
        "memory_bytes": usage.memory_bytes if usage else None,
        "disk_bytes": usage.disk_bytes if usage else None,
        "files": usage.files if usage else None,
    }


def _retry_or_settle(session: Session, judging: Judging, message: str) -> bool:
    if judging.attempt >= ATTEMPTS:
        _settle(session, judging, Verdict.SYSTEM_ERROR, message=message)
        return False
    judging.state = State.PENDING
    judging.lease_owner = judging.lease_token = judging.lease_expires = None
    session.add(judging)
    session.flush()
    _show_if_live(session, judging.submission_id, judging.id)
    return True


def _settle(
    session: Session,
    judging: Judging,
    verdict: Verdict,
    *,
    score: float = 0.0,
    message: str = "",
    usage: Usage | None = None,
    charged: bool | None = None,
) -> None:
    """Ends a judging, takes its lease away, and lets its submission show it if it counts."""
    judging.state = State.FINISHED
    judging.verdict = verdict
    judging.score = score
    judging.message = clean(message)
    if usage is not None:
        judging.cpu_ns = usage.cpu_ns
        judging.wall_ns = usage.wall_ns
        judging.memory_bytes = usage.memory_bytes
        judging.disk_bytes = usage.disk_bytes
        judging.files = usage.files
    judging.lease_owner = judging.lease_token = judging.lease_expires = None
    judging.finished_at = utc_now()
    session.add(judging)
    session.flush()
    _count(session, judging, is_charged(verdict) if charged is None else charged)


def _count(session: Session, judging: Judging, charged: bool) -> None:
    """Lets the submission show the judging, unless a newer one that is finished counts already. A
    submission that was set free stays free (see caps.py)."""
    submission = session.exec(
        select(Submission).where(Submission.id == judging.submission_id).with_for_update()
    ).one()
    shown = session.get(Judging, submission.judging_id)
    if shown is None or shown.generation <= judging.generation:
        submission.judging_id = judging.id
        submission.status = judging.status
        submission.charged = submission.charged and charged
        session.add(submission)
        session.flush()


def _show(session: Session, submission_id: int, judging_id: int, status: str) -> None:
    session.connection().execute(
        update(Submission)
        .where(col(Submission.id) == submission_id, col(Submission.judging_id) == judging_id)
        .values(status=status)
    )


def _show_if_live(session: Session, submission_id: int, judging_id: int) -> None:
    judging = session.exec(
        select(Judging).where(Judging.id == judging_id).execution_options(populate_existing=True)
    ).one()
    _show(session, submission_id, judging_id, judging.status)
