"""`adjudge import-logs`: who made which submission, from the logs of the public benchmark."""

from collections import Counter
from pathlib import Path
from typing import Any

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.results.files.attributions import write_attributions
from judge.results.logs import read_logs
from judge.store import Database, NotFound, Settings, submissions


@click.command(name="import-logs")
@click.argument("logs", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("attributions.csv"),
    show_default=True,
    help="CSV for `adjudge score --attributions`.",
)
@json_option
def command(logs: Path, out: Path, as_json: bool) -> None:
    """Match submissions here with the agents and models that ran elsewhere.

    LOGS is the harness's folder: <agent>/<model>/<problem>/submission_ids_*.log.

    \b
    Example:  adjudge import-logs logs/ --out attributions.csv
              adjudge score exec --benchmark projdevbench --attributions attributions.csv
    """
    found = read_logs(logs)
    db = open_database(Settings())
    unknown = sorted(id_ for id_ in found.attributions if not _is_here(db, id_))
    here = {id_: own for id_, own in found.attributions.items() if id_ not in set(unknown)}
    write_attributions(out, here)
    counts = Counter(own.participant for own in here.values())
    rows: list[dict[str, Any]] = [
        {"agent": who.agent, "model": who.model, "round": who.round, "submissions": count}
        for who, count in sorted(counts.items())
    ]
    if as_json:
        print_json({"participants": rows, "not_here": unknown, "problems": found.problems})
        return
    show(rows, as_json=False, empty="no submission of these logs was made here")
    for problem in found.problems:
        click.echo(problem, err=True)
    if unknown:
        ids = ", ".join(str(id_) for id_ in unknown[:10])
        more = f" and {len(unknown) - 10} more" if len(unknown) > 10 else ""
        click.echo(f"{len(unknown)} submissions were not made here: {ids}{more}", err=True)
    click.echo(f"{len(here)} submissions in {out}")


def _is_here(db: Database, submission_id: int) -> bool:
    try:
        submissions.get(db, submission_id)
    except NotFound:
        return False
    return True
