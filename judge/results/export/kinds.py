"""What can be exported, and the columns of each: a promise to scripts (docs/results.md).

Columns are added at the end, never renamed or moved, unless SCHEMA_VERSION grows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any

import pyarrow as pa

from judge.store import Database, scan
from judge.store.scan import Filter

SCHEMA_VERSION = 1

_TIME = pa.timestamp("us", tz="UTC")
_INT, _FLOAT, _TEXT, _BOOL = pa.int64(), pa.float64(), pa.string(), pa.bool_()
_USAGE = (
    ("cpu_ns", _INT),
    ("wall_ns", _INT),
    ("memory_bytes", _INT),
    ("disk_bytes", _INT),
    ("files", _INT),
)


class Kind(StrEnum):
    """A kind of record."""

    SUBMISSIONS = "submissions"
    JUDGINGS = "judgings"
    TESTS = "tests"
    EVENTS = "events"


@dataclass(frozen=True, slots=True)
class Columns:
    """Names and types in order, and the fields that hold JSON."""

    schema: pa.Schema
    nested: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """The names in order."""
        return self.schema.names


def _columns(*fields: tuple[str, pa.DataType], nested: str = "") -> Columns:
    metadata: dict[bytes | str, bytes | str] = {"adjudge_schema_version": str(SCHEMA_VERSION)}
    schema = pa.schema([pa.field(name, kind) for name, kind in fields], metadata=metadata)
    return Columns(schema, frozenset(nested.split()))


COLUMNS = {
    Kind.SUBMISSIONS: _columns(
        ("id", _INT),
        ("user_id", _INT),
        ("user", _TEXT),
        ("agent", _TEXT),
        ("model", _TEXT),
        ("round", _TEXT),
        ("problem_id", _INT),
        ("problem", _TEXT),
        ("points", _FLOAT),
        ("entry", _TEXT),
        ("language", _TEXT),
        ("url", _TEXT),
        ("commit", _TEXT),
        ("created_at", _TIME),
        ("status", _TEXT),
        ("charged", _BOOL),
        ("score", _FLOAT),
        ("message", _TEXT),
        ("judging_id", _INT),
        ("generation", _INT),
        ("package", _TEXT),
        *_USAGE,
        ("started_at", _TIME),
        ("finished_at", _TIME),
    ),
    Kind.JUDGINGS: _columns(
        ("id", _INT),
        ("submission_id", _INT),
        ("generation", _INT),
        ("counts", _BOOL),
        ("priority", _TEXT),
        ("package", _TEXT),
        ("attempt", _INT),
        ("state", _TEXT),
        ("verdict", _TEXT),
        ("score", _FLOAT),
        ("message", _TEXT),
        *_USAGE,
        ("created_at", _TIME),
        ("started_at", _TIME),
        ("finished_at", _TIME),
    ),
    Kind.TESTS: _columns(
        ("submission_id", _INT),
        ("judging_id", _INT),
        ("problem", _TEXT),
        ("test", _TEXT),
        ("verdict", _TEXT),
        ("score", _FLOAT),
        ("message", _TEXT),
        *_USAGE,
        ("raw_score", _FLOAT),
        ("other_cpu_ns", _INT),
        ("other_wall_ns", _INT),
    ),
    Kind.EVENTS: _columns(
        ("id", _INT),
        ("at", _TIME),
        ("actor", _TEXT),
        ("action", _TEXT),
        ("record", _TEXT),
        ("record_id", _INT),
        ("details", _TEXT),
        nested="details",
    ),
}

_SCANS: dict[Kind, Callable[[Database, Filter], Iterator[Any]]] = {
    Kind.SUBMISSIONS: scan.submissions,
    Kind.JUDGINGS: scan.judgings,
    Kind.TESTS: scan.results_of_tests,
    Kind.EVENTS: scan.events,
}


def read(db: Database, kind: Kind, chosen: Filter) -> Iterator[tuple[Any, ...]]:
    """The records of a kind, each a tuple in the order of its columns."""
    return map(attrgetter(*COLUMNS[kind].names), _SCANS[kind](db, chosen))
