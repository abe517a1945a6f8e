"""The whole database as files, one JSON line a row, and back: from one moment, into any database.

The files are the same whatever database they come from, so a judge can also move from SQLite to
PostgreSQL with them. Tables are read as the database has them, not as this version declares them,
so that rows of an older version can be loaded and then migrated.
"""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import (
    Boolean,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    RowMapping,
    Table,
    text,
)

from judge.store.database import Database
from judge.store.errors import StoreError
from judge.store.numbers import continue_numbers

REVISION = "revision"
_VERSIONS = "alembic_version"
_BATCH = 1000

Row = dict[str, object]


def dump(db: Database, folder: Path) -> dict[str, int]:
    """Writes FOLDER/<table>.jsonl and FOLDER/revision; returns how many rows each table has.

    All is read in one transaction that sees one state, while others go on writing.
    """
    counts = {}
    engine = db.engine
    if not db.is_sqlite:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection, connection.begin():
        tables = _tables(connection)
        (folder / REVISION).write_text(_revision(connection))
        for table in tables:
            with (folder / f"{table.name}.jsonl").open("w") as file:
                counts[table.name] = 0
                rows = connection.execution_options(yield_per=_BATCH).execute(table.select())
                for row in rows.mappings():
                    file.write(json.dumps(_out(table, row), ensure_ascii=True) + "\n")
                    counts[table.name] += 1
    return counts


def load(db: Database, folder: Path) -> dict[str, int]:
    """Fills an empty database with what `dump` wrote, and brings it to this version.

    Raises StoreError where the database is not empty, or the files are from a newer version.
    """
    revision = (folder / REVISION).read_text().strip()
    _refuse_filled(db)
    db.migrate(revision)
    counts = {}
    with db.write() as session:
        connection = session.connection()
        for table in _tables(connection):
            counts[table.name] = _fill(connection, table, folder / f"{table.name}.jsonl")
            continue_numbers(connection, table)
    db.migrate()
    return counts


def _refuse_filled(db: Database) -> None:
    with db.read() as session:
        tables = _tables(session.connection())
        for table in tables:
            if session.connection().execute(table.select().limit(1)).first() is not None:
                raise StoreError(f"the database is not empty: there are rows in {table.name!r}")


def _tables(connection: Connection) -> list[Table]:
    """The tables that there are, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != _VERSIONS]


def _revision(connection: Connection) -> str:
    return str(connection.scalar(text(f"SELECT version_num FROM {_VERSIONS}")))  # noqa: S608


def _fill(connection: Connection, table: Table, file: Path) -> int:
    count = 0
    if file.is_file():
        for batch in _batches(table, file):
            connection.execute(table.insert(), batch)
            count += len(batch)
    return count


def _batches(table: Table, file: Path) -> Iterator[list[Row]]:
    batch: list[Row] = []
    with file.open() as lines:
        for line in lines:
            batch.append(_in(table, json.loads(line)))
            if len(batch) == _BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def _out(table: Table, row: RowMapping) -> Row:
    return {column.name: _plain(row[column.name]) for column in table.columns}


def _plain(value: object) -> object:
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case datetime():
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
        case _:
            return value


def _in(table: Table, row: Row) -> Row:
    return {name: _rich(table, name, value) for name, value in row.items()}


def _rich(table: Table, name: str, value: object) -> object:
    kind = table.columns[name].type
    if isinstance(value, str) and isinstance(kind, LargeBinary):
        return base64.b64decode(value)
    if isinstance(value, str) and isinstance(kind, DateTime):
        moment = datetime.fromisoformat(value)
        return moment if kind.timezone else moment.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, int) and isinstance(kind, Boolean):
        return bool(value)
    return value
