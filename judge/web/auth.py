"""Who is asking, and may they: bearer tokens with scopes (acmoj.md sections 1.1 and 1.2)."""

from typing import cast

from flask import g, request

from judge.store import tokens
from judge.store.tokens import Access, Scope
from judge.web.errors import ApiError
from judge.web.services import services

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Adjudge"'}


def signed_in() -> Access:
    """Whose token came with the request. ApiError 401 where none did, or an invalid one."""
    access = _access()
    if access is None:
        raise ApiError(401, "access token is missing or invalid", headers=CHALLENGE)
    return access


def require(scope: Scope) -> Access:
    """As `signed_in`, and the token has the scope. ApiError 401 where not (ACMOJ says 401, not
    403, and says the same whether the scope or the whole token is missing)."""
    access = _access()
    if access is None or not access.allows(scope):
        raise ApiError(401, f"this api call needs scope {scope}", headers=CHALLENGE)
    return access


def _access() -> Access | None:
    if "access" not in g:
        header = request.authorization
        secret = header.token if header is not None and header.type == "bearer" else None
        g.access = tokens.check(services().db, secret) if secret else None
        if g.access is not None:
            services().rate_limit.count(g.access.token.id)
    return cast("Access | None", g.access)
