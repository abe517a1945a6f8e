"""The packages that a server or a worker keeps, by content hash: <hash>/package, <hash>/tests."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO

from backports import tarfile  # type: ignore[import-untyped]

from judge.model import Problem
from judge.packages import content_hash, load, tests_folder

_KEPT_LOADED = 64


class Shelf:
    """Packages in a folder. A version is written once, whole, and never changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._load = lru_cache(maxsize=_KEPT_LOADED)(self._load_from_disk)

    def put(
        self, package: Path, tests: Path | None = None, problem: Problem | None = None
    ) -> tuple[str, Problem]:
        """Takes a copy of a package, and returns its hash and what it describes, which is `problem`
        where that is known.

        Raises PackageError where it cannot be served; then nothing is kept.
        """
        tests = tests_folder(package) if tests is None else tests
        problem = problem or load(package, tests)
        name = content_hash(package, tests)
        if not (self._folder / name).is_dir():
            self._copy(package, tests, name)
        return name, problem

    def adopt(self, name: str, archive: IO[bytes]) -> None:
        """Takes in a package of that hash from a tar archive with `package/` and `tests/`.

        Raises OSError where its content is not that hash; then nothing is kept.
        """
        with self._new(name) as whole, tarfile.open(fileobj=archive, mode="r|") as tar:
            tar.extractall(whole, filter="data")

    def _copy(self, package: Path, tests: Path, name: str) -> None:
        with self._new(name) as whole:
            for source, target in ((package, "package"), (tests, "tests")):
                shutil.copytree(
                    source,
                    whole / target,
                    symlinks=True,
                    ignore=shutil.ignore_patterns("__pycache__"),
                )

    @contextmanager
    def _new(self, name: str) -> Iterator[Path]:
        """A folder to fill; what is in it at the end becomes the package of that hash."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self._folder) as new:
            whole = Path(new) / name
            whole.mkdir()
            yield whole
            if content_hash(whole / "package", whole / "tests") != name:
                raise OSError(f"what was to be package {name} is something else")
            try:
                whole.rename(self._folder / name)
            except OSError:  # somebody else was quicker
                if not (self._folder / name).is_dir():
                    raise

    def folder(self, name: str) -> Path:
        """Where the package of that hash lies. Raises KeyError where it is not kept."""
        folder = self._folder / name
        if not folder.is_dir():
            raise KeyError(name)
        return folder

    def get(self, name: str) -> Problem:
        """The problem of that hash. Raises KeyError where it is not kept, or PackageError."""
        return self._load(name)

    def _load_from_disk(self, name: str) -> Problem:
        folder = self.folder(name)
        return load(folder / "package", folder / "tests")
