"""Reads a table of unknown content: each key is asked for once, by its kind; what nobody asked
for is unknown. Faults are collected, never raised, and reading goes on with a harmless value."""

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from judge.packages.faults import Faults
from judge.packages.units import parse_bytes, parse_ns

Value = TypeVar("Value")
Word = TypeVar("Word", bound=StrEnum)


_NO_TABLES: list[Mapping[str, object]] = []


class Fields:
    """One table of a file. Where a reader has no default, the key is required."""

    def __init__(
        self, table: Mapping[str, object], file: Path, faults: Faults, place: str = ""
    ) -> None:
        self._table, self._file, self._faults, self._place = table, file, faults, place
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def fault(self, key: str, reason: str) -> None:
        """Note a fault of that key."""
        self._faults.add(self._file, f"{self._place}.{key}".strip("."), reason)

    def text(self, key: str, default: str | None = None) -> str:
        """A string; an empty one does not do where the key is required."""
        value = self._read(key, default, "", _text)
        if default is None and self._table.get(key) == "":
            self.fault(key, "must not be empty")
        return value

    def optional_text(self, key: str) -> str | None:
        """A string, or None where the key is missing or it is empty."""
        return self._read(key, "", "", _text) or None

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        return self._read(key, default, False, _flag)

    def count(self, key: str, default: int | None = None) -> int:
        """A whole number, 0 or more."""
        return self._read(key, default, 0, _count)

    def whole(self, key: str, default: int | None = None) -> int:
        """A whole number of either sign."""
        return self._read(key, default, 0, _whole)

    def counts(self, key: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """A list of whole numbers, 0 or more."""
        return self._read(key, default, (), _counts)

    def file(self, key: str, folder: Path, name: str) -> Path:
        """The file of the name that the key gives, which must lie in the folder."""
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()):
            self.fault(key, f'"{name}" leads out of {folder.name}/')
        elif not file.is_file():
            self.fault(key, f'there is no file "{name}" in {folder}')
        return file

    def missing(self, file: Path, reason: str) -> None:
        """Note that a file is not there which the table calls for."""
        self._faults.add(file, "", reason)

    def anything(self, key: str, default: object) -> object:
        """Whatever the key holds."""
        self._known.append(key)
        return self._table.get(key, default)

    def number(self, key: str, default: float | None = None) -> float:
        """A number, 0 or more."""
        return self._read(key, default, 0.0, _number)

    def duration(self, key: str, default: int | None = None) -> int:
        """A duration above 0, in nanoseconds."""
        return self._read(key, default, 1, _duration)

    def size(self, key: str, default: int | None = None) -> int:
        """A size in bytes, 0 or more."""
        return self._read(key, default, 0, _size)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of strings."""
        return self._read(key, default, (), _texts)

    def pairs(
        self, key: str, default: tuple[tuple[float, float], ...]
    ) -> tuple[tuple[float, float], ...]:
        """A list of pairs of numbers, 0 or more."""
        return self._read(key, default, (), _pairs)

    def names(self) -> tuple[str, ...]:
        """The keys, where they are names of the author's own."""
        return tuple(self._table)

    def word(self, key: str, words: type[Word], default: Word) -> Word:
        """One of the words of an enum."""

        def parse(value: object) -> Word:
            if value not in list(words):
                raise ValueError(f"must be one of {', '.join(words)}, not {_show(value)}")
            return words(str(value))

        return self._read(key, default, default, parse)

    def table(self, key: str) -> "Fields":
        """A table inside this one; an empty one where the key is missing."""
        return self._within(key, self._read(key, {}, {}, _table))

    def tables(self, key: str) -> list["Fields"]:
        """A list of tables inside this one."""
        values = self._read(key, _NO_TABLES, _NO_TABLES, _tables)
        return [self._within(f"{key}[{i}]", value) for i, value in enumerate(values, start=1)]

    def items(self) -> Iterator[tuple[str, "Fields"]]:
        """The tables inside this one where their keys are names of the author's own."""
        for key in self._table:
            yield key, self.table(key)

    def within(self, key: str, table: Mapping[str, object]) -> "Fields":
        """A table of our own making, in place of what the key holds."""
        return self._within(key, table)

    def close(self) -> None:
        """All keys have been asked for: what is left is unknown."""
        for key in self._table:
            if key not in self._known:
                near = get_close_matches(key, self._known, n=1)
                hint = f' (did you mean "{near[0]}"?)' if near else ""
                self.fault(key, f"unknown key{hint}")

    def _within(self, key: str, table: Mapping[str, object]) -> "Fields":
        return Fields(table, self._file, self._faults, f"{self._place}.{key}".strip("."))

    def _read(
        self, key: str, default: Value | None, harmless: Value, parse: Callable[[object], Value]
    ) -> Value:
        self._known.append(key)
        if key not in self._table:
            if default is None:
                self.fault(key, "is missing")
                return harmless
            return default
        try:
            return parse(self._table[key])
        except (TypeError, ValueError) as error:
            self.fault(key, str(error))
            return harmless if default is None else default


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"must be a string, not {_show(value)}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"must be true or false, not {_show(value)}")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"must be a whole number, 0 or more, not {_show(value)}")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"must be a whole number, not {_show(value)}")
    return value


def _counts(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise TypeError(f"must be a list of whole numbers, not {_show(value)}")
    return tuple(_count(entry) for entry in value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e18:
        raise TypeError(f"must be a number, 0 or more, not {_show(value)}")
    return value


def _duration(value: object) -> int:
    if not isinstance(value, str):
        raise TypeError(f'must be a duration such as "1s" or "500ms", not {_show(value)}')
    ns = parse_ns(value)
    if ns <= 0:
        raise ValueError("must be more than 0")
    return ns


def _size(value: object) -> int:
    return parse_bytes(value) if isinstance(value, str) else _count(value)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise TypeError(f"must be a list of strings, not {_show(value)}")
    return tuple(value)


def _pairs(value: object) -> tuple[tuple[float, float], ...]:
    if not isinstance(value, list) or not all(
        isinstance(pair, list) and len(pair) == len(("raw", "share")) for pair in value
    ):
        raise TypeError(f"must be a list of pairs of numbers, not {_show(value)}")
    return tuple((_number(one), _number(other)) for one, other in value)


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"must be a table, not {_show(value)}")
    return value


def _tables(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list):
        raise TypeError(f"must be a list of tables, not {_show(value)}")
    return [_table(entry) for entry in value]


def _show(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case _:
            return str(value)
