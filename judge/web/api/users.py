"""The caller's own profile; and for admins: users, and their tokens."""

from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from judge.store import Role, Token, User, tokens, users
from judge.store.tokens import Scope
from judge.web.arguments import form_choice, form_field, form_integers, form_number, object_id
from judge.web.auth import require
from judge.web.services import services

blueprint = Blueprint("users", __name__)


@blueprint.get("/user/profile")
def profile() -> ResponseReturnValue:
    """Who the token belongs to."""
    user = require(Scope.USER_PROFILE).user
    return jsonify(_user(user) | {"student_id": ""})


@blueprint.get("/user/", strict_slashes=False)
def index() -> ResponseReturnValue:
    """Every user, by name."""
    require(Scope.USER_MANAGE)
    return jsonify(users=[_user(user) for user in users.all_users(services().db)])


@blueprint.post("/user/", strict_slashes=False)
def add() -> ResponseReturnValue:
    """A new user. `agent`, `model` and `round` are for participants that are agents."""
    actor = require(Scope.USER_MANAGE).user
    user = users.add(
        services().db,
        form_field("username"),
        form_choice("role", Role) or Role.PARTICIPANT,
        friendly_name=form_field("friendly_name", ""),
        agent=form_field("agent", "") or None,
        model=form_field("model", "") or None,
        round=form_field("round", "") or None,
        actor=actor,
    )
    return jsonify(_user(user)), 201


@blueprint.get("/user/<username>/token/", strict_slashes=False)
def tokens_of(username: str) -> ResponseReturnValue:
    """A user's tokens, without their secrets, which nobody can read again."""
    require(Scope.USER_MANAGE)
    user = users.find(services().db, username)
    found = tokens.all_tokens(services().db, user)
    return jsonify(tokens=[_token(token, owner) for token, owner in found])


@blueprint.post("/user/<username>/token/", strict_slashes=False)
def add_token(username: str) -> ResponseReturnValue:
    """A new token; its secret is in this answer and nowhere else."""
    actor = require(Scope.USER_MANAGE).user
    user = users.find(services().db, username)
    token, secret = tokens.create(
        services().db,
        user,
        form_field("name", ""),
        scopes=form_field("scopes", "").split() or None,
        problems=form_integers("problem") or None,
        days=form_number("days", tokens.LIFETIME_DAYS),
        actor=actor,
    )
    headers = {"Cache-Control": "no-store"}
    return jsonify(_token(token, user) | {"token": secret}), 201, headers


@blueprint.post("/token/<token_id>/revoke")
def revoke(token_id: str) -> ResponseReturnValue:
    """End a token now."""
    actor = require(Scope.USER_MANAGE).user
    tokens.revoke(services().db, object_id(token_id), actor)
    return "", 204


def _user(user: User) -> dict[str, Any]:
    return {
        "username": user.name,
        "friendly_name": user.friendly_name,
        "role": user.role,
        "agent": user.agent,
        "model": user.model,
        "round": user.round,
    }


def _token(token: Token, owner: User) -> dict[str, Any]:
    return {
        "id": token.id,
        "username": owner.name,
        "name": token.name,
        "scopes": token.scopes,
        "problems": token.problems,
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat(),
        "revoked_at": token.revoked_at.isoformat() if token.revoked_at else None,
    }
