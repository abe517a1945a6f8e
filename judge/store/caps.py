"""The cap: how many submissions of a user to an entry count, and how many are left.

Counted is every submission that is charged. A submission is charged from its admission on, so that
parallel posts cannot pass the cap, and set free when it turns out not to count (system_error,
bad_problem, void, or aborted before judging began). Once free it stays free: a rejudge never
charges anew, so the count can never pass the cap.
"""

from dataclasses import dataclass

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from judge.store import problems
from judge.store.database import Database
from judge.store.errors import CapReached
from judge.store.tables import Entry, Submission

_USED = (
    select(func.count())
    .select_from(Submission)
    .where(
        Submission.entry_id == bindparam("entry"),
        Submission.user_id == bindparam("user"),
        col(Submission.charged),
    )
)


@dataclass(frozen=True, slots=True)
class Quota:
    """What a user has used of an entry's cap."""

    entry: str
    cap: int
    used: int

    @property
    def left(self) -> int:
        return max(self.cap - self.used, 0)


def quota(db: Database, user_id: int, problem_id: int) -> Quota | None:
    """The quota of a user for a problem; None where there is no cap."""
    with db.read() as session:
        entry = problems.entry_of(session, problem_id)
        if entry is None or entry.cap is None:
            return None
        return Quota(entry.name, entry.cap, _used(session, user_id, entry.id))


def take(session: Session, user_id: int, entry: Entry) -> None:
    """Raises CapReached where one more submission would pass the cap.

    To be called in the transaction that inserts, with the user's row locked.
    """
    if entry.cap is None:
        return
    used = _used(session, user_id, entry.id)
    if used >= entry.cap:
        raise CapReached(entry.name, entry.cap, used)


def _used(session: Session, user_id: int, entry_id: int) -> int:
    return session.exec(_USED, params={"entry": entry_id, "user": user_id}).one()
