"""Workers as they report themselves: who is there, on what machine, doing what."""

import re
from datetime import timedelta
from itertools import chain

from sqlalchemy import delete
from sqlmodel import Session, col, select

from judge.store.database import Database
from judge.store.errors import StoreError
from judge.store.tables import Worker

SEEN_S = 20.0
"""A worker that has been silent for longer is offline."""
FORGET_S = 24 * 3600.0
_OFFERS = select(col(Worker.groups), col(Worker.languages))

_GROUP = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,59})?")


def refuse_group(name: str) -> None:
    """Raises StoreError where that cannot be the name of a group of workers (or empty: of none)."""
    if not _GROUP.fullmatch(name):
        raise StoreError(
            f"{name[:80]!r} cannot be a worker group: letters, digits, '_', '.', '-', at most 60"
        )


def report(db: Database, worker: Worker) -> None:
    """Writes down how a worker is. Long silent ones are forgotten on the way."""
    with db.write() as session:
        now = db.now(session)
        worker.seen_at = now
        session.merge(worker)
        long_ago = now - timedelta(seconds=FORGET_S)
        session.connection().execute(delete(Worker).where(col(Worker.seen_at) < long_ago))


def leave(db: Database, name: str) -> None:
    """A worker goes, and says so."""
    with db.write() as session:
        session.connection().execute(delete(Worker).where(col(Worker.name) == name))


def languages(session: Session, group: str) -> frozenset[str] | None:
    """What the workers of a group offer, those included that died within the last day; None where
    there are none, so that nobody knows."""
    # Each admission asks: two columns, and no objects made of the rest.
    offers = session.exec(_OFFERS).all()
    found = [languages for groups, languages in offers if group in (groups or ())]
    return frozenset(chain.from_iterable(found)) if found else None


def all_workers(db: Database) -> list[tuple[Worker, bool]]:
    """Every worker by name, and whether it is there: dead ones are shown offline for a day."""
    with db.read() as session:
        recently = db.now(session) - timedelta(seconds=SEEN_S)
        found = session.exec(select(Worker).order_by(col(Worker.name))).all()
        return [(worker, worker.seen_at >= recently) for worker in found]
