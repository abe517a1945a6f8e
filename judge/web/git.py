"""Git over HTTP: `git push http://<user>:<token>@<server>/git/<user>/<repository>.git`.

Git's own http-backend speaks the protocol (git-http-backend(1)); this module says who may, and how
much. Only the smart protocol is served.
"""

from contextlib import ExitStack

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from judge.store import tokens
from judge.store.tokens import Access, Scope
from judge.web import backend
from judge.web.errors import ApiError
from judge.web.repositories import Hosted
from judge.web.services import services

WAIT_FOR_PUSH_SECONDS = 60

RECEIVE_SETTINGS = {
    "http.receivepack": "true",
    "receive.fsckObjects": "true",
    # An agent may rewrite its own history; what was submitted is kept by a ref of ours.
    "receive.denyNonFastForwards": "false",
    "receive.denyDeletes": "false",
    "receive.denyDeleteCurrent": "ignore",
    "receive.autogc": "false",
    "receive.updateServerInfo": "false",
}

blueprint = Blueprint("git", __name__, url_prefix="/git/<owner>/<name>")


@blueprint.errorhandler(ApiError)
def refuse(error: ApiError) -> ResponseReturnValue:
    """As plain text: git shows that to whoever pushes, after `remote:`."""
    return Response(f"{error.message}\n", error.status, error.headers, mimetype="text/plain")


@blueprint.get("/info/refs")
def refs(owner: str, name: str) -> ResponseReturnValue:
    match request.args.get("service"):
        case "git-upload-pack":
            return backend.serve(_readable(owner, name), "/info/refs")
        case "git-receive-pack":
            hosted = _writable(owner, name)
            with hosted.alone(WAIT_FOR_PUSH_SECONDS):
                hosted.room_bytes(services().repositories.quota_bytes)
            return backend.serve(hosted, "/info/refs", RECEIVE_SETTINGS)
        case _:
            raise ApiError(403, "only git's smart protocol is served here")


@blueprint.post("/git-upload-pack")
def upload(owner: str, name: str) -> ResponseReturnValue:
    """Fetch."""
    return backend.serve(_readable(owner, name), "/git-upload-pack")


@blueprint.post("/git-receive-pack")
def receive(owner: str, name: str) -> ResponseReturnValue:
    """Push: one at a time for each repository, so that its quota is exact."""
    hosted = _writable(owner, name)
    with ExitStack() as stack:
        stack.enter_context(hosted.alone(WAIT_FOR_PUSH_SECONDS))
        room_bytes = hosted.room_bytes(services().repositories.quota_bytes)
        settings = {"receive.maxInputSize": str(room_bytes)}
        response = backend.serve(hosted, "/git-receive-pack", RECEIVE_SETTINGS | settings)
        stack.callback(hosted.tidy)
        stack.callback(hosted.point_head)
        response.call_on_close(stack.pop_all().close)
    return response


def _signed_in() -> Access:
    header = request.authorization
    secret = None
    if header is not None:
        secret = header.password if header.type == "basic" else header.token
    access = tokens.check(services().db, secret) if secret else None
    if access is None:
        raise ApiError(
            401,
            "sign in with your token as the password"
            if header is None
            else "the token is unknown, expired or revoked",
            headers={"WWW-Authenticate": 'Basic realm="Adjudge", charset="UTF-8"'},
        )
    services().rate_limit.count(access.token.id)
    return access


def _readable(owner: str, name: str) -> Hosted:
    access = _signed_in()
    mine = access.user.name == owner and access.allows(Scope.SUBMISSION_CREATE)
    hosted = services().repositories.get(owner, name)
    if hosted is None or not (mine or access.is_operator):
        raise ApiError(404, f"there is no repository /git/{owner}/{name} that you may read")
    return hosted


def _writable(owner: str, name: str) -> Hosted:
    access = _signed_in()
    if access.user.name != owner:
        raise ApiError(403, f"you are {access.user.name}: push to /git/{access.user.name}/...")
    if not access.allows(Scope.SUBMISSION_CREATE):
        raise ApiError(403, f"this token lacks the scope {Scope.SUBMISSION_CREATE}")
    return services().repositories.make(access.user, name)
