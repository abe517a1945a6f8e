"""Writes a judging down while it is graded, keeps its lease, and notices when it is taken away.

Grading never waits for the disk: results are handed to a thread, which writes together what comes
in within a moment; what is over in a moment is written once, at its end. A database that is away
(restarted, disk full) is waited for: the lease is checked by its token, so that results written
late are either ours still, or dropped.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Self

from judge.model import Outcome, State, TestResult
from judge.store import Database, LeaseLost, Unavailable, judgings
from judge.store.judgings import Lease

_GATHER_S = 0.1
"""How long news is held back, so that more of it goes into one transaction."""
_LOOK_S = 0.3
"""How often the lease is looked at: an abort must be noticed within a second."""
_RENEWALS = 3
"""How often a lease is renewed before it would run out."""
_RETRY_S = 0.5

log = logging.getLogger(__name__)


class Scribe:
    """A context in which one judging is graded; `on_lost` is called when it must end, and `strike`
    with its submission when something new is written down."""

    def __init__(
        self,
        db: Database,
        lease: Lease,
        on_lost: Callable[[], None],
        strike: Callable[[int], None],
    ) -> None:
        self._db = db
        self._lease = lease
        self._on_lost = on_lost
        self._strike = strike
        self._news = threading.Condition()
        self._state: State | None = None
        self._results: list[TestResult] = []
        self._closing = False
        self._abandoned = False
        self.lost = False
        """The judging is not ours any more."""
        self.failed = False
        """Results could not be written, by a fault of ours."""
        self._thread = threading.Thread(target=self._keep, name="scribe", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def enter(self, state: State) -> None:
        """The judging has come that far."""
        with self._news:
            self._state = state
            self._news.notify()

    def record(self, result: TestResult) -> None:
        """A test has ended."""
        with self._news:
            self._results.append(result)
            self._news.notify()

    def finish(self, outcome: Outcome) -> None:
        """Writes the outcome, with all that is not written yet, and waits until it is there."""
        self._stop()
        if not self.lost:
            results = self._results
            self._write(lambda: judgings.finish(self._db, self._lease, outcome, results))

    def fail(self, message: str) -> None:
        """Writes that a fault of ours ended the attempt."""
        self._stop()
        if not self.lost:
            self._write(lambda: judgings.fail(self._db, self._lease, message))

    def give_back(self) -> None:
        """Hands the judging back unfinished, for another worker."""
        self._stop()
        if not self.lost:
            self._write(lambda: judgings.give_back(self._db, self._lease))

    def abandon(self) -> None:
        """From any thread: no longer wait for a database that is away."""
        self._abandoned = True

    def _stop(self) -> None:
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join()

    def _keep(self) -> None:
        renewed = time.monotonic()
        while not self._closing:
            with self._news:
                if self._news.wait_for(self._has_news, _LOOK_S):
                    self._news.wait_for(lambda: self._closing, _GATHER_S)
                if self._closing:
                    return
                state = self._state
                count = len(self._results)
            try:
                if state is not None:
                    judgings.enter(self._db, self._lease, state)
                    self._entered(state)
                if count:
                    judgings.record(self._db, self._lease, self._results[:count])
                    del self._results[:count]
                if state is not None or count:
                    self._strike(self._lease.submission_id)
                else:
                    if time.monotonic() - renewed <= self._lease.seconds / _RENEWALS:
                        judgings.check(self._db, self._lease)
                        continue
                    judgings.renew(self._db, self._lease)
                renewed = time.monotonic()
            except LeaseLost:
                self.lost = True
                self._on_lost()
                return
            except Unavailable as error:
                log.warning(
                    "judging %d: the database is away: %s", self._lease.judging_id, error.detail
                )
                time.sleep(_RETRY_S)
            except Exception:
                log.exception("judging %d cannot be written down", self._lease.judging_id)
                self.failed = True
                self._on_lost()
                return

    def _entered(self, state: State) -> None:
        with self._news:
            if self._state is state:
                self._state = None

    def _has_news(self) -> bool:
        return self._closing or self._state is not None or bool(self._results)

    def _write(self, action: Callable[[], object]) -> None:
        """Does it as soon as the database is there. An answer that was lost on the way shows as a
        lost lease the second time: then it is written."""
        while True:
            try:
                action()
                self._strike(self._lease.submission_id)
            except LeaseLost:
                self.lost = True
            except Unavailable as error:
                log.warning(
                    "judging %d: the database is away: %s", self._lease.judging_id, error.detail
                )
                if not self._abandoned:
                    time.sleep(_RETRY_S)
                    continue
            return
