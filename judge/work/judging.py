"""One judging through the judge: claimed, graded, written down."""

import logging
import threading
from pathlib import Path

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
from judge.store.judgings import ATTEMPTS, Work
from judge.work.scribe import Scribe
from judge.work.shelf import Shelf

log = logging.getLogger(__name__)

OUR_FAULT = (
    "The judge failed while it judged this submission. This is not the fault of the submission,"
    " and it does not count. The operator finds the reason in the worker's log."
)


class Bench:
    """Judges one submission after the other in one slot."""

    def __init__(self, db: Database, shelf: Shelf, git: Path, slot: Slot, owner: str) -> None:
        self._db = db
        self._shelf = shelf
        self._git = git
        self._slot = slot
        self._owner = owner
        self._lock = threading.Lock()
        self._cancel: Cancel | None = None
        self._scribe: Scribe | None = None
        self._stopping = False

    def judge(self, judging_id: int) -> None:
        """Judges it, unless somebody else does or did. A fault of ours leaves it waiting for the
        next attempt; nothing is raised for it."""
        work = judgings.claim(self._db, judging_id, self._owner)
        if work is None:
            return
        cancel = Cancel()
        with Scribe(self._db, work.lease, on_lost=cancel.cancel) as scribe:
            with self._lock:
                self._cancel, self._scribe = cancel, scribe
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
                log.exception("judging %d, attempt %d failed", judging_id, work.lease.attempt)
                scribe.fail(OUR_FAULT)
            else:
                if outcome.verdict is Verdict.SYSTEM_ERROR and work.lease.attempt < ATTEMPTS:
                    log.error("judging %d failed: %s", judging_id, outcome.message)
                    scribe.fail(OUR_FAULT)
                else:
                    scribe.finish(outcome)
            finally:
                with self._lock:
                    self._cancel = self._scribe = None

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
        problem = self._shelf.get(work.package)
        for event in grade(problem, self._source(work), self._slot, cancel):
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

    def _source(self, work: Work) -> SourceText | SourceCommit:
        submission = work.submission
        if work.text is not None:
            return SourceText(submission.language, work.text)
        if submission.repository is None or submission.commit is None:
            raise RuntimeError(f"submission {submission.id} has no source")
        return SourceCommit(self._git / submission.repository, submission.commit)
