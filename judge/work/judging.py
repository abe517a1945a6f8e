"""One judging through the judge: claimed, graded, written down."""

import logging
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from judge.grading import (
    Cancel,
    Cancelled,
    Compiling,
    Finished,
    Judging,
    Slot,
    SourceCommit,
    SourceText,
    TestFinished,
    grade,
)
from judge.model import Outcome, State, Verdict
from judge.store import Database, judgings
from judge.store import Judging as Row
from judge.store.judgings import ATTEMPTS, Work
from judge.work.scribe import Scribe
from judge.work.stock import Stock

log = logging.getLogger(__name__)

OUR_FAULT = (
    "The judge failed while it judged this submission. This is not the fault of the submission,"
    " and it does not count. The operator finds the reason in the worker's log."
)


@dataclass(frozen=True, slots=True)
class Offer:
    """The languages that a worker judges, and what takes a judging in another one off its hands."""

    languages: Collection[str]
    hand_on: Callable[[Row, str], object]


class Bench:
    """Judges one submission after the other in one slot."""

    def __init__(
        self,
        db: Database,
        stock: Stock,
        slot: Slot,
        owner: str,
        offer: Offer | None = None,
        strike: Callable[[int], None] = lambda _: None,
        lease_seconds: float = judgings.LEASE_SECONDS,
    ) -> None:
        """`strike` is called with a submission when something new of it is written down."""
        self._db = db
        self._stock = stock
        self._slot = slot
        self._owner = owner
        self._offer = offer
        self._strike = strike
        self._lease_seconds = lease_seconds
        self._lock = threading.Lock()
        self._cancel: Cancel | None = None
        self._scribe: Scribe | None = None
        self._stopping = False
        self.judging_id: int | None = None
        """What is being judged."""

    def judge(self, judging_id: int) -> None:
        """Judges it, unless somebody else does or did. A fault of ours leaves it waiting for the
        next attempt; nothing is raised for it."""
        offer = self._offer
        languages = offer.languages if offer else None
        work = judgings.claim(self._db, judging_id, self._owner, languages, self._lease_seconds)
        if work is None:
            if offer and (left := judgings.left_to_others(self._db, judging_id, offer.languages)):
                offer.hand_on(*left)
            return
        cancel = Cancel()
        with Scribe(self._db, work.lease, cancel.cancel, self._strike) as scribe:
            with self._lock:
                self._cancel, self._scribe, self.judging_id = cancel, scribe, judging_id
                if self._stopping:
                    cancel.cancel()
            try:
                outcome = self._grade(work, cancel, scribe)
            except Cancelled:
                if scribe.failed:
                    scribe.fail(OUR_FAULT)
                else:
                    scribe.give_back()  # nothing is written where it was aborted
            except Exception:
                log.exception("judging failed", extra=_names(work))
                scribe.fail(OUR_FAULT)
            else:
                if outcome.verdict is Verdict.SYSTEM_ERROR and work.lease.attempt < ATTEMPTS:
                    log.error("judging failed: %s", outcome.message, extra=_names(work))
                    scribe.fail(OUR_FAULT)
                else:
                    scribe.finish(outcome)
                    # An operator must see it: participants are not told why.
                    is_bad = outcome.verdict is Verdict.BAD_PROBLEM
                    names = _names(work) | {"verdict": outcome.verdict.value}
                    log.log(logging.ERROR if is_bad else logging.INFO, "judged", extra=names)
            finally:
                with self._lock:
                    self._cancel = self._scribe = self.judging_id = None

    def stop(self) -> None:
        """From any thread: hands back what is being judged, and judges nothing more."""
        with self._lock:
            self._stopping = True
            if self._scribe is not None:
                self._scribe.abandon()
            cancel = self._cancel
        if cancel is not None:
            cancel.cancel()

    def _grade(self, work: Work, cancel: Cancel, scribe: Scribe) -> Outcome:
        problem = self._stock.package(work.package)
        with self._source(work) as source:
            for event in grade(problem, source, self._slot, cancel):
                match event:
                    case Compiling():
                        scribe.enter(State.COMPILING)
                    case Judging():
                        scribe.enter(State.JUDGING)
                    case TestFinished(result):
                        scribe.record(result)
                    case Finished(outcome):
                        return outcome
        raise RuntimeError("grading ended without an outcome")

    @contextmanager
    def _source(self, work: Work) -> Iterator[SourceText | SourceCommit]:
        submission = work.submission
        if work.text is not None:
            yield SourceText(submission.language, work.text)
        elif submission.commit is not None:
            with self._stock.repository(submission) as repository:
                yield SourceCommit(repository, submission.commit)
        else:
            raise RuntimeError(f"submission {submission.id} has no source")


def _names(work: Work) -> dict[str, int]:
    """What a line of the log is about."""
    lease = work.lease
    return {
        "submission": lease.submission_id,
        "judging": lease.judging_id,
        "attempt": lease.attempt,
    }
