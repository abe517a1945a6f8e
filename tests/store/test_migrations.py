from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlmodel import SQLModel

from judge.store import Database, users


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
