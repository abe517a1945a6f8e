"""Who sees what. What a caller may not see does not exist for them."""

from dataclasses import replace

from flask import g

from judge.model import State, Verdict
from judge.store import AbortPolicy, Feedback, Judging, Problem, problems, submissions
from judge.store.submissions import View
from judge.store.tokens import Access
from judge.web.arguments import object_id
from judge.web.errors import not_found
from judge.web.services import services

OUR_FAULTS = {
    Verdict.SYSTEM_ERROR: (
        "The judge failed while it judged this submission. That is not the fault of the submission,"
        " and costs none; the operator finds the reason in the worker's log."
    ),
    Verdict.BAD_PROBLEM: (
        "The problem's own checker, interactor or tests failed, not this submission. That costs"
        " none; the operator sees the reason."
    ),
}
"""What a participant is told in place of messages that may hold tests, answers or paths."""


def visible_problem(access: Access, text: str) -> Problem:
    """The problem of that id: released ones, for operators all. ApiError 400 or 404."""
    problem = problems.get(services().db, object_id(text))
    if not access.may_touch(problem.id) or not (problem.released or access.is_operator):
        raise not_found()
    return problem


def visible_submission(access: Access, text: str) -> View:
    """The submission of that id: one's own, for operators all. ApiError 400 or 404.

    A participant is shown nothing of a judging that failed by a fault of ours but that: it costs no
    submission, so what it found out would be for free, and what it says is for operators.
    """
    view = submissions.get(services().db, object_id(text))
    mine = view.user.id == access.user.id
    if not access.may_touch(view.problem.id) or not (mine or access.is_operator):
        raise not_found()
    g.submission_id = view.submission.id
    said = OUR_FAULTS.get(view.judging.verdict or Verdict.ACCEPTED)
    if access.is_operator or said is None:
        return view
    return replace(view, judging=_without_findings(view.judging, said))


def _without_findings(judging: Judging, said: str) -> Judging:
    found = {"cpu_ns", "wall_ns", "memory_bytes", "disk_bytes", "files", "score", "message"}
    return Judging(**judging.model_dump(exclude=found), message=said)


def shows_results(access: Access, view: View) -> bool:
    """Whether results of single tests are shown (DESIGN.md section 9).

    By default they are hidden until the judging is final, and an aborted one shows none, so that
    aborting is no oracle. A problem without a cap shows them as they come. What ended by a fault of
    ours shows none in any case.
    """
    if access.is_operator:
        return True
    if view.judging.verdict in OUR_FAULTS:
        return False
    if view.entry is None:
        return True
    match view.entry.feedback:
        case Feedback.LIVE:
            return True
        case Feedback.FINAL:
            final = view.judging.state is State.FINISHED
            return final and view.judging.verdict is not Verdict.ABORTED
        case Feedback.NEVER:
            return False


def may_abort(access: Access, view: View) -> bool:
    """Whether the caller may abort it now, by the policy of its entry."""
    if view.judging.state is State.FINISHED:
        return False
    if access.is_operator or view.entry is None:
        return True
    match view.entry.abort:
        case AbortPolicy.UNTIL_FINISHED:
            return True
        case AbortPolicy.BEFORE_JUDGING:
            return view.judging.started_at is None
        case AbortPolicy.NEVER:
            return False
