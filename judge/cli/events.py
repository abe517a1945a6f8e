"""`adjudge events`: the audit trail."""

import click

from judge.cli.console import json_option, open_database, show
from judge.store import Settings, events


@click.command(name="events")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
@json_option
def command(limit: int, as_json: bool) -> None:
    """List who did what to which record, the newest first."""
    rows = [
        {
            "id": event.id,
            "at": event.at,
            "actor": actor.name if actor else None,
            "action": event.action,
            "record": event.record,
            "record_id": event.record_id,
            "details": event.details,
        }
        for event, actor in events.latest(open_database(Settings()), limit)
    ]
    show(rows, as_json=as_json, empty="nothing happened yet")
