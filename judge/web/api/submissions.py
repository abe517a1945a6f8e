"""Submissions: hand in, look, list, take the code back, abort."""

import re

from flask import Blueprint, Response, g, jsonify, request, stream_with_context
from flask.typing import ResponseReturnValue

from judge.model import State
from judge.store import CapReached, Problem, Refused, caps, judgings, submissions
from judge.store.submissions import Commit, Text
from judge.store.tokens import Access, Scope
from judge.web import details, live, shapes, sources
from judge.web.arguments import (
    form_bytes,
    form_field,
    form_revision,
    object_id,
    query_integer,
    query_seconds,
)
from judge.web.auth import require, signed_in
from judge.web.bundles import is_bundle
from judge.web.errors import ApiError
from judge.web.services import services
from judge.web.visibility import may_abort, shows_results, visible_problem, visible_submission

KEY = re.compile(r"[!-~]{1,200}")
LONGEST_WAIT_SECONDS = 60.0

blueprint = Blueprint("submissions", __name__)


@blueprint.post("/problem/<problem_id>/submit")
def submit(problem_id: str) -> ResponseReturnValue:
    problem = visible_problem(signed_in(), problem_id)
    access = require(Scope.SUBMISSION_CREATE)
    language = form_field("language")
    if form_field("public", "") == "true":
        raise ApiError(400, "unable to create submission: this judge keeps submissions private")
    if language not in problem.languages:
        offered = ", ".join(problem.languages) or "none yet"
        raise ApiError(400, f"problem {problem.id} takes no {language!r}; it takes: {offered}")
    key = _idempotency_key()
    if language == "git" and key is None:
        _refuse_spent(access, problem)
    submission, judging = submissions.admit(
        services().db,
        access.user,
        problem,
        language,
        _source(access, problem, language),
        idempotency_key=key,
        queue_limit=services().settings.queue_limit,
    )
    g.submission_id = submission.id
    services().ring(judging)
    location = shapes.api_url("submissions.show", submission_id=submission.id)
    return jsonify(id=submission.id), 201, {"Location": location}


@blueprint.get("/submission/", strict_slashes=False)
def index() -> ResponseReturnValue:
    access = require(Scope.SUBMISSION_READ)
    # Unknown values of filters find nothing, and are no error (acmoj.md section 1.3).
    page = submissions.page(
        services().db,
        user_id=None if access.is_operator else access.user.id,
        problems_only=access.token.problems,
        username=request.args.get("username", ""),
        problem_id=query_integer("problem_id"),
        status=request.args.get("status", ""),
        language=request.args.get("lang", ""),
        cursor=query_integer("cursor"),
    )
    whose = {(view.user.id, view.problem.id) for view in page.views}
    left = {its: caps.quota(services().db, *its) for its in whose}
    found = [
        shapes.submission_brief(view, left[view.user.id, view.problem.id]) for view in page.views
    ]
    return jsonify(submissions=found, next=shapes.next_page(page.next))


@blueprint.get("/submission/<submission_id>")
def show(submission_id: str) -> ResponseReturnValue:
    access = signed_in()
    view = visible_submission(access, submission_id)
    require(Scope.SUBMISSION_READ)
    seconds = query_seconds("wait", LONGEST_WAIT_SECONDS)
    if seconds and view.judging.state is not State.FINISHED:
        live.wait_until_final(services().watch, view.submission.id, seconds)
        view = visible_submission(access, submission_id)
    return jsonify(_shape(view, access))


@blueprint.get("/submission/<submission_id>/events")
def events(submission_id: str) -> ResponseReturnValue:
    """Server-sent events: `progress` at every change, `final` with the whole submission."""
    access = signed_in()
    number = visible_submission(access, submission_id).submission.id
    require(Scope.SUBMISSION_READ)

    def look() -> live.Look:
        view = visible_submission(access, submission_id)
        return live.Look(_shape(view, access), shows_results(access, view))

    stream = live.events(services().watch, number, look)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(stream), mimetype="text/event-stream", headers=headers)


@blueprint.get("/submission/<submission_id>/code")
def code(submission_id: str) -> ResponseReturnValue:
    view = visible_submission(signed_in(), submission_id)
    require(Scope.SUBMISSION_READ)
    text = submissions.text(services().db, view.submission.id)
    if text is None:
        text = (view.submission.url or "").encode()
    # Somebody else's text on our own address: it must not be taken for a page of ours.
    headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
    return Response(text, mimetype="text/plain", headers=headers)


@blueprint.get("/submission/<submission_id>/judgings")
def history(submission_id: str) -> ResponseReturnValue:
    """Every judging of it, the newest last; which one counts. Results only where they are shown."""
    access = signed_in()
    view = visible_submission(access, submission_id)
    require(Scope.SUBMISSION_READ)
    found = [
        shapes.judging_brief(judging)
        | {
            "counts": judging.id == view.submission.judging_id,
            "status": judging.status if judging.counts or access.is_operator else None,
        }
        for judging in submissions.judgings(services().db, view.submission.id)
    ]
    return jsonify(judgings=found)


@blueprint.post("/submission/<submission_id>/void")
def void(submission_id: str) -> ResponseReturnValue:
    """Let it count for nothing, for good."""
    actor = require(Scope.SUBMISSION_MANAGE).user
    number = object_id(submission_id)
    submissions.void(services().db, number, form_field("reason"), actor)
    return "", 204


@blueprint.post("/submission/<submission_id>/abort")
def abort(submission_id: str) -> ResponseReturnValue:
    access = signed_in()
    view = visible_submission(access, submission_id)
    require(Scope.SUBMISSION_WRITE)
    if not may_abort(access, view):
        raise ApiError(403, _why_not_abort(view))
    try:
        judgings.abort(services().db, view.submission.id, access.user)
    except Refused as error:  # it became final between the look and the deed
        raise ApiError(403, f"cannot abort: {error.reason}") from error
    return "", 204


def _shape(view: submissions.View, access: Access) -> shapes.Json:
    left = caps.quota(services().db, view.user.id, view.problem.id)
    found = None
    if shows_results(access, view):
        found = details.of(view, services(), for_judges=access.is_operator)
    return shapes.submission(view, left, found, abortable=may_abort(access, view))


def _why_not_abort(view: submissions.View) -> str:
    if view.judging.verdict is not None:
        return f"cannot abort: submission {view.submission.id} is final ({view.judging.status})"
    return "cannot abort: the policy of this problem does not allow it (any more)"


def _refuse_spent(access: Access, problem: Problem) -> None:
    """Nothing is fetched for a submission that `admit` is going to refuse."""
    left = caps.quota(services().db, access.user.id, problem.id)
    if left is not None and left.left == 0:
        raise CapReached(left.entry, left.cap, left.used)


def _source(access: Access, problem: Problem, language: str) -> Text | Commit:
    if language != "git":
        return Text(form_bytes("code"))
    revision = form_revision("commit")
    if is_bundle(form_bytes("code")):
        return sources.commit_of_bundle(form_bytes("code"), revision, access.user, problem.id)
    url = form_field("code").strip()
    return sources.commit_of(url, revision, access.user, access.is_operator)


def _idempotency_key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise ApiError(400, "an Idempotency-Key has 1 to 200 ASCII characters without blanks")
    return key
