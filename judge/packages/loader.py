"""Finds out which format a package has, and loads it."""

from pathlib import Path

from judge.model import Problem
from judge.packages import native
from judge.packages.faults import Fault, PackageError
from judge.packages.solution import Solution


def tests_folder(package: Path) -> Path:
    """Where the hidden tests of a package lie if nothing else is said: `problems/NAME` has them in
    `data/NAME`."""
    package = package.resolve()
    return package.parent.parent / "data" / package.name


def load(package: Path, tests: Path | None = None) -> Problem:
    """The problem that a package describes; its tests are in `tests`, or in `tests_folder`.

    PackageError with all that is wrong with it.
    """
    if not package.is_dir():
        raise PackageError(Fault(package, "", "there is no such folder"))
    tests = tests_folder(package) if tests is None else tests
    if (package / native.DEFINITION).is_file():
        return native.load(package, tests)
    raise PackageError(Fault(package, "", f"no {native.DEFINITION} in this folder"))


def solutions(package: Path) -> tuple[Solution, ...]:
    """The solutions that come with a package, of any format. PackageError."""
    if (package / native.DEFINITION).is_file():
        return native.solutions(package)
    raise PackageError(Fault(package, "", f"no {native.DEFINITION} in this folder"))
