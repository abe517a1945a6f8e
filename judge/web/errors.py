"""Every refusal as JSON, in ACMOJ's shape: `{"error": status, "message": sentence}`."""

import logging
from typing import Any

from flask import Flask, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from judge.model.limits import MIB
from judge.store import CapReached, Exists, NotFound, QueueFull, StoreError, Unavailable

DRAIN_BYTES = 256 * MIB
"""How much of a request that is too large is read on, so that its sender gets to read why."""

log = logging.getLogger(__name__)


class ApiError(Exception):
    """An answer that is a refusal. `fields` are added to its JSON, `headers` to its headers."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        fields: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.fields = fields or {}
        self.headers = headers or {}


def not_found() -> ApiError:
    """ACMOJ's answer for what does not exist and for what the caller may not see: the same."""
    return ApiError(404, "")


def register(app: Flask) -> None:
    """Make every error of the application an answer in JSON."""
    app.register_error_handler(ApiError, refuse)
    app.register_error_handler(StoreError, _refuse_for_store)
    app.register_error_handler(HTTPException, _refuse_for_http)
    app.register_error_handler(Exception, _apologise)


def refuse(error: ApiError) -> ResponseReturnValue:
    """The answer that it is."""
    body = jsonify(error=error.status, message=error.message, **error.fields)
    return body, error.status, error.headers


def _refuse_for_store(error: StoreError) -> ResponseReturnValue:
    match error:
        case NotFound():
            # Operators see all, so they may know what it is that is not there.
            access = g.get("access")
            tells = access is not None and access.is_operator
            return refuse(ApiError(404, error.reason) if tells else not_found())
        case CapReached(cap=cap, used=used):
            quota = {"cap": cap, "used": used, "left": max(cap - used, 0)}
            return refuse(ApiError(429, error.reason, fields={"quota": quota}))
        case QueueFull(retry_after=seconds):
            return refuse(ApiError(503, error.reason, headers={"Retry-After": str(seconds)}))
        case Unavailable(retry_after=seconds, detail=detail):
            log.error("the database is away: %s", detail)
            return refuse(ApiError(503, error.reason, headers={"Retry-After": str(seconds)}))
        case Exists():
            return refuse(ApiError(409, error.reason))
        case _:
            return refuse(ApiError(400, error.reason))


def _refuse_for_http(error: HTTPException) -> ResponseReturnValue:
    response = error.get_response()
    if error.code is None or error.code < 400:
        return response
    headers = {
        name: value
        for name, value in response.headers.items()
        if name in {"Allow", "Retry-After", "WWW-Authenticate"}
    }
    message = error.description or ""
    if error.code == 404:
        message = f"there is nothing at {request.path}"
    if error.code == 405:
        message = f"{request.method} is not for {request.path}"
    if error.code == 413:
        message = f"a request here has at most {(request.max_content_length or 0) // MIB} MiB"
        _drain()
    return refuse(ApiError(error.code, message, headers=headers))


def _drain() -> None:
    ends = "wsgi.input_terminated" in request.environ
    body, left = request.environ["wsgi.input"], DRAIN_BYTES if ends else request.content_length or 0
    while left > 0 and (piece := body.read(min(left, 1 << 16))):
        left -= len(piece)


def _apologise(error: Exception) -> ResponseReturnValue:
    # The text of an exception may hold paths or data of others: it goes to the log alone.
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return refuse(ApiError(500, "the judge failed to answer; this is not your fault"))
