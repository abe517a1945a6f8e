"""A worker's temporary files: all in one folder, which is removed when it ends. What a worker that
was killed left is removed when the next one on its machine starts.

A folder belongs to whoever holds the lock on it (flock(2)), and the lock ends with its process,
however that ends.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "adjudge-worker-"


@contextmanager
def scratch() -> Iterator[Path]:
    """Lets everything that this process makes by `tempfile` be in a new folder, and sweeps those of
    workers that are gone. OSError where no folder can be made."""
    parent = Path(tempfile.gettempdir())
    sweep(parent)
    folder, lock = _new(parent)
    tempfile.tempdir = str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = str(parent)
        shutil.rmtree(folder)
        os.close(lock)


def sweep(parent: Path) -> None:
    """Removes the folders in `parent` of workers of this user that are gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # of another user, or another worker is quicker
            if folder.lstat().st_uid == os.geteuid():
                lock = _lock(folder)
                try:
                    shutil.rmtree(folder)
                finally:
                    os.close(lock)


def _new(parent: Path) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        with suppress(FileNotFoundError, BlockingIOError):  # another worker sweeps just now
            lock = _lock(folder)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _lock(folder: Path) -> int:
    """A descriptor that holds the lock on a folder. BlockingIOError where another one does."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
