"""Waiting for submissions to change: one loop a process looks for all who wait.

It reads the rows, and not a channel of Redis: what is in the database has happened, whatever was
lost on the way. It looks only while somebody waits, and never spends more than a twentieth of its
time on looking, however many wait.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from judge.store import Database, Unavailable
from judge.store.progress import Progress, progress

STEP_SECONDS = 0.025
LONGEST_STEP_SECONDS = 1.0
SHARE = 20

log = logging.getLogger(__name__)


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
    """All who wait in this process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._lock = threading.Lock()
        self._waiting: defaultdict[int, set[Changes]] = defaultdict(set)
        self._looking = False

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
            yield changes
        finally:
            with self._lock:
                self._waiting[submission_id].discard(changes)
                if not self._waiting[submission_id]:
                    del self._waiting[submission_id]

    def _look(self) -> None:
        while True:
            with self._lock:
                waiting = {number: list(all_) for number, all_ in self._waiting.items()}
                if not waiting:
                    self._looking = False
                    return
            began = time.thread_time()
            try:
                for number, found in progress(self._db, waiting).items():
                    for changes in waiting[number]:
                        changes.tell(found)
            except Unavailable as error:  # away for a while: those who wait go on waiting
                log.warning("the database cannot be watched: %s", error)
            # Of CPU time: that the machine is busy elsewhere must not make anybody wait longer.
            spent = time.thread_time() - began
            time.sleep(min(max(STEP_SECONDS, SHARE * spent), LONGEST_STEP_SECONDS))
