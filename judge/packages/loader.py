"""Finds out which format a package has, and loads it."""

from pathlib import Path
from types import ModuleType

from judge.model import Problem
from judge.packages import acmoj, icpc, native
from judge.packages.faults import Fault, Faults, PackageError
from judge.packages.solution import Solution

_FORMATS = (native, acmoj, icpc)


def tests_folder(package: Path) -> Path:
    """Where the hidden tests of a package lie if nothing else is said: `problems/NAME` has them in
    `data/NAME`; an ACMOJ package has them in itself, an ICPC package in `data` of its own."""
    package = package.resolve()
    if not (package / native.DEFINITION).is_file():
        if (package / acmoj.DEFINITION).is_file():
            return package
        if (package / icpc.DEFINITION).is_file():
            return package / "data"
    return package.parent.parent / "data" / package.name


def load(package: Path, tests: Path | None = None) -> Problem:
    """The problem that a package describes; its tests are in `tests`, or in `tests_folder`.

    PackageError with all that is wrong with it.
    """
    return read(package, tests, Faults())


def read(package: Path, tests: Path | None, faults: Faults) -> Problem:
    """As `load`; warnings are left in `faults`."""
    problem: Problem = _format(package).read(package, tests or tests_folder(package), faults)
    faults.raise_any()
    return problem


def solutions(package: Path, tests: Path | None = None) -> tuple[Solution, ...]:
    """The solutions that come with a package, of any format. PackageError."""
    format_, tests = _format(package), tests or tests_folder(package)
    found: tuple[Solution, ...] = format_.solutions(package, tests)
    return found


def is_native(package: Path) -> bool:
    """Whether a package is written in our own format."""
    return _format(package) is native


def find(folder: Path) -> Path:
    """The package in a folder: the folder itself, the one folder in it, or `problems/NAME` beside
    `data/NAME`. PackageError where there is none, or several."""
    candidates = [folder, *sorted(folder.glob("*")), *sorted(folder.glob("problems/*"))]
    found = [
        path for path in candidates if any((path / one.DEFINITION).is_file() for one in _FORMATS)
    ]
    if len(found) != 1:
        what = "several packages" if found else "no package"
        raise PackageError(Fault(folder, "", f"holds {what}"))
    return found[0]


def _format(package: Path) -> ModuleType:
    if package.is_file():
        reason = "is a file; a package is a folder (adjudge problem import takes zip archives)"
        raise PackageError(Fault(package, "", reason))
    if not package.is_dir():
        raise PackageError(Fault(package, "", "there is no such folder"))
    for format_ in _FORMATS:
        if (package / format_.DEFINITION).is_file():
            return format_
    names = ", ".join(format_.DEFINITION for format_ in _FORMATS)
    raise PackageError(Fault(package, "", f"holds none of {names}, so it is no package"))
