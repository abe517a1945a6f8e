"""Judging again, for operators: one submission, a problem or a filter, as a set that is looked at
before it counts."""

from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from judge.store import Rejudge, problems, rejudges, users
from judge.store.rejudges import Which
from judge.store.tokens import Scope
from judge.web import shapes
from judge.web.arguments import form_field, form_flag, form_integer, form_integers, object_id
from judge.web.auth import require
from judge.web.errors import ApiError
from judge.web.services import services

blueprint = Blueprint("rejudges", __name__, url_prefix="/rejudge")


@blueprint.get("/", strict_slashes=False)
def index() -> ResponseReturnValue:
    """The newest sets first."""
    require(Scope.SUBMISSION_MANAGE)
    return jsonify(rejudges=[_shape(found) for found in rejudges.latest(services().db)])


@blueprint.post("/", strict_slashes=False)
def start() -> ResponseReturnValue:
    """Fields that narrow: `submission` (repeatable), `problem_id`, `username`, `status`,
    `language`. `version` is an earlier package of the problem, by the beginning of its hash. With
    `apply=true` the results count as they come."""
    actor = require(Scope.SUBMISSION_MANAGE).user
    db = services().db
    which = Which(
        submissions=tuple(form_integers("submission")) or None,
        problem_id=form_integer("problem_id"),
        user_id=_user_id(form_field("username", "")),
        status=form_field("status", "") or None,
        language=form_field("language", "") or None,
    )
    if which == Which():
        raise ApiError(400, "name what is to be judged again: submission, problem_id, ...")
    reason = form_field("reason")
    version = form_field("version", "")
    if version and which.problem_id is None:
        raise ApiError(400, "version is one of a problem: name it by problem_id")
    made, waiting = rejudges.start(
        db,
        which,
        reason,
        actor,
        apply=form_flag("apply", default=False),
        package=problems.version(db, which.problem_id, version) if version else None,
    )
    for judging in waiting:
        services().ring(judging)
    location = shapes.api_url("rejudges.show", rejudge_id=made.id)
    return jsonify(_shape(made) | {"count": len(waiting)}), 201, {"Location": location}


@blueprint.get("/<rejudge_id>")
def show(rejudge_id: str) -> ResponseReturnValue:
    """What applying the set would change, as far as it is judged."""
    require(Scope.SUBMISSION_MANAGE)
    found = rejudges.preview(services().db, object_id(rejudge_id))
    differences = [
        {
            "submission_id": one.submission_id,
            "old": {"status": one.old_status, "score": one.old_score},
            "new": ({"status": one.new_status, "score": one.new_score} if one.new_status else None),
            "changes": one.new_status is not None and one.changes,
        }
        for one in found.differences
    ]
    return jsonify(_shape(found.rejudge) | {"waiting": found.waiting, "differences": differences})


@blueprint.post("/<rejudge_id>/apply")
def apply(rejudge_id: str) -> ResponseReturnValue:
    """Let its results count."""
    actor = require(Scope.SUBMISSION_MANAGE).user
    return jsonify(_shape(rejudges.apply(services().db, object_id(rejudge_id), actor)))


@blueprint.post("/<rejudge_id>/drop")
def drop(rejudge_id: str) -> ResponseReturnValue:
    """Do away with it."""
    actor = require(Scope.SUBMISSION_MANAGE).user
    return jsonify(_shape(rejudges.drop(services().db, object_id(rejudge_id), actor)))


def _user_id(name: str) -> int | None:
    return users.find(services().db, name).id if name else None


def _shape(rejudge: Rejudge) -> dict[str, Any]:
    return {
        "id": rejudge.id,
        "reason": rejudge.reason,
        "state": rejudge.state,
        "created_at": rejudge.created_at.isoformat(),
        "closed_at": rejudge.closed_at.isoformat() if rejudge.closed_at else None,
        "url": shapes.api_url("rejudges.show", rejudge_id=rejudge.id),
    }
