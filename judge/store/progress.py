"""How far submissions are: little, and read for many at once, for those who wait for them."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam, func
from sqlmodel import col, select

from judge.model import State
from judge.store.database import Database
from judge.store.tables import Submission, TestRow

_LIVE = frozenset(state.value for state in State if state is not State.FINISHED)
_TESTS = (
    select(func.count())
    .select_from(TestRow)
    .where(TestRow.judging_id == Submission.judging_id)
    .correlate(Submission)
    .scalar_subquery()
)
_PROGRESS = select(Submission.id, Submission.status, Submission.judging_id, _TESTS).where(
    col(Submission.id).in_(bindparam("ids", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Progress:
    """The status shown, of which judging, and how many of its tests are written down."""

    status: str
    judging_id: int | None
    tests: int

    @property
    def is_final(self) -> bool:
        return self.status not in _LIVE


def progress(db: Database, submission_ids: Collection[int]) -> dict[int, Progress]:
    """The progress of each of those submissions that there is."""
    with db.read() as session:
        found = session.exec(_PROGRESS, params={"ids": list(submission_ids)}).all()
    return {number: Progress(status, judging, count) for number, status, judging, count in found}
