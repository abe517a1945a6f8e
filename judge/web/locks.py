"""A lock that holds between threads and between processes."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STEP_SECONDS = 0.02


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Holds the lock file at `path`; TimeoutError where others hold it longer than `seconds`.

    Asked for again and again, and not waited for: flock() would stop every green thread of the
    process. The lock ends with the descriptor, so a process that dies leaves nothing locked.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise TimeoutError(f"{path} is held by another") from None
                time.sleep(_STEP_SECONDS)
        yield
    finally:
        os.close(descriptor)
