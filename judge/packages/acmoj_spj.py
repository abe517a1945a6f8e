"""ACMOJ's `SPJ`: the three steps compile, run and check, as a number or as an object."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from judge.model import Check, Comparison, OwnScore, Protocol, Tool
from judge.packages.fields import Fields


class _Compile(StrEnum):
    SKIP = "skip"
    CLASSIC = "classic"
    HPP = "hpp"


class _Run(StrEnum):
    SKIP = "skip"
    CLASSIC = "classic"
    INTERACTIVE = "interactive"
    VERILOG = "verilog"


class _Check(StrEnum):
    SKIP = "skip"
    COMPARE = "compare"
    CUSTOM = "custom"


class _Kind(StrEnum):
    CPP = "cpp"
    BINARY = "binary"


_NUMBERS = (
    ("classic", "classic", "compare"),
    ("classic", "classic", "custom"),
    ("hpp", "classic", "skip"),
    ("hpp", "classic", "compare"),
    ("hpp", "classic", "custom"),
    ("skip", "skip", "custom"),
)


@dataclass(frozen=True, slots=True)
class Spj:
    """What the three steps come to."""

    is_header: bool
    runs_nothing: bool
    check: Check
    interactor: Tool | None


def read_spj(fields: Fields, folder: Path, support: tuple[Path, ...]) -> Spj:
    """The key `SPJ`; programs are in `folder`, and `support` lies beside them."""
    value = fields.anything("SPJ", {})
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < len(_NUMBERS):
            fields.fault("SPJ", f"must be from 0 to {len(_NUMBERS) - 1}, or an object")
            value = 0
        value = dict(zip(("Compile", "Run", "Check"), _NUMBERS[value], strict=True))
    if not isinstance(value, dict):
        fields.fault("SPJ", f"must be from 0 to {len(_NUMBERS) - 1}, or an object")
        value = {}
    steps = fields.within("SPJ", value)
    compile_, run, check = (_step(steps, key) for key in ("Compile", "Run", "Check"))
    compiled = compile_.word("Type", _Compile, _Compile.CLASSIC)
    ran = run.word("Type", _Run, _Run.CLASSIC)
    checked = check.word("Type", _Check, _Check.COMPARE)
    if ran is _Run.VERILOG:
        run.fault("Type", "Verilog is not offered here")
    ignores = check.flag("IgnoreInsignificantWhitespace", default=True)
    interactor = None
    if ran is _Run.INTERACTIVE:
        interactor = _tool(run, "Interactor", folder, ("interactor", "interactor.cpp"), support)
    rule: Check = Comparison.LINES if ignores else Comparison.EXACT
    match checked:
        case _Check.SKIP:
            rule = OwnScore()
        case _Check.CUSTOM:
            rule = _tool(check, "Checker", folder, ("spj_bin", "spj.cpp"), support)
        case _Check.COMPARE:
            pass
    for step in (compile_, run, check, steps):
        step.close()
    return Spj(compiled is _Compile.HPP, ran is _Run.SKIP, rule, interactor)


def _step(steps: Fields, key: str) -> Fields:
    """A step may be written as its type alone."""
    value = steps.anything(key, {})
    return steps.within(key, value if isinstance(value, dict) else {"Type": value})


def _tool(
    step: Fields, key: str, folder: Path, names: tuple[str, str], support: tuple[Path, ...]
) -> Tool:
    """A program by its path, or by one of the two names that it has where none is given."""
    if key in step:
        given = step.table(key)
        kind = given.word("Type", _Kind, _Kind.CPP)
        file = folder / given.text("Path")
        given.close()
    else:
        found = [folder / name for name in names if (folder / name).is_file()]
        if len(found) != 1:
            what = "both" if found else "neither"
            step.fault(key, f"there are {what} {names[0]} and {names[1]}: name one")
        file = found[0] if found else folder / names[1]
        kind = _Kind.BINARY if file.name == names[0] else _Kind.CPP
    if "/" in file.relative_to(folder).as_posix() or not file.is_file():
        step.fault(key, f'there is no file "{file.name}"')
    return Tool(file, Protocol.ACMOJ, beside=support, is_binary=kind is _Kind.BINARY)
