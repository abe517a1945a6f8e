"""Results of tests and groups: written by the holder of the lease, read by everybody."""

from collections.abc import Sequence

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from judge.model import GroupResult, TestResult
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.tables import GroupRow, TestRow

_TESTS = (
    select(TestRow).where(TestRow.judging_id == bindparam("judging")).order_by(col(TestRow.test))
)
_GROUPS = (
    select(GroupRow)
    .where(GroupRow.judging_id == bindparam("judging"))
    .order_by(col(GroupRow.position))
)


def add_tests(
    db: Database, session: Session, judging_id: int, results: Sequence[TestResult]
) -> None:
    """Adds tests to the transaction; one that is written already stays as it is."""
    if results:
        session.connection().execute(
            db.insert(TestRow).on_conflict_do_nothing(),
            [_test_row(judging_id, result) for result in results],
        )


def _test_row(judging_id: int, result: TestResult) -> dict[str, object]:
    usage, other = result.usage, result.other_look
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
        "raw_score": result.raw,
        "other_cpu_ns": other.cpu_ns if other else None,
        "other_wall_ns": other.wall_ns if other else None,
        "judge_message": clean(result.judge_message) or None,
    }


def add_groups(session: Session, judging_id: int, groups: Sequence[GroupResult]) -> None:
    """Adds groups to the transaction, in their order."""
    for position, group in enumerate(groups):
        session.add(
            GroupRow(
                judging_id=judging_id,
                position=position,
                group_id=group.group.id,
                name=group.group.name,
                points=group.group.points,
                verdict=group.verdict,
                score=group.score,
                tests=list(group.group.tests),
            )
        )


def of(db: Database, judging_id: int) -> tuple[list[TestRow], list[GroupRow]]:
    """Tests as far as they have ended, in the order of their ids, and groups once all have."""
    with db.read() as session:
        tests = session.exec(_TESTS, params={"judging": judging_id}).all()
        groups = session.exec(_GROUPS, params={"judging": judging_id}).all()
    return list(tests), list(groups)
