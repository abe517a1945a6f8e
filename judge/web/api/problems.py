"""Problems: the list, and one with its statement and limits."""

from pathlib import Path

from flask import Blueprint, jsonify, request, send_file
from flask.typing import ResponseReturnValue

from judge.store import Feedback, Problem, caps, problems
from judge.store.tokens import Scope
from judge.web import shapes
from judge.web.arguments import (
    form_choice,
    form_field,
    form_flag,
    form_integer,
    object_id,
    query_integer,
)
from judge.web.attachments import attachments
from judge.web.auth import require, signed_in
from judge.web.errors import ApiError, not_found
from judge.web.services import services
from judge.web.uploads import put_on_shelf
from judge.web.visibility import visible_problem

LARGEST_PACKAGE_BYTES = 1 << 30

blueprint = Blueprint("problems", __name__)


@blueprint.get("/problem/", strict_slashes=False)
def index() -> ResponseReturnValue:
    access = require(Scope.PROBLEM_READ)
    db = services().db
    page = problems.page(
        db,
        keyword=request.args.get("keyword", ""),
        released_only=not access.is_operator,
        only=access.token.problems,
        benchmark_id=query_integer("problemset_id"),
        cursor=query_integer("cursor"),
    )
    found = [
        shapes.problem_brief(problem)
        | {"quota": shapes.quota(caps.quota(db, access.user.id, problem.id))}
        for problem in page.problems
    ]
    return jsonify(problems=found, next=shapes.next_page(page.next))


@blueprint.get("/problem/<problem_id>")
def show(problem_id: str) -> ResponseReturnValue:
    problem = visible_problem(signed_in(), problem_id)
    access = require(Scope.PROBLEM_READ)
    package = services().shelf.get(problem.package)
    left = caps.quota(services().db, access.user.id, problem.id)
    files = attachments(_folder(problem))
    return jsonify(shapes.problem(problem, package, files, left))


@blueprint.get("/problem/<problem_id>/attachment/<path:name>")
def attachment(problem_id: str, name: str) -> ResponseReturnValue:
    """A starter file."""
    problem = visible_problem(signed_in(), problem_id)
    require(Scope.PROBLEM_READ)
    for file in attachments(_folder(problem)):
        if file.name == name:
            return send_file(file.path, "application/octet-stream", as_attachment=True)
    raise not_found()


@blueprint.post("/problem/", strict_slashes=False)
def upload() -> ResponseReturnValue:
    """A new problem, or the new version of one: the file `package` is a zip archive."""
    actor = require(Scope.PROBLEM_WRITE).user
    request.max_content_length = LARGEST_PACKAGE_BYTES
    package = request.files.get("package")
    if package is None:
        raise ApiError(400, "the file package is missing (send multipart/form-data)")
    packages = services().settings.packages
    packages.mkdir(parents=True, exist_ok=True)
    name, released = form_field("name", ""), form_flag("released", default=True)
    content_hash, content = put_on_shelf(package, name, services().shelf, packages)
    problem = problems.put(
        services().db,
        content,
        content_hash,
        number=form_integer("id"),
        cap=form_integer("cap"),
        released=released,
        feedback=form_choice("feedback", Feedback),
        worker_group=form_field("group", "") or None,
        actor=actor,
    )
    location = shapes.api_url("problems.show", problem_id=problem.id)
    brief = shapes.problem_brief(problem) | {"package": content_hash}
    return jsonify(brief), 201, {"Location": location}


@blueprint.post("/problem/<problem_id>/hold")
def hold(problem_id: str) -> ResponseReturnValue:
    """Let its submissions wait, and say why."""
    actor = require(Scope.PROBLEM_WRITE).user
    problems.hold(services().db, object_id(problem_id), form_field("reason"), actor)
    return "", 204


@blueprint.post("/problem/<problem_id>/resume")
def resume(problem_id: str) -> ResponseReturnValue:
    """Let what waits be judged again."""
    actor = require(Scope.PROBLEM_WRITE).user
    problems.resume(services().db, object_id(problem_id), actor)
    return "", 204


def _folder(problem: Problem) -> Path:
    return services().settings.packages / problem.package / "package"
