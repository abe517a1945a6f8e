from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from judge.store import Database, StoreError, caps, results, submissions, users

if TYPE_CHECKING:
    from conftest import Cluster

RELEASED = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
"""Every version of the tables that was in use."""

ROWS = (
    """INSERT INTO "user" (id, name, friendly_name, role, created_at)
    VALUES (1, 'mina', 'Mina', 'participant', '2031-01-01 00:00:00+00:00')""",
    """INSERT INTO problem (id, slug, title, package, languages, source_bytes, points, released,
        created_at, updated_at)
    VALUES (1, 'sum', 'Sum', 'x', '["cpp"]', 9, 100, true, '2031-01-01 00:00:00+00:00',
        '2031-01-01 00:00:00+00:00')""",
    """INSERT INTO benchmark_entry (id, name, cap, feedback, abort)
    VALUES (1, 'sum', 5, 'final', 'never')""",
    "INSERT INTO benchmark_problem (problem_id, entry_id, weight) VALUES (1, 1, 1)",
    """INSERT INTO submission (id, user_id, problem_id, entry_id, language, public, created_at,
        judging_id, status, charged)
    VALUES (1, 1, 1, 1, 'cpp', false, '2031-01-01 00:00:00+00:00', 1, 'accepted', true)""",
    """INSERT INTO judging (id, submission_id, generation, priority, package, attempt, state,
        verdict, score, message, created_at)
    VALUES (1, 1, 1, 'interactive', 'x', 1, 'finished', 'accepted', 100, '',
        '2031-01-01 00:00:00+00:00')""",
    """INSERT INTO test_result (judging_id, test, verdict, score, message)
    VALUES (1, '1', 'accepted', 1, '')""",
)


def test_the_tables_are_those_that_the_migrations_make(db: Database) -> None:
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, SQLModel.metadata) == []


def test_a_new_database_is_migrated_by_whoever_comes_first(empty_database_url: str) -> None:
    def migrate(number: int) -> None:
        with closing(Database(empty_database_url)) as db:
            db.migrate()
            users.add(db, f"user{number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate, range(4)))

    with closing(Database(empty_database_url)) as db:
        assert users.count(db) == 4


@pytest.mark.parametrize("revision", RELEASED)
def test_rows_of_every_version_are_kept(empty_database_url: str, revision: str) -> None:
    with closing(Database(empty_database_url)) as db:
        db.migrate(revision)
        with db.write() as session:
            for statement in ROWS:
                session.connection().execute(text(statement))

        db.migrate()

        view = submissions.get(db, 1)
        assert (view.user.name, view.problem.slug) == ("mina", "sum")
        assert (view.judging.counts, view.problem.held) == (True, None)
        assert caps.quota(db, 1, 1) == caps.Quota("sum", 5, 1)
        assert [test.test for test in results.of(db, 1)[0]] == ["1"]
        with pytest.raises(IntegrityError), db.write() as session:
            session.connection().execute(text("DELETE FROM submission"))


def test_a_database_of_a_newer_version_is_refused(empty_database_url: str) -> None:
    """A database of its own: the version would stay with the one that tests share."""
    with closing(Database(empty_database_url)) as db:
        db.migrate()
        with db.write() as session:
            session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))

        with pytest.raises(StoreError, match="another version of the judge"):
            db.migrate()


def test_a_postgresql_of_the_locale_c_keeps_every_letter(postgresql: "Cluster") -> None:
    """As initdb makes one where no language is set: it knows no encoding."""
    with closing(Database(postgresql.create("SQL_ASCII"))) as db:
        db.migrate()

        assert users.add(db, "mina", friendly_name="Mína 水").id == 1
        assert users.find(db, "mina").friendly_name == "Mína 水"
