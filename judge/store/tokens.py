"""Access tokens: made, shown once, checked, revoked.

The secret has ACMOJ's form (`acmoj-` + 32 hex digits), so that its clients accept it. Only its
SHA-256 is kept: 128 random bits need no slow hash.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from sqlalchemy import bindparam
from sqlmodel import col, select

from judge.store import events
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import NotFound, StoreError
from judge.store.tables import Role, Token, User, utc_now

LIFETIME_DAYS = 365
_FORM = re.compile(r"acmoj-[0-9a-f]{32}")
_BY_DIGEST = select(Token, User).where(
    Token.digest == bindparam("digest"), Token.user_id == User.id
)


class Scope(StrEnum):
    """What a token may be used for: ACMOJ's nine, and our own for those who run the judge."""

    USER_PROFILE = "user:profile"
    PROBLEM_READ = "problem:read"
    SUBMISSION_CREATE = "submission:create"
    SUBMISSION_READ = "submission:read"
    SUBMISSION_WRITE = "submission:write"
    COURSE_READ = "course:read"
    COURSE_MEMBERSHIP = "course:membership"
    PROBLEMSET_READ = "problemset:read"
    PROBLEMSET_MEMBERSHIP = "problemset:membership"
    PROBLEM_WRITE = "problem:write"
    SUBMISSION_MANAGE = "submission:manage"
    USER_MANAGE = "user:manage"
    WORKER = "worker"


PARTICIPANT_SCOPES: tuple[Scope, ...] = (
    Scope.USER_PROFILE,
    Scope.PROBLEM_READ,
    Scope.SUBMISSION_CREATE,
    Scope.SUBMISSION_READ,
    Scope.SUBMISSION_WRITE,
    Scope.COURSE_READ,
    Scope.COURSE_MEMBERSHIP,
    Scope.PROBLEMSET_READ,
    Scope.PROBLEMSET_MEMBERSHIP,
)
OPERATOR_SCOPES: tuple[Scope, ...] = (
    *PARTICIPANT_SCOPES,
    Scope.PROBLEM_WRITE,
    Scope.SUBMISSION_MANAGE,
    Scope.WORKER,
)
ADMIN_SCOPES: tuple[Scope, ...] = (*OPERATOR_SCOPES, Scope.USER_MANAGE)


def allowed_scopes(role: Role) -> tuple[Scope, ...]:
    """Every scope that a token of such a user may carry; also what it carries by default."""
    match role:
        case Role.ADMIN:
            return ADMIN_SCOPES
        case Role.OPERATOR:
            return OPERATOR_SCOPES
        case Role.PARTICIPANT:
            return PARTICIPANT_SCOPES


@dataclass(frozen=True, slots=True)
class Access:
    """Who a valid token speaks for, and what it may do."""

    user: User
    token: Token

    def allows(self, scope: Scope) -> bool:
        """Both must grant it: the token's scopes, and the user's role as it is today."""
        return scope.value in self.token.scopes and scope in allowed_scopes(self.user.role)

    @property
    def is_operator(self) -> bool:
        """Whether the caller runs this judge, and so sees everything on it."""
        return self.user.role in {Role.OPERATOR, Role.ADMIN}

    def may_touch(self, problem_id: int) -> bool:
        """Whether the token's list of problems, if it has one, holds that problem."""
        return self.token.problems is None or problem_id in self.token.problems


def create(
    db: Database,
    user: User,
    name: str = "",
    *,
    scopes: Iterable[str] | None = None,
    problems: Sequence[int] | None = None,
    days: float = LIFETIME_DAYS,
    actor: User | None = None,
) -> tuple[Token, str]:
    """A new token and its secret, which nobody can read again.

    Raises StoreError for a scope that the user's role does not have.
    """
    allowed = allowed_scopes(user.role)
    wanted = list(allowed) if scopes is None else list(dict.fromkeys(scopes))
    for scope in wanted:
        if scope not in allowed:
            raise StoreError(
                f"a token of {user.role.value} {user.name!r} cannot have the scope {scope!r};"
                f" choose from {', '.join(allowed)}"
            )
    if not 0 < days <= 36500:
        raise StoreError(f"a token lives for more than 0 and at most 36500 days, not {days:g}")
    secret = f"acmoj-{secrets.token_hex(16)}"
    now = utc_now()
    token = Token(
        user_id=user.id,
        name=clean(name, 200),
        digest=_digest(secret),
        scopes=[str(scope) for scope in wanted],
        problems=None if problems is None else list(problems),
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    with db.write() as session:
        session.add(token)
        session.flush()
        events.write(session, actor, "create", "token", token.id, user=user.name)
    return token, secret


def check(db: Database, secret: str) -> Access | None:
    """Who the secret speaks for; None where it is unknown, expired or revoked."""
    if not _FORM.fullmatch(secret):
        return None
    with db.read() as session:
        found = session.exec(_BY_DIGEST, params={"digest": _digest(secret)}).first()
    if found is None:
        return None
    token, user = found
    if token.revoked_at is not None or token.expires_at <= utc_now():
        return None
    return Access(user, token)


def all_tokens(db: Database, user: User | None = None) -> list[tuple[Token, User]]:
    """Every token with its owner, or those of one user; the newest last."""
    query = select(Token, User).where(Token.user_id == User.id).order_by(col(Token.id))
    if user is not None:
        query = query.where(Token.user_id == user.id)
    with db.read() as session:
        return [(token, owner) for token, owner in session.exec(query)]


def revoke(db: Database, token_id: int, actor: User | None = None) -> Token:
    """Ends a token now; one that has ended stays as it is. Raises NotFound."""
    with db.write() as session:
        token = session.get(Token, token_id)
        if token is None:
            raise NotFound(f"there is no token {token_id}")
        if token.revoked_at is None:
            token.revoked_at = utc_now()
            session.add(token)
            events.write(session, actor, "revoke", "token", token_id)
        return token


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
