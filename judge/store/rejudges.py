"""Judging again: one submission, a problem, or a filter, as a set.

The results of an open set are kept apart: `preview` tells what they would change, `apply` lets them
count, `drop` does away with them. Submissions keep their old results until then.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from judge.model import State, Verdict
from judge.store import events
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import NotFound, Refused
from judge.store.settling import count, settle
from judge.store.tables import (
    Judging,
    Priority,
    Problem,
    Rejudge,
    RejudgeState,
    Submission,
    User,
    utc_now,
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which submissions are judged again; None does not narrow. Aborted and void ones never are."""

    submissions: tuple[int, ...] | None = None
    problem_id: int | None = None
    user_id: int | None = None
    status: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A submission of a set: what counts now, and what the set found (None: not yet)."""

    submission_id: int
    old_status: str
    old_score: float
    new_status: str | None
    new_score: float | None

    @property
    def changes(self) -> bool:
        """Whether applying the set changes what is shown."""
        return (self.old_status, self.old_score) != (self.new_status, self.new_score)


@dataclass(frozen=True, slots=True)
class Preview:
    """How far a set is, and what it found."""

    rejudge: Rejudge
    differences: tuple[Difference, ...]

    @property
    def waiting(self) -> int:
        """Judgings that are not finished."""
        return sum(one.new_status is None for one in self.differences)


def start(
    db: Database,
    which: Which,
    reason: str,
    actor: User | None,
    *,
    apply: bool = False,
    package: str | None = None,
) -> tuple[Rejudge, list[Judging]]:
    """Queues a judging of the problem's current package, or of the one named, for each submission,
    behind those of participants. Returns the set, and its judgings, to ring for.

    With `apply` the results count as they come. Raises Refused where nothing is meant.
    """
    with db.write() as session:
        rejudge = Rejudge(
            reason=clean(reason, 500), state=RejudgeState.APPLIED if apply else RejudgeState.OPEN
        )
        chosen = _chosen(session, which)
        if not chosen:
            raise Refused("there is no submission to judge again")
        session.add(rejudge)
        session.flush()
        made = [
            Judging(
                submission_id=submission,
                generation=generation + 1,
                rejudge_id=rejudge.id,
                counts=apply,
                priority=Priority.REJUDGE,
                package=package or current,
                worker_group=group,
            )
            for submission, current, group, generation in chosen
        ]
        session.add_all(made)
        session.flush()
        events.write(
            session, actor, "rejudge", "rejudge", rejudge.id, reason=rejudge.reason, count=len(made)
        )
        return rejudge, made


def _chosen(session: Session, which: Which) -> Sequence[tuple[int, str, str, int]]:
    """Ids of submissions, locked in that order, with package, worker group, newest generation."""
    newest = (
        select(func.max(Judging.generation))
        .where(Judging.submission_id == Submission.id)
        .scalar_subquery()
    )
    query = (
        select(Submission.id, Problem.package, Problem.worker_group, newest)
        .join(Problem, col(Problem.id) == Submission.problem_id)
        .where(col(Submission.status).not_in([Verdict.VOID.value, Verdict.ABORTED.value]))
        .order_by(col(Submission.id))
        .with_for_update(of=Submission)
    )
    if which.submissions is not None:
        query = query.where(col(Submission.id).in_(which.submissions))
    for column, value in (
        (Submission.problem_id, which.problem_id),
        (Submission.user_id, which.user_id),
        (Submission.status, which.status),
        (Submission.language, which.language),
    ):
        if value is not None:
            query = query.where(column == value)
    return session.exec(query).all()


def preview(db: Database, rejudge_id: int) -> Preview:
    """What applying the set would change. Raises NotFound."""
    with db.read() as session:
        rejudge = session.get(Rejudge, rejudge_id)
        if rejudge is None:
            raise NotFound(f"there is no rejudge {rejudge_id}")
        return Preview(rejudge, tuple(_differences(session, rejudge_id)))


def _differences(session: Session, rejudge_id: int) -> list[Difference]:
    shown = aliased(Judging)
    query = (
        select(Submission, shown, Judging)
        .join(Judging, col(Judging.submission_id) == Submission.id)
        .join(shown, col(shown.id) == Submission.judging_id)
        .where(Judging.rejudge_id == rejudge_id)
        .order_by(col(Submission.id))
    )
    return [
        Difference(
            submission_id=submission.id,
            old_status=submission.status,
            old_score=old.score,
            new_status=new.status if new.state is State.FINISHED else None,
            new_score=new.score if new.state is State.FINISHED else None,
        )
        for submission, old, new in session.exec(query)
    ]


def apply(db: Database, rejudge_id: int, actor: User | None) -> Rejudge:
    """Lets the results of an open set count. Raises NotFound, or Refused where it is not open or
    not finished."""
    with db.write() as session:
        rejudge = _open(session, rejudge_id)
        mine = select(Judging).where(Judging.rejudge_id == rejudge_id).order_by(col(Judging.id))
        found = session.exec(mine).all()
        waiting = sum(judging.state is not State.FINISHED for judging in found)
        if waiting:
            raise Refused(f"{waiting} judgings of rejudge {rejudge_id} are not finished yet")
        for judging in found:
            judging.counts = True
            session.add(judging)
            if judging.verdict not in {None, Verdict.ABORTED}:
                count(session, judging)
        return _close(session, rejudge, RejudgeState.APPLIED, actor)


def drop(db: Database, rejudge_id: int, actor: User | None) -> Rejudge:
    """Does away with the results of an open set; what runs of it ends. Raises NotFound, Refused."""
    with db.write() as session:
        rejudge = _open(session, rejudge_id)
        live = select(Judging).where(
            Judging.rejudge_id == rejudge_id, Judging.state != State.FINISHED
        )
        for judging in session.exec(live.with_for_update()).all():
            settle(session, judging, Verdict.ABORTED)
        return _close(session, rejudge, RejudgeState.DROPPED, actor)


def latest(db: Database, limit: int = 50) -> list[Rejudge]:
    """The newest sets first."""
    with db.read() as session:
        return list(session.exec(select(Rejudge).order_by(col(Rejudge.id).desc()).limit(limit)))


def _open(session: Session, rejudge_id: int) -> Rejudge:
    query = select(Rejudge).where(Rejudge.id == rejudge_id).with_for_update()
    rejudge = session.exec(query).first()
    if rejudge is None:
        raise NotFound(f"there is no rejudge {rejudge_id}")
    if rejudge.state is not RejudgeState.OPEN:
        raise Refused(f"rejudge {rejudge_id} is {rejudge.state.value} already")
    return rejudge


def _close(session: Session, rejudge: Rejudge, state: RejudgeState, actor: User | None) -> Rejudge:
    rejudge.state = state
    rejudge.closed_at = utc_now()
    session.add(rejudge)
    events.write(session, actor, f"rejudge {state.value}", "rejudge", rejudge.id)
    return rejudge
