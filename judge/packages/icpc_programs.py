"""The programs of an ICPC package: each is a source file, or a folder with one main file."""

from collections.abc import Iterator
from pathlib import Path

from judge.model import Limits, Protocol, Tool
from judge.packages.faults import Faults

OUTPUT_VALIDATORS = ("output_validator", "output_validators")
INPUT_VALIDATORS = ("input_validators", "input_validator", "input_format_validators")
_SOURCES = (".py", ".cpp", ".cc", ".c")
_MAINS = ("validate", "validator", "output_validator", "input_validator", "main", "__main__")
_GRAMMARS = (".ctd", ".viva")


def output_validator(
    package: Path, arguments: tuple[str, ...], limits: Limits, faults: Faults
) -> Tool | None:
    """The one output validator, or None where there is none."""
    entries = [entry for name in OUTPUT_VALIDATORS for entry in _entries(package / name)]
    if len(entries) == 1 and entries[0].is_dir():
        entries = list(_entries(entries[0]))
    return _program(entries, arguments, limits, faults)


def input_validators(package: Path, limits: Limits, faults: Faults) -> Iterator[Tool]:
    """All input validators. What lies beside them and is no program is beside each of them."""
    for name in INPUT_VALIDATORS:
        entries = _entries(package / name)
        others = [entry for entry in entries if entry.is_file() and entry.suffix not in _SOURCES]
        for entry in entries:
            if entry.suffix in _GRAMMARS:
                faults.warn(entry, "", "is not run: there is nothing here that reads its language")
            elif entry.is_dir() or entry.suffix in _SOURCES:
                files = _entries(entry) if entry.is_dir() else [entry, *others]
                if (tool := _program(files, (), limits, faults)) is not None:
                    yield tool


def _program(
    files: list[Path], arguments: tuple[str, ...], limits: Limits, faults: Faults
) -> Tool | None:
    """The program of these files; None where no source is among them."""
    sources = [file for file in files if file.suffix in _SOURCES]
    if not sources:
        return None
    named = [file for file in sources if file.stem in _MAINS]
    sources = named if len(named) == 1 else sources
    if len(sources) > 1:
        names = ", ".join(file.name for file in sources)
        faults.add(sources[0].parent, "", f"which of {names} is the validator?")
    beside = tuple(file for file in files if file != sources[0] and file.is_file())
    return Tool(sources[0], Protocol.ICPC, beside, arguments, limits)


def _entries(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.glob("*") if not entry.name.startswith("."))
