"""Packages in and out: any format becomes a native package, and a native one an archive."""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from judge.model import Problem
from judge.packages.archive import pack, unpack
from judge.packages.faults import Fault, PackageError
from judge.packages.loader import find, is_native, load, solutions, tests_folder
from judge.packages.solution import Solution
from judge.packages.writer import write

Timed = Callable[[Problem, tuple[Solution, ...]], Problem]
"""Gives a problem its time limit, by its solutions."""

STARTER = "starter"
_ATTACHMENTS = "attachments"
_CACHES = shutil.ignore_patterns("__pycache__")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LONGEST_NAME = 100


def is_name(name: str) -> bool:
    """Whether a problem may be called so: it is a folder's name and part of an address."""
    return len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None


def import_package(
    source: Path, problems: Path, data: Path, name: str | None = None, timed: Timed | None = None
) -> tuple[Path, Path]:
    """Turn a package of any format, a folder or a zip archive, into a native one: the folders
    `problems/NAME` and `data/NAME`. PackageError, and then nothing is written.

    `timed` finds the time limit of a package that names none.
    """
    problems.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=".import-", dir=problems) as scratch,
        ExitStack() as stack,
    ):
        folder = source
        if source.is_file():
            folder = Path(scratch) / "unpacked"
            unpack(source, folder)
            stack.enter_context(_as_in(source, folder))
        folder = find(folder)
        slug = name or (source.stem if folder.parent == Path(scratch) else folder.resolve().name)
        if not is_name(slug):
            raise PackageError(Fault(source, "", f'"{slug}" is no name for a problem: use --name'))
        package, tests = problems / slug, data / slug
        for target in (package, tests):
            if target.exists():
                raise PackageError(Fault(target, "", "is there already"))
        problem = load(folder)
        new_package, new_tests = Path(scratch) / "problems" / slug, Path(scratch) / "data" / slug
        if is_native(folder):
            for source_folder, target in ((folder, new_package), (tests_folder(folder), new_tests)):
                shutil.copytree(source_folder, target, symlinks=True, ignore=_CACHES)
        else:
            if timed is not None:
                problem = timed(problem, solutions(folder))
            write(problem, solutions(folder), new_package, new_tests)
            if (folder / _ATTACHMENTS).is_dir():
                shutil.copytree(folder / _ATTACHMENTS, new_package / STARTER, symlinks=True)
        load(new_package, new_tests)
        data.mkdir(parents=True, exist_ok=True)
        shutil.move(new_tests, tests)  # it may be another file system
        new_package.rename(package)
    return package, tests


@contextmanager
def _as_in(archive: Path, unpacked: Path) -> Iterator[None]:
    """Let faults name the places in the archive, and not those where it was unpacked."""
    try:
        yield
    except PackageError as error:
        faults = [
            replace(fault, file=archive / fault.file.relative_to(unpacked))
            if fault.file.is_relative_to(unpacked)
            else fault
            for fault in error.faults
        ]
        raise PackageError(*faults) from error


def export_package(package: Path, tests: Path | None, archive: Path) -> None:
    """Write a package into a zip archive, as `problems/NAME`, and its tests as `data/NAME` where
    they are not in it.

    PackageError where it is not sound, or the archive is there already.
    """
    load(package, tests)
    name, tests = package.resolve().name, tests or tests_folder(package)
    folders = [(package, f"problems/{name}")]
    if not tests.resolve().is_relative_to(package.resolve()):
        folders.append((tests, f"data/{name}"))
    try:
        pack(folders, archive)
    except FileExistsError as error:
        raise PackageError(Fault(archive, "", "is there already")) from error
