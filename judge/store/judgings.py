"""The way of a judging: claimed under a lease, written down as it goes, finished once.

Every write names the lease and does nothing where another one has taken its place, so that a result
that arrives late, twice, or after an abort is dropped (LeaseLost).
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Update, bindparam, delete, exists, or_, update
from sqlmodel import Session, col, select

from judge.model import Outcome, State, TestResult, Verdict
from judge.store import events, results
from judge.store.database import Database
from judge.store.errors import LeaseLost, NotFound, Refused
from judge.store.settling import settle
from judge.store.tables import (
    AbortPolicy,
    Entry,
    Judging,
    Problem,
    Role,
    SourceText,
    Submission,
    TestRow,
    User,
)

LEASE_SECONDS = 15.0
ATTEMPTS = 3
"""How often a judging is taken up before a fault of ours is shown as system_error."""

_ONE = col(Judging.id) == bindparam("judging")
_IS_LIVE = col(Judging.state) != State.FINISHED
_IS_OVERDUE = col(Judging.lease_expires) < bindparam("now")
_IS_FREE = or_(col(Judging.lease_token).is_(None), _IS_OVERDUE)
_IS_HELD = exists().where(
    col(Submission.id) == Judging.submission_id,
    col(Problem.id) == Submission.problem_id,
    col(Problem.held).is_not(None),
)
_IS_IN_LANGUAGES = exists().where(
    col(Submission.id) == Judging.submission_id,
    col(Submission.language).in_(bindparam("languages", expanding=True)),
)

# Built once: a worker runs these several times for each submission.
_TAKE = (
    update(Judging)
    .where(_ONE, _IS_LIVE, _IS_FREE, ~_IS_HELD)
    .values(attempt=Judging.attempt + 1, state=State.PENDING)
)
_TAKE_IN_LANGUAGES = _TAKE.where(_IS_IN_LANGUAGES)
_SWEEP = delete(TestRow).where(col(TestRow.judging_id) == bindparam("judging"))
_TO_DO = (
    select(Judging, Submission, Problem, SourceText)
    .join(Submission, col(Submission.id) == Judging.submission_id)
    .join(Problem, col(Problem.id) == Submission.problem_id)
    .join(SourceText, col(SourceText.submission_id) == Submission.id, isouter=True)
    .where(_ONE)
)
_OURS = update(Judging).where(_ONE, col(Judging.lease_token) == bindparam("lease"))
_GIVE_BACK = _OURS.values(attempt=Judging.attempt - 1, state=State.PENDING)
_JUDGING = select(Judging).where(_ONE)
_LEASE = select(Judging.lease_token).where(_ONE)
_SHOW = update(Submission).where(
    col(Submission.id) == bindparam("submission"),
    col(Submission.judging_id) == bindparam("judging"),
)
_LEFT = select(Judging).where(_ONE, _IS_LIVE, _IS_FREE, ~_IS_HELD, ~_IS_IN_LANGUAGES)
_OVERDUE = select(Judging).where(_IS_LIVE, _IS_OVERDUE)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write results of a judging, until it runs out or is taken away."""

    judging_id: int
    submission_id: int
    token: str
    attempt: int
    seconds: float = LEASE_SECONDS
    """How long it stands after each write."""


@dataclass(frozen=True, slots=True)
class Work:
    """A claimed judging and all that grading needs. `text` is None where the source is a commit."""

    lease: Lease
    submission: Submission
    problem: Problem
    package: str
    text: bytes | None


def claim(
    db: Database,
    judging_id: int,
    owner: str,
    languages: Collection[str] | None = None,
    seconds: float = LEASE_SECONDS,
) -> Work | None:
    """Takes up a judging that nobody holds: a new lease that runs for so many seconds, one attempt
    more, old results swept.

    None where there is nothing to do: it is finished, held by another, unknown, its problem is
    held, or its language is none of those that are named.
    """
    token = secrets.token_hex(16)
    with db.write() as session:
        now = db.now(session)
        named = {} if languages is None else {"languages": list(languages)}
        taken = _update(
            session,
            _TAKE if languages is None else _TAKE_IN_LANGUAGES,
            **named,
            judging=judging_id,
            now=now,
            lease_owner=owner,
            lease_token=token,
            lease_expires=now + timedelta(seconds=seconds),
            started_at=now,
        )
        if not taken:
            return None
        session.connection().execute(_SWEEP, {"judging": judging_id})
        found = session.exec(_TO_DO, params={"judging": judging_id}).one()
        judging, submission, problem, source = found
        lease = Lease(judging.id, submission.id, token, judging.attempt, seconds)
        text = source.text if source is not None else None
        return Work(lease, submission, problem, judging.package, text)


def left_to_others(
    db: Database, judging_id: int, languages: Collection[str]
) -> tuple[Judging, str] | None:
    """A judging that waits in none of these languages, and its language; None where it does not."""
    with db.read() as session:
        named = {"judging": judging_id, "now": db.now(session), "languages": list(languages)}
        judging = session.exec(_LEFT, params=named).first()
        if judging is None:
            return None
        return judging, session.get_one(Submission, judging.submission_id).language


def renew(db: Database, lease: Lease) -> None:
    """Makes the lease run from now again. Raises LeaseLost: stop, the judging is not ours."""
    with db.write() as session:
        _fenced(session, lease, lease_expires=_expiry(db, session, lease))


def check(db: Database, lease: Lease) -> None:
    """Raises LeaseLost where the lease does not stand any more. Cheap: it writes nothing."""
    with db.read() as session:
        token = session.exec(_LEASE, params={"judging": lease.judging_id}).first()
        if token != lease.token:
            raise LeaseLost(lease.judging_id)


def enter(db: Database, lease: Lease, state: State) -> None:
    """Shows how far the judging is, and renews the lease. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease, state=state, lease_expires=_expiry(db, session, lease))
        _show(session, lease.submission_id, lease.judging_id, state.value)


def record(db: Database, lease: Lease, tests: Sequence[TestResult]) -> None:
    """Writes tests down that have ended, and renews the lease; a test that is written already stays
    as it is. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease, lease_expires=_expiry(db, session, lease))
        results.add_tests(db, session, lease.judging_id, tests)


def finish(db: Database, lease: Lease, outcome: Outcome, tests: Sequence[TestResult] = ()) -> None:
    """The judging has its verdict, and its submission shows it; `tests` are those that `record` has
    not written yet. Raises LeaseLost."""
    with db.write() as session:
        _fenced(session, lease)
        results.add_tests(db, session, lease.judging_id, tests)
        results.add_groups(session, lease.judging_id, outcome.groups)
        settle(
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
        free: dict[str, None] = dict.fromkeys(("lease_owner", "lease_token", "lease_expires"))
        _update(session, _GIVE_BACK, judging=lease.judging_id, lease=lease.token, **free)
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
        if session.exec(_OVERDUE.limit(1), params={"now": db.now(session)}).first() is None:
            return
    with db.write() as session:
        overdue = _OVERDUE.with_for_update(skip_locked=True)
        for judging in session.exec(overdue, params={"now": db.now(session)}).all():
            _retry_or_settle(
                session,
                judging,
                f"The judge was interrupted {ATTEMPTS} times in a row. This is not the fault of the"
                f" submission, and it does not count.",
            )


def waiting(db: Database, older_than_s: float = 0) -> list[Judging]:
    """Judgings that wait for a worker, the oldest first: what the queue must have."""
    with db.read() as session:
        before = db.now(session) - timedelta(seconds=older_than_s)
        found = session.exec(
            select(Judging)
            .where(
                Judging.state == State.PENDING,
                col(Judging.lease_token).is_(None),
                Judging.created_at <= before,
                ~_IS_HELD,
            )
            .order_by(col(Judging.id))
        )
        return list(found)


def abort(db: Database, submission_id: int, actor: User | None) -> Judging:
    """Settles the judging that counts as aborted, at once; its worker notices and drops out.

    Tests that had ended keep their results. It stays charged if a worker had taken it up.
    Raises NotFound, or Refused where it is final or where the policy of the entry forbids it to a
    participant.
    """
    with db.write() as session:
        found = session.exec(
            select(Judging, Submission)
            .join(Submission, col(Submission.judging_id) == Judging.id)
            .where(Submission.id == submission_id)
            .with_for_update(of=Judging)
        ).first()
        if found is None:
            raise NotFound(f"there is no submission {submission_id}")
        judging, submission = found
        if judging.state is State.FINISHED:
            raise Refused(f"submission {submission_id} is final ({submission.status})")
        began = judging.started_at is not None
        if actor is not None and actor.role is Role.PARTICIPANT:
            _refuse_by_policy(session, submission, began)
        settle(session, judging, Verdict.ABORTED, charged=began)
        events.write(session, actor, "abort", "submission", submission_id, began=began)
        return judging


def _refuse_by_policy(session: Session, submission: Submission, began: bool) -> None:
    entry = session.get(Entry, submission.entry_id) if submission.entry_id else None
    if entry is None:
        return
    if entry.abort is AbortPolicy.NEVER:
        raise Refused(f"submissions to {entry.name!r} cannot be aborted")
    if entry.abort is AbortPolicy.BEFORE_JUDGING and began:
        raise Refused(f"submissions to {entry.name!r} can be aborted before they are judged only")


def _update(session: Session, statement: Update, **values: object) -> bool:
    """Whether there was such a row. `values` are those of the statement's parameters, and those of
    the columns to set."""
    return session.connection().execute(statement, values).rowcount == 1


def _fenced(session: Session, lease: Lease, **values: object) -> None:
    """Updates the judging and locks its row until the transaction ends. Raises LeaseLost."""
    named = {"judging": lease.judging_id, "lease": lease.token}
    if not _update(session, _OURS, **named, **(values or {"lease_token": lease.token})):
        raise LeaseLost(lease.judging_id)


def _judging(session: Session, judging_id: int) -> Judging:
    return session.exec(_JUDGING, params={"judging": judging_id}).one()


def _expiry(db: Database, session: Session, lease: Lease) -> datetime:
    return db.now(session) + timedelta(seconds=lease.seconds)


def _retry_or_settle(session: Session, judging: Judging, message: str) -> bool:
    if judging.attempt >= ATTEMPTS:
        settle(session, judging, Verdict.SYSTEM_ERROR, message=message)
        return False
    judging.state = State.PENDING
    judging.lease_owner = judging.lease_token = judging.lease_expires = None
    session.add(judging)
    session.flush()
    _show_if_live(session, judging.submission_id, judging.id)
    return True


def _show(session: Session, submission_id: int, judging_id: int, status: str) -> None:
    _update(session, _SHOW, submission=submission_id, judging=judging_id, status=status)


def _show_if_live(session: Session, submission_id: int, judging_id: int) -> None:
    judging = session.exec(
        _JUDGING, params={"judging": judging_id}, execution_options={"populate_existing": True}
    ).one()
    _show(session, submission_id, judging_id, judging.status)
