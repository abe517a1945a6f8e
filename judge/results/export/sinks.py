"""Writes records as they come, so that a million of them need the memory of a few thousand."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import IO, Any

import pyarrow as pa
from pyarrow import csv, parquet

from judge.results.export.kinds import Columns

BATCH = 10_000

Record = tuple[Any, ...]


class Format(StrEnum):
    """How records are written."""

    NDJSON = "ndjson"
    CSV = "csv"
    PARQUET = "parquet"


def _ignore(_done: int) -> None:
    """No progress is shown."""


def write(
    file: IO[bytes],
    columns: Columns,
    records: Iterator[Record],
    form: Format,
    progress: Callable[[int], None] = _ignore,
) -> int:
    """Writes all records and returns how many; `progress` hears the count after each batch.

    Times are UTC. JSON inside a record is an object in NDJSON and its text elsewhere.
    """
    done = 0
    with ExitStack() as stack:
        put = _WRITERS[form](stack, file, columns)
        while batch := list(islice(records, BATCH)):
            put(batch)
            done += len(batch)
            progress(done)
    return done


Put = Callable[[Sequence[Record]], None]


def _ndjson(_stack: ExitStack, file: IO[bytes], columns: Columns) -> Put:
    names = columns.names
    encode = json.JSONEncoder(ensure_ascii=False, default=_moment).encode

    def put(batch: Sequence[Record]) -> None:
        lines = [encode(dict(zip(names, record, strict=True))) for record in batch]
        file.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))

    return put


def _csv(stack: ExitStack, file: IO[bytes], columns: Columns) -> Put:
    writer = stack.enter_context(csv.CSVWriter(file, columns.schema))

    def put(batch: Sequence[Record]) -> None:
        writer.write_batch(_arrow(columns, batch))

    return put


def _parquet(stack: ExitStack, file: IO[bytes], columns: Columns) -> Put:
    writer = stack.enter_context(parquet.ParquetWriter(file, columns.schema, compression="zstd"))

    def put(batch: Sequence[Record]) -> None:
        writer.write_batch(_arrow(columns, batch))

    return put


_WRITERS: dict[Format, Callable[[ExitStack, IO[bytes], Columns], Put]] = {
    Format.NDJSON: _ndjson,
    Format.CSV: _csv,
    Format.PARQUET: _parquet,
}


def _arrow(columns: Columns, batch: Sequence[Record]) -> pa.RecordBatch:
    by_column = list(zip(*batch, strict=True))
    arrays = []
    for field, values in zip(columns.schema, by_column, strict=True):
        texts = map(json.dumps, values) if field.name in columns.nested else values
        arrays.append(pa.array(texts, type=field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=columns.schema)


def _moment(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    raise TypeError(f"{value!r} is not JSON")
