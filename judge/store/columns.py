"""Column types that read back as they were written, on SQLite and on PostgreSQL alike."""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import DateTime, Dialect, String, TypeDecorator


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone of a datetime, and PostgreSQL has one of its own, so
    it is put right on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value if value is None else value.astimezone(UTC)

    def result_processor(
        self, dialect: Dialect, _coltype: object
    ) -> Callable[[Any], datetime | None] | None:
        """In one step, as exports read millions of moments."""
        return _from_text if dialect.name == "sqlite" else _in_utc


def _from_text(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _in_utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)


class Word(TypeDecorator[StrEnum]):
    """A member of a StrEnum, stored as its value (a new member needs no migration)."""

    impl = String(40)
    cache_ok = True

    def __init__(self, enum: type[StrEnum]) -> None:
        super().__init__()
        self.enum = enum

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: str | None, _dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.enum(value)


def clean(text: str, limit: int = 16384) -> str:
    """Text that every database takes, at most `limit` characters: PostgreSQL refuses NUL, and no
    database takes lone surrogates; both become U+FFFD."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return (
        cut.replace("\0", "\ufffd")
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )
