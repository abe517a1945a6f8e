"""`adjudge submission`: look at submissions, abort and void them."""

from typing import Any

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.store import Settings, judgings, submissions
from judge.store.submissions import View


@click.group(name="submission")
def command() -> None:
    """List, abort and void submissions."""


@command.command(name="list")
@click.option("--user", "name", default="", metavar="NAME")
@click.option("--status", default="", help="As pending, or accepted.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@json_option
def list_(name: str, status: str, limit: int, as_json: bool) -> None:
    """List submissions, the newest first."""
    page = submissions.page(open_database(Settings()), username=name, status=status, size=limit)
    show([_row(view) for view in page.views], as_json=as_json, empty="no submissions")


@command.command()
@click.argument("number", type=int)
@json_option
def abort(number: int, as_json: bool) -> None:
    """Abort the submission NUMBER; what runs of it ends within a second."""
    db = open_database(Settings())
    judgings.abort(db, number, None)
    _say(submissions.get(db, number), as_json=as_json)


@command.command()
@click.argument("number", type=int)
@click.option("--reason", required=True, help="Why; it is kept in the audit trail.")
@json_option
def void(number: int, reason: str, as_json: bool) -> None:
    """Let the submission NUMBER count for nothing, for good: no score, no slot of the cap.

    \b
    Example:  adjudge submission void 17 --reason "sent twice by a broken script"
    """
    db = open_database(Settings())
    submissions.void(db, number, reason, None)
    _say(submissions.get(db, number), as_json=as_json)


def _say(view: View, *, as_json: bool) -> None:
    if as_json:
        print_json(_row(view))
    else:
        click.echo(f"submission {view.submission.id} is {view.submission.status}")


def _row(view: View) -> dict[str, Any]:
    return {
        "id": view.submission.id,
        "user": view.user.name,
        "problem": view.problem.slug,
        "language": view.submission.language,
        "status": view.submission.status,
        "score": view.judging.score,
        "generation": view.judging.generation,
        "attempt": view.judging.attempt,
        "created_at": view.submission.created_at,
    }
