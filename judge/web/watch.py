"""Waiting for submissions to change: one loop a process looks for all who wait.

What it tells comes from the rows: what is in the database has happened. The chimes only say when to
look, and for which submission; as any of them may be lost, it looks for all who wait every now and
then as well. It looks only while somebody waits, and this takes no more than a twentieth of its
time, however many wait. It listens for a while longer: the next who waits is mostly not far.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, Self

from judge.store import Database, Unavailable
from judge.store.progress import Progress, progress

STEP_SECONDS = 0.5
DEAF_STEP_SECONDS = 0.025
LONGEST_STEP_SECONDS = 1.0
LINGER_SECONDS = 2.0
SHARE = 20

log = logging.getLogger(__name__)


class Ear(Protocol):
    """Hears the chimes while it is entered (`work.chimes.Ear`)."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def hear(self, seconds: float, /) -> set[int] | None: ...


class Chimes(Protocol):
    """Say which submissions changed (`work.Chimes`)."""

    def listen(self) -> Ear: ...


class Changes:
    """What happens to one submission, as one waiter sees it."""

    def __init__(self) -> None:
        self._news = threading.Event()
        self._last: Progress | None = None

    def next(self, seconds: float) -> Progress | None:
        """The newest progress, as soon as it differs from the last one that was handed out (at
        first: at once). None after `seconds` without a change."""
        if not self._news.wait(max(seconds, 0)):
            return None
        self._news.clear()
        return self._last

    def tell(self, found: Progress) -> None:
        if found != self._last:
            self._last = found
            self._news.set()


class Watch:
    """All who wait in this process. `step_seconds`: how often it looks for all of them;
    `linger_seconds`: how long it listens when nobody waits any more."""

    def __init__(
        self,
        db: Database,
        chimes: Chimes,
        step_seconds: float = STEP_SECONDS,
        linger_seconds: float = LINGER_SECONDS,
    ) -> None:
        self._db = db
        self._chimes = chimes
        self._step_seconds = step_seconds
        self._linger_seconds = linger_seconds
        self._lock = threading.Lock()
        self._waiting: defaultdict[int, set[Changes]] = defaultdict(set)
        self._looking = False
        self._last_wait = 0.0

    @contextmanager
    def changes(self, submission_id: int) -> Iterator[Changes]:
        """Follow a submission."""
        changes = Changes()
        with self._lock:
            self._waiting[submission_id].add(changes)
            if not self._looking:
                self._looking = True
                threading.Thread(target=self._look, name="watch", daemon=True).start()
        try:
            self._tell([submission_id])
            yield changes
        finally:
            with self._lock:
                self._waiting[submission_id].discard(changes)
                if not self._waiting[submission_id]:
                    del self._waiting[submission_id]
                self._last_wait = time.monotonic()

    def _look(self) -> None:
        try:
            self._look_while_wanted()
        except BaseException:
            with self._lock:
                self._looking = False  # the next who waits begins anew
            raise

    def _look_while_wanted(self) -> None:
        with self._chimes.listen() as ear:
            while (waiting := self._who_waits()) is not None:
                # Of CPU time: that the machine is busy elsewhere must not make anybody wait longer.
                began = time.thread_time()
                self._tell(waiting)
                spent = time.thread_time() - began
                self._listen(ear, min(SHARE * spent, LONGEST_STEP_SECONDS))

    def _who_waits(self) -> list[int] | None:
        """None where nobody has for a while, so that it is time to go."""
        with self._lock:
            self._looking = self._is_wanted()
            return list(self._waiting) if self._looking else None

    def _is_wanted(self) -> bool:
        return bool(self._waiting) or time.monotonic() < self._last_wait + self._linger_seconds

    def _listen(self, ear: Ear, pause: float) -> None:
        """Look for those that a chime is struck for, until it is time to look for all."""
        end = time.monotonic() + max(pause, self._step_seconds)
        while self._is_wanted() and (left := end - time.monotonic()) > 0:
            heard = ear.hear(left)
            if heard is None:
                time.sleep(max(pause, DEAF_STEP_SECONDS))
                return
            self._tell(heard)

    def _tell(self, numbers: Iterable[int]) -> None:
        with self._lock:
            waiting = {
                number: list(self._waiting[number]) for number in numbers if number in self._waiting
            }
        if not waiting:
            return
        try:
            found = progress(self._db, waiting)
        except Unavailable as error:  # away for a while: those who wait go on waiting
            log.warning("the database cannot be watched: %s", error)
            return
        for number, its in found.items():
            for changes in waiting[number]:
                changes.tell(its)
