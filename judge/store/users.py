"""Users."""

import re

from sqlalchemy import func
from sqlmodel import col, select

from judge.store import events
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import Exists, NotFound, StoreError
from judge.store.tables import Role, User

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


def add(
    db: Database,
    name: str,
    role: Role = Role.PARTICIPANT,
    *,
    friendly_name: str = "",
    agent: str | None = None,
    model: str | None = None,
    round: str | None = None,  # noqa: A002  (the field's own word)
    actor: User | None = None,
) -> User:
    """Adds a user. The name is part of URLs and of folders: lower case, no blanks.

    Raises StoreError for a name that cannot be one, Exists where it is taken.
    """
    if not _NAME.fullmatch(name) or name.endswith((".git", ".lock")):
        raise StoreError(
            f"{name!r} cannot be a user name: up to 64 of a-z 0-9 _ . -, a letter or digit first"
        )
    if role is not Role.PARTICIPANT and (agent or model or round):
        raise StoreError("agent, model and round belong to participants only")
    with db.write() as session:
        if session.exec(select(User.id).where(User.name == name)).first() is not None:
            raise Exists(f"there is a user {name!r} already")
        user = User(
            name=name,
            friendly_name=clean(friendly_name, 200) or name,
            role=role,
            agent=clean(agent, 200) if agent else None,
            model=clean(model, 200) if model else None,
            round=clean(round, 200) if round else None,
        )
        session.add(user)
        session.flush()
        events.write(session, actor, "add", "user", user.id, name=name, role=role.value)
        return user


def find(db: Database, name: str) -> User:
    """The user of that name, upper or lower case. Raises NotFound."""
    with db.read() as session:
        user = session.exec(select(User).where(User.name == name.lower())).first()
    if user is None:
        raise NotFound(f"there is no user {name!r}")
    return user


def get(db: Database, user_id: int) -> User:
    """The user of that id. Raises NotFound."""
    with db.read() as session:
        user = session.get(User, user_id)
    if user is None:
        raise NotFound(f"there is no user {user_id}")
    return user


def all_users(db: Database) -> list[User]:
    """Every user, by name."""
    with db.read() as session:
        return list(session.exec(select(User).order_by(col(User.name))))


def count(db: Database) -> int:
    """How many users there are."""
    with db.read() as session:
        return session.exec(select(func.count()).select_from(User)).one()
