"""The audit trail: who did what to which record, when."""

from sqlmodel import Session, col, select

from judge.store.database import Database
from judge.store.tables import Event, User


def write(
    session: Session,
    actor: User | None,
    action: str,
    record: str,
    record_id: int | None,
    **details: object,
) -> None:
    """Adds an event to the transaction that does the thing. No secrets in `details`."""
    session.add(
        Event(
            actor_id=actor.id if actor else None,
            action=action,
            record=record,
            record_id=record_id,
            details=details,
        )
    )


def latest(db: Database, limit: int = 100) -> list[tuple[Event, User | None]]:
    """The newest events first, with who did it (None: at the command line, or the judge itself)."""
    query = (
        select(Event, User)
        .join(User, col(User.id) == Event.actor_id, isouter=True)
        .order_by(col(Event.id).desc())
        .limit(limit)
    )
    with db.read() as session:
        return [(event, actor) for event, actor in session.exec(query)]
