"""The caller's own profile, and the lists that ACMOJ's clients ask for with it."""

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from judge.store.tokens import Scope
from judge.web.auth import require

blueprint = Blueprint("users", __name__)


@blueprint.get("/user/profile")
def profile() -> ResponseReturnValue:
    user = require(Scope.USER_PROFILE).user
    return jsonify(
        username=user.name,
        friendly_name=user.friendly_name,
        student_id="",
        role=user.role,
        agent=user.agent,
        model=user.model,
        round=user.round,
    )
