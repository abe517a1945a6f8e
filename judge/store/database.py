"""The database: one engine, short transactions, migrations.

SQLite runs in WAL mode with `synchronous=FULL`, because what was answered with 201 must survive a
power cut. A write begins with BEGIN IMMEDIATE: it waits for its turn at the start, instead of
failing in the middle when a read lock cannot be raised (SQLite manual, "Isolation In SQLite").
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel

from judge.store.errors import StoreError, Unavailable

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 0x61646A75
"""Key of the PostgreSQL advisory lock that lets one process migrate at a time."""


class Database:
    """Sessions on the database at `url` (SQLite or PostgreSQL). Safe to share between threads,
    not across fork."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        if parsed.drivername in {"postgresql", "postgres"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.engine = _sqlite(parsed) if self.is_sqlite else _postgresql(parsed)
        self._writer = self.engine.execution_options(immediate=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session on one consistent state; nothing is written. Raises Unavailable."""
        with _available(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction: committed at the end, rolled back on an exception. Raises Unavailable,
        and then it may, rarely, have been committed all the same."""
        with (
            _available(),
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def now(self, session: Session) -> datetime:
        """The time that leases are measured by: the database's, as workers' clocks may differ."""
        if self.is_sqlite:
            return datetime.now(UTC)
        return cast("datetime", session.connection().scalar(text("SELECT clock_timestamp()")))

    def insert(self, table: type[SQLModel]) -> sqlite.Insert | postgresql.Insert:
        """An INSERT of this database's own kind, which has `on_conflict_do_nothing`."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    def migrate(self, revision: str = "head") -> None:
        """Brings the tables to this version (or to that of `revision`). Safe to call from several
        processes at once. Raises StoreError for a revision that this version does not know."""
        if revision == "head" and self._is_up_to_date():
            return
        from alembic import command  # takes a while to load, and is needed once
        from alembic.util import CommandError

        with _available(), self._writer.connect() as connection:
            lax = _unchecked_references(connection) if self.is_sqlite else nullcontext()
            with lax, connection.begin():
                if not self.is_sqlite:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
                config = alembic_config()
                config.attributes["connection"] = connection
                try:
                    command.upgrade(config, revision)
                except CommandError as error:
                    raise StoreError(
                        f"the database is of another version of the judge: {error}"
                    ) from None

    def _is_up_to_date(self) -> bool:
        """Whether the newest migration (their files are numbered) is the one that was made last."""
        newest = max(file.name.partition("_")[0] for file in _MIGRATIONS.glob("versions/*_*.py"))
        try:
            with self.engine.connect() as connection:
                made = connection.scalar(text("SELECT version_num FROM alembic_version"))
        except DBAPIError:
            made = None  # no such table yet; a database that is away fails below, with a reason
        return str(made) == newest

    def close(self) -> None:
        """Closes the connections."""
        self.engine.dispose()


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            raise  # wrong SQL: no waiting helps
        raise Unavailable(str(error.orig)) from error


@contextmanager
def _unchecked_references(connection: Connection) -> Iterator[None]:
    """Migrations of SQLite replace whole tables, which other tables point to. The check can only be
    switched outside of a transaction (SQLite manual, "PRAGMA foreign_keys")."""
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def alembic_config() -> "Config":
    """Alembic's configuration; there is no alembic.ini."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    return config


def _postgresql(url: URL) -> Engine:
    """A connection whose other end is gone is noticed within seconds (libpq, "Connection Control
    Functions"), and what it had locked is free again soon."""
    return create_engine(
        url,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": 5,
            "client_encoding": "utf8",  # a cluster made under the locale C has none of its own
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "tcp_user_timeout": 10_000,
            "options": "-c idle_in_transaction_session_timeout=30s",
        },
    )


def _sqlite(url: URL) -> Engine:
    if url.database:
        Path(url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def on_connect(connection: sqlite3.Connection, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver must not begin transactions on its own
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "cache_size=-65536",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
