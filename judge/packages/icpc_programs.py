"""The programs of an ICPC package: each is a source file, or a folder of sources, or a folder with
scripts `build` and `run`."""

from collections.abc import Iterator
from pathlib import Path

from judge.model import Limits, Protocol, Tool
from judge.packages.faults import Faults

OUTPUT_VALIDATORS = ("output_validator", "output_validators")
INPUT_VALIDATORS = ("input_validators", "input_validator", "input_format_validators")
_C = (".cpp", ".cc", ".cxx", ".c++", ".C", ".c")
_SOURCES = (".py", *_C)
_MAINS = ("validate", "validator", "output_validator", "input_validator", "main", "__main__")
_SCRIPTS = ("build", "run")
_GRAMMARS = (".ctd", ".viva")


def output_validator(
    package: Path, arguments: tuple[str, ...], limits: Limits, faults: Faults
) -> Tool | None:
    """The one output validator, or None where there is none."""
    single, several = (package / name for name in OUTPUT_VALIDATORS)
    entries = _entries(single)
    if not entries:
        entries = _entries(several)
        programs = [entry for entry in entries if entry.is_dir() or entry.suffix in _SOURCES]
        if len(programs) > 1:
            names = ", ".join(entry.name for entry in programs)
            faults.add(several, "", f"there must be one output validator, not {names}")
    if len(entries) == 1 and entries[0].is_dir():
        entries = _entries(entries[0])
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
                elif entry.is_dir():
                    faults.warn(entry, "", "is not run: it holds neither sources nor build or run")


def _program(
    files: list[Path], arguments: tuple[str, ...], limits: Limits, faults: Faults
) -> Tool | None:
    """The program of these files and folders; None where there is none among them."""
    scripts = [file for name in _SCRIPTS for file in files if file.name == name and file.is_file()]
    sources = [file for file in files if file.suffix in _SOURCES and file.is_file()]
    if not scripts and not sources:
        return None
    mains = [file for file in sources if file.stem in _MAINS]
    main = scripts[0] if scripts else mains[0] if len(mains) == 1 else sources[0]
    together: tuple[Path, ...] = ()
    if not scripts and main.suffix in _C:
        together = tuple(file for file in sources if file != main and file.suffix in _C)
        if main.suffix == ".c" and any(file.suffix != ".c" for file in together):
            # C++ compiles both.
            main = next(file for file in together if file.suffix != ".c")
            together = tuple(file for file in sources if file != main and file.suffix in _C)
    elif not scripts and len(sources) > 1 and len(mains) != 1:
        names = ", ".join(file.name for file in sources)
        faults.add(main.parent, "", f"which of {names} is the validator?")
    beside = tuple(file for file in files if file != main and file not in together)
    return Tool(
        main,
        Protocol.ICPC,
        beside if scripts else tuple(file for file in beside if file.is_file()),
        together,
        arguments,
        limits,
        is_scripted=bool(scripts),
    )


def _entries(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.glob("*") if not entry.name.startswith("."))
