from dataclasses import replace

import pytest

from judge.model import State, Usage, Verdict
from judge.store import LeaseLost, Refused, judgings, results, scan
from judge.store.judgings import ATTEMPTS
from tests.store.conftest import Desk, MakeOutcome, MakeResult


def test_a_judging_is_claimed_once(desk: Desk) -> None:
    _, judging = desk.admit(b"source")

    work = judgings.claim(desk.db, judging.id, "worker 1")

    assert work is not None
    assert (work.text, work.package, work.problem.slug) == (b"source", "a" * 64, "sum")
    assert work.lease.attempt == 1
    assert judgings.claim(desk.db, judging.id, "worker 2") is None
    assert judgings.claim(desk.db, 99, "worker 2") is None
    assert judgings.waiting(desk.db) == []


def test_a_poller_sees_how_far_it_is(desk: Desk, result: MakeResult, outcome: MakeOutcome) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)
    seen = [desk.view(submission).submission.status]
    for state in (State.COMPILING, State.JUDGING):
        judgings.enter(desk.db, lease, state)
        seen.append(desk.view(submission).submission.status)

    judgings.record(desk.db, lease, [result("1")])
    tests, groups = results.of(desk.db, judging.id)
    assert [test.test for test in tests] == ["1"]
    assert groups == []

    judgings.finish(desk.db, lease, outcome(Verdict.WRONG_ANSWER), [result("2")])
    view = desk.view(submission)
    seen.append(view.submission.status)
    assert seen == ["pending", "compiling", "judging", "wrong_answer"]
    assert (view.judging.score, view.judging.cpu_ns, view.judging.memory_bytes) == (
        0,
        10_000_000,
        1 << 20,
    )
    assert view.judging.finished_at is not None
    tests, groups = results.of(desk.db, judging.id)
    assert [test.test for test in tests] == ["1", "2"]
    assert [(group.group_id, group.name, group.points, group.tests) for group in groups] == [
        ("1", "All", 100, ["1", "2"])
    ]


def test_a_raw_score_and_the_look_that_does_not_count_are_kept(
    desk: Desk, result: MakeResult, outcome: MakeOutcome
) -> None:
    _, judging = desk.admit()
    lease = desk.claim(judging)
    other = Usage(cpu_ns=7, wall_ns=8, memory_bytes=0, disk_bytes=0, files=0)
    scored = replace(result("1"), raw=136.5, other_look=other, judge_message="too large")
    judgings.finish(desk.db, lease, outcome(), [scored, result("2")])

    tests, _ = results.of(desk.db, judging.id)
    assert [(test.raw_score, test.other_cpu_ns, test.other_wall_ns) for test in tests] == [
        (136.5, 7, 8),
        (None, None, None),
    ]
    assert [test.judge_message for test in tests] == ["too large", None]
    assert next(scan.results_of_tests(desk.db)).raw_score == 136.5


def test_results_written_twice_are_kept_once(
    desk: Desk, result: MakeResult, outcome: MakeOutcome
) -> None:
    _, judging = desk.admit()
    lease = desk.claim(judging)

    judgings.record(desk.db, lease, [result("1")])
    judgings.record(desk.db, lease, [result("1"), result("2")])
    judgings.finish(desk.db, lease, outcome(), [result("2")])

    assert len(results.of(desk.db, judging.id)[0]) == 2
    with pytest.raises(LeaseLost):
        judgings.finish(desk.db, lease, outcome())


def test_messages_are_cut_and_cleaned(desk: Desk, result: MakeResult) -> None:
    _, judging = desk.admit()
    lease = desk.claim(judging)

    judgings.record(desk.db, lease, [result("1", message="\0\ud800" + "x" * 10**7)])

    [test] = results.of(desk.db, judging.id)[0]
    assert test.message.startswith("\ufffd\ufffdxxx")
    assert len(test.message) == 16384


def test_a_result_that_comes_after_the_lease_ran_out_is_dropped(
    desk: Desk, result: MakeResult, outcome: MakeOutcome
) -> None:
    submission, judging = desk.admit()
    old = desk.claim(judging)
    judgings.record(desk.db, old, [result("1", Verdict.WRONG_ANSWER)])
    desk.expire(judging)
    new = judgings.claim(desk.db, judging.id, "worker 2")
    assert new is not None
    assert new.lease.attempt == 2
    assert results.of(desk.db, judging.id) == ([], [])

    for write in (
        lambda: judgings.enter(desk.db, old, State.JUDGING),
        lambda: judgings.record(desk.db, old, [result("2")]),
        lambda: judgings.renew(desk.db, old),
        lambda: judgings.check(desk.db, old),
        lambda: judgings.fail(desk.db, old, "broken"),
        lambda: judgings.finish(desk.db, old, outcome(Verdict.WRONG_ANSWER)),
    ):
        with pytest.raises(LeaseLost, match=f"judging {judging.id}"):
            write()
    judgings.give_back(desk.db, old)

    judgings.check(desk.db, new.lease)
    judgings.finish(desk.db, new.lease, outcome())
    assert desk.view(submission).submission.status == "accepted"


def test_a_lease_that_ran_out_but_was_not_taken_still_writes(
    desk: Desk, outcome: MakeOutcome
) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)
    desk.expire(judging)

    judgings.finish(desk.db, lease, outcome())

    assert desk.view(submission).submission.status == "accepted"


def test_the_work_of_a_dead_worker_waits_again(desk: Desk) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)
    judgings.enter(desk.db, lease, State.JUDGING)
    judgings.rescue(desk.db)
    assert judgings.waiting(desk.db) == []

    desk.expire(judging)
    judgings.rescue(desk.db)

    assert [one.id for one in judgings.waiting(desk.db)] == [judging.id]
    assert desk.view(submission).submission.status == "pending"


def test_after_three_attempts_it_is_a_system_error_that_costs_nothing(desk: Desk) -> None:
    submission, judging = desk.admit()
    for attempt in range(1, ATTEMPTS + 1):
        assert desk.claim(judging).attempt == attempt
        desk.expire(judging)
        judgings.rescue(desk.db)

    view = desk.view(submission)
    assert view.submission.status == "system_error"
    assert "does not count" in view.judging.message
    assert desk.used() == 0
    assert judgings.waiting(desk.db) == []


def test_a_fault_of_ours_is_tried_again(desk: Desk, outcome: MakeOutcome) -> None:
    submission, judging = desk.admit()

    assert judgings.fail(desk.db, desk.claim(judging), "the disk is broken")
    assert desk.view(submission).submission.status == "pending"
    assert desk.used() == 1

    judgings.finish(desk.db, desk.claim(judging), outcome())
    assert desk.view(submission).submission.status == "accepted"
    assert desk.used() == 1


def test_the_last_fault_of_ours_is_shown(desk: Desk) -> None:
    submission, judging = desk.admit()

    again = [judgings.fail(desk.db, desk.claim(judging), "broken") for _ in range(ATTEMPTS)]

    assert again == [True, True, False]
    view = desk.view(submission)
    assert (view.judging.verdict, view.judging.message) == (Verdict.SYSTEM_ERROR, "broken")
    assert desk.used() == 0


def test_what_is_handed_back_costs_no_attempt(desk: Desk) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)
    judgings.enter(desk.db, lease, State.JUDGING)

    judgings.give_back(desk.db, lease)

    assert desk.view(submission).submission.status == "pending"
    assert desk.claim(judging).attempt == 1


def test_an_abort_settles_at_once_and_the_worker_loses_its_lease(
    desk: Desk, result: MakeResult
) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)
    judgings.record(desk.db, lease, [result("1")])

    judgings.abort(desk.db, submission.id, desk.user)

    assert desk.view(submission).submission.status == "aborted"
    assert len(results.of(desk.db, judging.id)[0]) == 1
    with pytest.raises(LeaseLost):
        judgings.check(desk.db, lease)
    assert judgings.claim(desk.db, judging.id, "worker 2") is None


@pytest.mark.parametrize(("begun", "used"), [(False, 0), (True, 1)])
def test_an_abort_is_free_until_a_worker_began(desk: Desk, begun: bool, used: int) -> None:
    submission, judging = desk.admit()
    if begun:
        desk.claim(judging)

    judgings.abort(desk.db, submission.id, desk.user)

    assert desk.used() == used


def test_what_was_begun_and_handed_back_is_not_free(desk: Desk) -> None:
    """Otherwise a shutdown would give back what had been seen already."""
    submission, judging = desk.admit()
    judgings.give_back(desk.db, desk.claim(judging))

    judgings.abort(desk.db, submission.id, desk.user)

    assert desk.used() == 1


def test_what_is_final_cannot_be_aborted(desk: Desk, outcome: MakeOutcome) -> None:
    submission, judging = desk.admit()
    judgings.finish(desk.db, desk.claim(judging), outcome())

    with pytest.raises(Refused, match="submission 1 is final \\(accepted\\)"):
        judgings.abort(desk.db, submission.id, desk.user)
    assert desk.view(submission).submission.status == "accepted"


@pytest.mark.parametrize(
    ("verdict", "used"),
    [
        (verdict, 0 if verdict in (Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM, Verdict.VOID) else 1)
        for verdict in Verdict
        if verdict is not Verdict.ABORTED
    ],
)
def test_what_counts(desk: Desk, outcome: MakeOutcome, verdict: Verdict, used: int) -> None:
    _, judging = desk.admit()

    judgings.finish(desk.db, desk.claim(judging), outcome(verdict))

    assert desk.used() == used
