from dataclasses import replace

import pytest

from judge.model import Problem as Package
from judge.model import Verdict
from judge.store import (
    Judging,
    NotFound,
    Priority,
    Refused,
    RejudgeState,
    Submission,
    judgings,
    problems,
    rejudges,
    submissions,
    users,
)
from judge.store.judgings import ATTEMPTS
from judge.store.rejudges import Which
from tests.store.conftest import Desk, MakeOutcome


def judged(desk: Desk, outcome: MakeOutcome, verdict: Verdict = Verdict.ACCEPTED) -> Submission:
    submission, judging = desk.admit()
    judgings.finish(desk.db, desk.claim(judging), outcome(verdict))
    return submission


def judge(desk: Desk, judging_id: int, outcome: MakeOutcome, verdict: Verdict) -> None:
    work = judgings.claim(desk.db, judging_id, "the test")
    assert work is not None
    judgings.finish(desk.db, work.lease, outcome(verdict))


def start(desk: Desk, *chosen: Submission, apply: bool = False) -> tuple[int, list[int]]:
    which = Which(submissions=tuple(one.id for one in chosen))
    rejudge, made = rejudges.start(desk.db, which, "new checker", desk.user, apply=apply)
    return rejudge.id, [judging.id for judging in made]


def test_a_rejudge_uses_the_package_of_today_and_waits_behind_participants(
    desk: Desk, outcome: MakeOutcome, package: Package
) -> None:
    submission = judged(desk, outcome)
    problems.put(desk.db, package, "b" * 64)

    _, [judging_id] = start(desk, submission)

    [waiting] = judgings.waiting(desk.db)
    assert (waiting.id, waiting.priority) == (judging_id, Priority.REJUDGE)
    first, second = submissions.judgings(desk.db, submission.id)
    assert (first.generation, first.package) == (1, "a" * 64)
    assert (second.generation, second.package) == (2, "b" * 64)


def test_the_old_result_stays_until_the_set_is_applied(desk: Desk, outcome: MakeOutcome) -> None:
    submission = judged(desk, outcome, Verdict.WRONG_ANSWER)
    number, [judging_id] = start(desk, submission)
    with pytest.raises(Refused, match="1 judgings of rejudge 1 are not finished"):
        rejudges.apply(desk.db, number, desk.user)
    judge(desk, judging_id, outcome, Verdict.ACCEPTED)
    assert desk.view(submission).submission.status == "wrong_answer"

    preview = rejudges.preview(desk.db, number)
    [difference] = preview.differences
    assert (difference.old_status, difference.old_score) == ("wrong_answer", 0)
    assert (difference.new_status, difference.new_score) == ("accepted", 100)
    assert difference.changes
    assert preview.waiting == 0

    assert rejudges.apply(desk.db, number, desk.user).state is RejudgeState.APPLIED
    view = desk.view(submission)
    assert (view.submission.status, view.judging.score) == ("accepted", 100)
    with pytest.raises(Refused, match="applied already"):
        rejudges.drop(desk.db, number, desk.user)


def test_a_set_that_is_dropped_changes_nothing(desk: Desk, outcome: MakeOutcome) -> None:
    submissions_ = [judged(desk, outcome) for _ in range(2)]
    number, [first, second] = start(desk, *submissions_)
    judge(desk, first, outcome, Verdict.WRONG_ANSWER)

    rejudges.drop(desk.db, number, desk.user)

    assert judgings.claim(desk.db, second, "late") is None
    for submission in submissions_:
        assert desk.view(submission).submission.status == "accepted"
    assert rejudges.latest(desk.db)[0].state is RejudgeState.DROPPED


def test_results_count_as_they_come_where_that_was_asked_for(
    desk: Desk, outcome: MakeOutcome
) -> None:
    submission = judged(desk, outcome)
    _, [judging_id] = start(desk, submission, apply=True)
    assert desk.view(submission).submission.status == "accepted"

    judge(desk, judging_id, outcome, Verdict.WRONG_ANSWER)

    assert desk.view(submission).submission.status == "wrong_answer"


def test_the_latest_finished_one_counts_whichever_ends_first(
    desk: Desk, outcome: MakeOutcome
) -> None:
    submission = judged(desk, outcome)
    _, [second] = start(desk, submission, apply=True)
    _, [third] = start(desk, submission, apply=True)

    judge(desk, third, outcome, Verdict.RUNTIME_ERROR)
    judge(desk, second, outcome, Verdict.WRONG_ANSWER)

    assert desk.view(submission).submission.status == "runtime_error"
    assert [one.generation for one in submissions.judgings(desk.db, submission.id)] == [1, 2, 3]


def test_what_is_being_judged_can_be_judged_again(desk: Desk, outcome: MakeOutcome) -> None:
    submission, first = desk.admit()
    lease = desk.claim(first)
    _, [second] = start(desk, submission, apply=True)

    judgings.finish(desk.db, lease, outcome(Verdict.WRONG_ANSWER))
    assert desk.view(submission).submission.status == "wrong_answer"
    judge(desk, second, outcome, Verdict.ACCEPTED)
    assert desk.view(submission).submission.status == "accepted"


def test_a_fault_of_ours_does_not_replace_a_result(desk: Desk, outcome: MakeOutcome) -> None:
    submission = judged(desk, outcome)
    _, [judging_id] = start(desk, submission, apply=True)
    for _ in range(ATTEMPTS):
        work = judgings.claim(desk.db, judging_id, "broken")
        assert work is not None
        judgings.fail(desk.db, work.lease, "broken")

    assert desk.view(submission).submission.status == "accepted"
    assert desk.used() == 1


def test_a_slot_that_was_set_free_stays_free(desk: Desk, outcome: MakeOutcome) -> None:
    """Else the user could have spent it meanwhile, and would be over the cap."""
    submission = judged(desk, outcome, Verdict.BAD_PROBLEM)
    assert desk.used() == 0
    _, [judging_id] = start(desk, submission, apply=True)

    judge(desk, judging_id, outcome, Verdict.ACCEPTED)

    assert desk.view(submission).submission.status == "accepted"
    assert desk.used() == 0


def test_a_rejudge_that_shows_a_bad_problem_sets_the_slot_free(
    desk: Desk, outcome: MakeOutcome
) -> None:
    submission = judged(desk, outcome)
    _, [judging_id] = start(desk, submission, apply=True)

    judge(desk, judging_id, outcome, Verdict.BAD_PROBLEM)

    assert desk.used() == 0


def test_filters_choose(desk: Desk, outcome: MakeOutcome, package: Package) -> None:
    wrong = judged(desk, outcome, Verdict.WRONG_ANSWER)
    right = judged(desk, outcome)
    aborted, _ = desk.admit()
    judgings.abort(desk.db, aborted.id, desk.user)
    olga = users.add(desk.db, "olga")
    other = problems.put(desk.db, replace(package, slug="other"), "b" * 64)
    theirs, _ = submissions.admit(desk.db, olga, other, "cpp", submissions.Text(b""))

    def chosen(which: Which) -> list[int]:
        rejudge, _ = rejudges.start(desk.db, which, "", None)
        preview = rejudges.preview(desk.db, rejudge.id)
        return [one.submission_id for one in preview.differences]

    assert chosen(Which()) == [wrong.id, right.id, theirs.id]
    assert chosen(Which(problem_id=desk.problem.id)) == [wrong.id, right.id]
    assert chosen(Which(status="wrong_answer")) == [wrong.id]
    assert chosen(Which(user_id=olga.id)) == chosen(Which(language="cpp")) == [theirs.id]
    for nothing in (Which(submissions=(aborted.id,)), Which(submissions=()), Which(status="x")):
        with pytest.raises(Refused, match="no submission to judge again"):
            rejudges.start(desk.db, nothing, "", None)


def test_an_unknown_set_is_not_found(desk: Desk) -> None:
    for action in (rejudges.apply, rejudges.drop):
        with pytest.raises(NotFound, match="no rejudge 9"):
            action(desk.db, 9, desk.user)
    with pytest.raises(NotFound):
        rejudges.preview(desk.db, 9)


def test_a_void_submission_counts_for_nothing_for_good(desk: Desk, outcome: MakeOutcome) -> None:
    submission = judged(desk, outcome)
    number, [judging_id] = start(desk, submission)

    submissions.void(desk.db, submission.id, "copied", desk.user)

    assert desk.view(submission).submission.status == "void"
    assert desk.used() == 0
    assert judgings.claim(desk.db, judging_id, "late") is None
    rejudges.apply(desk.db, number, desk.user)
    assert desk.view(submission).submission.status == "void"


def test_voiding_ends_what_is_being_judged(desk: Desk) -> None:
    submission, judging = desk.admit()
    lease = desk.claim(judging)

    submissions.void(desk.db, submission.id, "copied", desk.user)

    with desk.db.read() as session:
        assert session.get_one(Judging, lease.judging_id).verdict is Verdict.VOID
    assert desk.view(submission).submission.status == "void"
    with pytest.raises(NotFound):
        submissions.void(desk.db, 99, "", desk.user)


def test_a_held_problem_is_not_judged_until_it_is_resumed(desk: Desk, outcome: MakeOutcome) -> None:
    running = desk.admit()[1]
    lease = desk.claim(running)
    problems.hold(desk.db, desk.problem.id, "the checker is wrong", desk.user)
    _, judging = desk.admit()

    assert problems.get(desk.db, desk.problem.id).held == "the checker is wrong"
    assert judgings.claim(desk.db, judging.id, "worker") is None
    assert judgings.waiting(desk.db) == []
    judgings.finish(desk.db, lease, outcome())

    problems.resume(desk.db, desk.problem.id, desk.user)

    assert [one.id for one in judgings.waiting(desk.db)] == [judging.id]
    desk.claim(judging)
    with pytest.raises(NotFound):
        problems.hold(desk.db, 99, "", None)


@pytest.mark.parametrize(
    ("policy", "begun", "allowed"),
    [
        ("until_finished", True, True),
        ("before_judging", False, True),
        ("before_judging", True, False),
        ("never", False, False),
    ],
)
def test_the_policy_of_the_entry_bounds_aborts(
    desk: Desk, package: Package, policy: str, begun: bool, allowed: bool
) -> None:
    from judge.store import AbortPolicy, Role

    problems.put(desk.db, package, "a" * 64, abort=AbortPolicy(policy))
    submission, judging = desk.admit()
    if begun:
        desk.claim(judging)

    if not allowed:
        with pytest.raises(Refused, match="'sum'"):
            judgings.abort(desk.db, submission.id, desk.user)
        judgings.abort(desk.db, submission.id, users.add(desk.db, "olga", Role.OPERATOR))
    else:
        judgings.abort(desk.db, submission.id, desk.user)
    assert desk.view(submission).submission.status == "aborted"


def test_what_operators_do_is_written_down(desk: Desk, outcome: MakeOutcome) -> None:
    from judge.store import events

    submission = judged(desk, outcome)
    number, _ = start(desk, submission)
    rejudges.drop(desk.db, number, desk.user)
    problems.hold(desk.db, desk.problem.id, "why", desk.user)
    submissions.void(desk.db, submission.id, "copied", desk.user)

    assert [
        (event.action, event.record, event.record_id) for event, _ in events.latest(desk.db)
    ] == [
        ("void", "submission", submission.id),
        ("hold", "problem", desk.problem.id),
        ("rejudge dropped", "rejudge", number),
        ("rejudge", "rejudge", number),
        ("put", "problem", desk.problem.id),
        ("add", "user", desk.user.id),
    ]


def test_a_rejudge_goes_to_the_workers_of_the_problem(
    desk: Desk, outcome: MakeOutcome, package: Package
) -> None:
    submission = judged(desk, outcome)
    problems.put(desk.db, package, "a" * 64, worker_group="gpu")
    start(desk, submission)
    fresh, _ = desk.admit()

    assert [(one.submission_id, one.worker_group) for one in judgings.waiting(desk.db)] == [
        (submission.id, "gpu"),
        (fresh.id, "gpu"),
    ]


def test_an_earlier_version_can_be_judged_with(desk: Desk, package: Package) -> None:
    desk.admit()
    problems.put(desk.db, package, "b" * 64)
    desk.admit()

    earlier = problems.version(desk.db, desk.problem.id, "aa")
    which = Which(problem_id=desk.problem.id)
    _, made = rejudges.start(desk.db, which, "", desk.user, package=earlier)
    _, today = rejudges.start(desk.db, which, "", desk.user)

    assert [judging.package for judging in made] == ["a" * 64] * 2
    assert [judging.package for judging in today] == ["b" * 64] * 2
    assert problems.version(desk.db, desk.problem.id, "b") == "b" * 64
    with pytest.raises(NotFound, match="had no version 'c'"):
        problems.version(desk.db, desk.problem.id, "c")
    with pytest.raises(Refused, match="several versions begin with ''"):
        problems.version(desk.db, desk.problem.id, "")
