"""Who sees what. What a caller may not see does not exist for them."""

from flask import g

from judge.model import State, Verdict
from judge.store import AbortPolicy, Feedback, Problem, problems, submissions
from judge.store.submissions import View
from judge.store.tokens import Access
from judge.web.arguments import object_id
from judge.web.auth import is_operator
from judge.web.errors import not_found
from judge.web.services import services


def visible_problem(access: Access, text: str) -> Problem:
    """The problem of that id: released ones, for operators all. ApiError 400 or 404."""
    problem = problems.get(services().db, object_id(text))
    if not access.may_touch(problem.id) or not (problem.released or is_operator(access)):
        raise not_found()
    return problem


def visible_submission(access: Access, text: str) -> View:
    """The submission of that id: one's own, for operators all. ApiError 400 or 404."""
    view = submissions.get(services().db, object_id(text))
    mine = view.user.id == access.user.id
    if not access.may_touch(view.problem.id) or not (mine or is_operator(access)):
        raise not_found()
    g.submission_id = view.submission.id
    return view


def shows_results(access: Access, view: View) -> bool:
    """Whether results of single tests are shown (DESIGN.md section 9).

    By default they are hidden until the judging is final, and an aborted one shows none, so that
    aborting is no oracle. A problem without a cap shows them as they come.
    """
    if is_operator(access) or view.entry is None:
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
    if is_operator(access) or view.entry is None:
        return True
    match view.entry.abort:
        case AbortPolicy.UNTIL_FINISHED:
            return True
        case AbortPolicy.BEFORE_JUDGING:
            return view.judging.started_at is None
        case AbortPolicy.NEVER:
            return False
