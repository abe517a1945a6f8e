"""`adjudge workers`: who judges."""

import click

from judge.cli.console import json_option, open_database, show
from judge.model import LANGUAGES
from judge.store import Settings, Worker, workers


@click.command(name="workers")
@json_option
def command(as_json: bool) -> None:
    """List the workers of all machines, what they do and how loaded their machine is."""
    rows = [
        {
            "name": worker.name,
            "state": "offline" if not there else "busy" if worker.judging_id else "idle",
            "judging": worker.judging_id,
            "host": worker.host,
            "core": worker.core,
            "groups": worker.groups,
            **({"languages": worker.languages} if as_json else {"lacks": _lacking(worker)}),
            "load": round(worker.load, 2),
            "memory_free_mib": worker.memory_free_bytes >> 20,
            "hardware": worker.hardware,
            "version": worker.version,
            "seen_at": worker.seen_at,
        }
        for worker, there in workers.all_workers(open_database(Settings()))
    ]
    show(rows, as_json=as_json, empty="no worker has reported; start some: adjudge up")


def _lacking(worker: Worker) -> str:
    """The languages that the judge knows and this worker does not offer."""
    return ", ".join(entry.id for entry in LANGUAGES if entry.id not in worker.languages) or "-"
