"""No order of events admits more than the cap, or loses a slot."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from judge.model import Outcome, Verdict
from judge.store import (
    CapReached,
    Database,
    Refused,
    judgings,
    problems,
    rejudges,
    submissions,
    users,
)
from judge.store.judgings import Lease
from judge.store.rejudges import Which
from tests.store.conftest import PACKAGE

CAP = 3
FREE = {"system_error", "bad_problem", "void"}


class Caps(RuleBasedStateMachine):
    """Submit, judge, abort, rejudge, void and fail in any order, against a count kept by hand.

    The count by hand: a submission spends a slot until it is known not to count; then it never
    spends one again.
    """

    held = Bundle("leases")

    def __init__(self, template: Path) -> None:
        super().__init__()
        self.template = template

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.db = Database(f"sqlite:///{shutil.copy(self.template, self.folder.name)}")
        self.user = users.add(self.db, "mina")
        self.problem = problems.put(self.db, PACKAGE, "a" * 64, cap=CAP)
        self.spent: set[int] = set()
        self.begun: set[int] = set()

    def teardown(self) -> None:
        self.db.close()
        self.folder.cleanup()

    @rule()
    def submit(self) -> None:
        source = submissions.Text(b"")
        try:
            submission, _ = submissions.admit(self.db, self.user, self.problem, "python", source)
        except CapReached:
            assert len(self.spent) == CAP, "a slot is lost"
        else:
            assert len(self.spent) < CAP, "one too many was admitted"
            self.spent.add(submission.id)

    @rule(target=held, data=st.data())
    def claim(self, data: st.DataObject) -> object:
        waiting = judgings.waiting(self.db)
        if not waiting:
            return multiple()
        judging = data.draw(st.sampled_from(waiting))
        work = judgings.claim(self.db, judging.id, "worker")
        assert work is not None
        self.begun.add(work.submission.id)
        return work.lease

    @rule(lease=held, verdict=st.sampled_from([v for v in Verdict if v is not Verdict.ABORTED]))
    def finish(self, lease: Lease, verdict: Verdict) -> None:
        try:
            judgings.finish(self.db, lease, Outcome(verdict))
        except judgings.LeaseLost:
            return
        self._follow(lease.submission_id)

    @rule(lease=held)
    def fail(self, lease: Lease) -> None:
        try:
            judgings.fail(self.db, lease, "broken")
        except judgings.LeaseLost:
            return
        self._follow(lease.submission_id)

    @rule(lease=held)
    def hand_back(self, lease: Lease) -> None:
        judgings.give_back(self.db, lease)

    @rule(data=st.data())
    def abort(self, data: st.DataObject) -> None:
        number = self._any(data)
        if number is None:
            return
        first = submissions.get(self.db, number)
        try:
            judgings.abort(self.db, number, self.user)
        except Refused:
            return
        if first.judging.started_at is None:
            self.spent.discard(number)

    @rule(data=st.data(), apply=st.booleans())
    def rejudge(self, data: st.DataObject, apply: bool) -> None:
        number = self._any(data)
        if number is None:
            return
        try:
            rejudges.start(self.db, Which(submissions=(number,)), "", None, apply=apply)
        except Refused:
            assert submissions.get(self.db, number).submission.status in {"void", "aborted"}

    @rule()
    def apply(self) -> None:
        for rejudge in rejudges.latest(self.db):
            try:
                rejudges.apply(self.db, rejudge.id, None)
            except Refused:
                continue
            for one in rejudges.preview(self.db, rejudge.id).differences:
                self._follow(one.submission_id)

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        number = self._any(data)
        if number is not None:
            submissions.void(self.db, number, "", None)
            self.spent.discard(number)

    @invariant()
    def the_count_is_right(self) -> None:
        charged = {
            view.submission.id
            for view in submissions.page(self.db, size=1000).views
            if view.submission.charged
        }
        assert charged == self.spent
        assert len(charged) <= CAP

    def _any(self, data: st.DataObject) -> int | None:
        numbers = [view.submission.id for view in submissions.page(self.db, size=1000).views]
        return data.draw(st.sampled_from(numbers)) if numbers else None

    def _follow(self, submission_id: int) -> None:
        if submissions.get(self.db, submission_id).submission.status in FREE:
            self.spent.discard(submission_id)


def test_caps(sqlite_template: Path) -> None:
    run_state_machine_as_test(
        lambda: Caps(sqlite_template),
        settings=settings(
            max_examples=30,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
