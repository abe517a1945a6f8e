"""Problems: the list, and one with its statement and limits."""

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from judge.store import caps, problems
from judge.store.tokens import Scope
from judge.web import shapes
from judge.web.arguments import query_integer
from judge.web.auth import is_operator, require, signed_in
from judge.web.services import services
from judge.web.visibility import visible_problem

blueprint = Blueprint("problems", __name__)


@blueprint.get("/problem/", strict_slashes=False)
def index() -> ResponseReturnValue:
    access = require(Scope.PROBLEM_READ)
    db = services().db
    page = problems.page(
        db,
        keyword=request.args.get("keyword", ""),
        released_only=not is_operator(access),
        only=access.token.problems,
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
    package = services().load(problem.package)
    left = caps.quota(services().db, access.user.id, problem.id)
    return jsonify(shapes.problem(problem, package, left))
