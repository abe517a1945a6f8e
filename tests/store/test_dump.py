from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel, select

from judge.model import Verdict
from judge.store import Database, StoreError, judgings, submissions, tokens, users
from judge.store.dump import dump, load
from tests.store.conftest import Desk, MakeOutcome, MakeResult


def everything(db: Database) -> dict[str, list[Any]]:
    with db.read() as session:
        return {
            name: [tuple(row) for row in session.connection().execute(table.select()).all()]
            for name, table in SQLModel.metadata.tables.items()
        }


@pytest.fixture
def filled(desk: Desk, result: MakeResult, outcome: MakeOutcome) -> Database:
    tokens.create(desk.db, desk.user, "laptop", problems=[desk.problem.id])
    _, judging = desk.admit(b"\x00\xffsource", key="k")
    lease = desk.claim(judging)
    judgings.record(desk.db, lease, [result("1", message="ü\ufffd")])
    judgings.finish(desk.db, lease, outcome(Verdict.WRONG_ANSWER), [result("2")])
    waiting, _ = desk.admit()
    submissions.void(desk.db, waiting.id, "because", desk.user)
    desk.admit()
    return desk.db


def test_what_was_dumped_is_loaded_into_any_database(
    filled: Database, empty_database_url: str, tmp_path: Path
) -> None:
    counts = dump(filled, tmp_path)

    with closing(Database(empty_database_url)) as other:
        assert load(other, tmp_path) == counts
        assert everything(other) == everything(filled)
        assert counts["submission"] == 3
        assert users.add(other, "olga").id == 2, "numbers go on after the last one"
        assert [one.id for one in judgings.waiting(other)] == [3]


def test_a_filled_database_is_not_overwritten(filled: Database, tmp_path: Path) -> None:
    dump(filled, tmp_path)
    before = everything(filled)

    with pytest.raises(StoreError, match="not empty"):
        load(filled, tmp_path)
    assert everything(filled) == before


def test_a_newer_version_is_refused(
    filled: Database, empty_database_url: str, tmp_path: Path
) -> None:
    dump(filled, tmp_path)
    (tmp_path / "revision").write_text("9999")

    with closing(Database(empty_database_url)) as other, pytest.raises(StoreError, match="9999"):
        load(other, tmp_path)


def test_a_dump_sees_one_moment(filled: Database, tmp_path: Path) -> None:
    """Rows that refer to others come with them, whatever is written meanwhile."""
    with filled.engine.connect() as connection, connection.begin():
        connection.execute(select(SQLModel.metadata.tables["user"])).all()
        users.add(filled, "late")
        dump(filled, tmp_path)

    assert "late" in (tmp_path / "user.jsonl").read_text()
