"""Column types that read back as they were written, on SQLite and on PostgreSQL alike."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, String, TypeDecorator


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone of a datetime, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value if value is None else value.replace(tzinfo=value.tzinfo or UTC)


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
