"""Figures about everything, for those who watch over the judge."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import col, select

from judge.model import State
from judge.store.database import Database
from judge.store.tables import Judging, Submission


@dataclass(frozen=True, slots=True)
class Statistics:
    """`submissions` by the status that they show; judgings that wait and that are under way, and
    for how long the oldest has waited."""

    submissions: Mapping[str, int]
    waiting: int
    running: int
    oldest_wait_s: float


def statistics(db: Database) -> Statistics:
    """The figures of this moment."""
    is_waiting = col(Judging.lease_token).is_(None)
    live = select(func.count(), func.min(Judging.created_at)).where(Judging.state != State.FINISHED)
    with db.read() as session:
        by_status = session.exec(
            select(Submission.status, func.count()).group_by(Submission.status)
        ).all()
        waiting, oldest = session.exec(live.where(is_waiting)).one()
        running, _ = session.exec(live.where(~is_waiting)).one()
        now = db.now(session)
    oldest_wait_s = max((now - oldest).total_seconds(), 0.0) if oldest else 0.0
    return Statistics(dict(by_status), waiting, running, oldest_wait_s)
