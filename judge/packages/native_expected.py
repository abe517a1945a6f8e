"""The table `expected` of a native package: what its solutions get, where their folder says too
little."""

from dataclasses import dataclass

from judge.model import LANGUAGES, Verdict
from judge.packages.fields import Fields
from judge.packages.native_ids import read_ids
from judge.packages.solution import Expectation, Points, read_points


@dataclass(frozen=True, slots=True)
class Expected:
    """Of one solution; `verdicts` is empty where its folder tells."""

    verdicts: frozenset[Verdict] = frozenset()
    score: Points | None = None
    language: str | None = None
    expectations: tuple[Expectation, ...] = ()


def read_expected(fields: Fields) -> dict[str, Expected]:
    """The entries by the names of solutions: a score alone, or a table."""
    return {name: _entry(fields, name) for name in fields.names()}


def _entry(fields: Fields, name: str) -> Expected:
    if not isinstance(fields.anything(name, None), dict):
        return Expected(score=read_points(fields, name))
    table = fields.table(name)
    language = table.optional_text("language")
    if language is not None and language not in {entry.id for entry in LANGUAGES}:
        table.fault("language", f'there is no language "{language}"')
    found = Expected(
        verdicts=_verdicts(table, "verdicts"),
        score=read_points(table),
        language=language,
        expectations=tuple(_expectation(entry) for entry in table.tables("of")),
    )
    table.close()
    return found


def _expectation(fields: Fields) -> Expectation:
    found = Expectation(
        of=fields.text("name", "these tests"),
        tests=read_ids(fields) if "tests" in fields else None,
        permitted=_verdicts(fields, "permitted"),
        required=_verdicts(fields, "required"),
        score=read_points(fields),
        message=fields.text("message", ""),
    )
    fields.close()
    return found


def _verdicts(fields: Fields, key: str) -> frozenset[Verdict]:
    words = fields.texts(key, ())
    for word in words:
        if word not in list(Verdict):
            fields.fault(key, f'"{word}" is no verdict')
    return frozenset(Verdict(word) for word in words if word in list(Verdict))
