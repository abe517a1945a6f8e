"""`adjudge rejudge`: judge again, look at the differences, let them count or not."""

from typing import Any

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.store import Database, Rejudge, Settings, problems, rejudges, users
from judge.store.rejudges import Preview, Which
from judge.work import Bell


@click.group(name="rejudge")
def command() -> None:
    """Judge submissions again, with the problem's package of today or an earlier one."""


@command.command()
@click.option("--submission", "ids", type=int, multiple=True, help="This one; may be repeated.")
@click.option("--problem", "slug", metavar="SLUG", help="Those to this problem.")
@click.option("--user", "name", metavar="NAME", help="Those of this user.")
@click.option("--status", help="Those that show this status, as wrong_answer.")
@click.option("--language", help="Those in this language.")
@click.option("--all", "everything", is_flag=True, help="Every submission there is.")
@click.option(
    "--version",
    metavar="HASH",
    help="With this earlier version of the package of --problem (the hash's beginning will do).",
)
@click.option("--reason", default="", help="Why, for whoever reads the list later.")
@click.option("--apply", "at_once", is_flag=True, help="Let results count as they come.")
@json_option
def start(
    ids: tuple[int, ...],
    slug: str | None,
    name: str | None,
    status: str | None,
    language: str | None,
    everything: bool,
    version: str | None,
    reason: str,
    at_once: bool,
    as_json: bool,
) -> None:
    """Judge the chosen submissions again. Options narrow each other; aborted and void ones are left
    out. Old results count until `adjudge rejudge apply`.

    \b
    Example:  adjudge rejudge start --problem sum --status wrong_answer --reason "checker mended"
              adjudge rejudge show 1
              adjudge rejudge apply 1
    """
    chosen = any((ids, slug, name, status, language))
    if chosen == everything:
        raise click.UsageError("say which submissions: options to choose some, or --all")
    if version and not slug:
        raise click.UsageError("--version is one of a problem: say which by --problem")
    settings = Settings()
    db = open_database(settings)
    which = Which(
        submissions=ids or None,
        problem_id=problems.find(db, slug).id if slug else None,
        user_id=users.find(db, name).id if name else None,
        status=status,
        language=language,
    )
    package = problems.version(db, which.problem_id, version) if version else None
    rejudge, judgings = rejudges.start(db, which, reason, None, apply=at_once, package=package)
    bell = Bell(settings.redis)
    # Where Redis is not up, the workers find them by themselves when they are.
    all(bell.ring(judging) for judging in judgings)
    if as_json:
        print_json({**_row(rejudge), "count": len(judgings)})
    else:
        click.echo(
            f"rejudge {rejudge.id}: {len(judgings)} submissions; see: adjudge rejudge show"
            f" {rejudge.id}"
        )


@command.command(name="show")
@click.argument("number", type=int)
@click.option("--all", "everything", is_flag=True, help="Those that do not change, too.")
@json_option
def show_(number: int, everything: bool, as_json: bool) -> None:
    """Show what applying the rejudge NUMBER would change."""
    preview = rejudges.preview(open_database(Settings()), number)
    rows = [
        {
            "submission": one.submission_id,
            "status": one.old_status,
            "score": one.old_score,
            "new_status": one.new_status,
            "new_score": one.new_score,
        }
        for one in preview.differences
        if everything or one.changes
    ]
    if as_json:
        print_json({**_row(preview.rejudge), "waiting": preview.waiting, "differences": rows})
    else:
        show(rows, as_json=False, empty="nothing changes")
        click.echo(_summary(preview))


@command.command()
@click.argument("number", type=int)
@json_option
def apply(number: int, as_json: bool) -> None:
    """Let the results of the rejudge NUMBER count."""
    _say(rejudges.apply(open_database(Settings()), number, None), as_json=as_json)


@command.command()
@click.argument("number", type=int)
@json_option
def drop(number: int, as_json: bool) -> None:
    """Do away with the rejudge NUMBER; the old results stay."""
    _say(rejudges.drop(open_database(Settings()), number, None), as_json=as_json)


@command.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the latest rejudges."""
    db: Database = open_database(Settings())
    rows = [_row(rejudge) for rejudge in rejudges.latest(db)]
    show(rows, as_json=as_json, empty="nothing was judged again yet")


def _say(rejudge: Rejudge, *, as_json: bool) -> None:
    if as_json:
        print_json(_row(rejudge))
    else:
        click.echo(f"rejudge {rejudge.id} is {rejudge.state.value}")


def _summary(preview: Preview) -> str:
    total, waiting = len(preview.differences), preview.waiting
    changed = sum(one.changes for one in preview.differences) - waiting
    state = preview.rejudge.state.value
    return f"{state}: {total} submissions, {waiting} not judged yet, {changed} of the rest change"


def _row(rejudge: Rejudge) -> dict[str, Any]:
    return {
        "id": rejudge.id,
        "state": rejudge.state,
        "reason": rejudge.reason,
        "created_at": rejudge.created_at,
        "closed_at": rejudge.closed_at,
    }
