"""`adjudge export`: records as files for others."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TypedDict, Unpack

import click
from rich.console import Console

from judge.cli.console import open_database
from judge.results.export import Format, Kind, read, write, write_feed
from judge.results.export.kinds import COLUMNS
from judge.store import Database, Settings, benchmarks, problems
from judge.store.scan import Filter

FEED = "feed"
_MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"])


class _Choice(TypedDict):
    """The options that narrow."""

    benchmark: str | None
    problem: tuple[str, ...]
    user: tuple[str, ...]
    agent: tuple[str, ...]
    model: tuple[str, ...]
    status: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    counted: bool


@click.command(name="export")
@click.argument("what", type=click.Choice([*(kind.value for kind in Kind), FEED]))
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Format]),
    help="Default: by the name of --out, or ndjson.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Default: standard output."
)
@click.option("--benchmark", help="Only submissions to the problems of this benchmark.")
@click.option("--problem", multiple=True, help="Only this problem (number or slug).")
@click.option("--user", multiple=True, help="Only this user.")
@click.option("--agent", multiple=True, help="Only this agent.")
@click.option("--model", multiple=True, help="Only this model.")
@click.option("--status", multiple=True, help="Only this status.")
@click.option("--since", type=_MOMENT, help="Only what was submitted then or later (UTC).")
@click.option("--until", type=_MOMENT, help="Only what was submitted before (UTC).")
@click.option(
    "--counted",
    is_flag=True,
    help="Only final submissions that count: charged, and not aborted. Default: all.",
)
def command(what: str, form: str | None, out: Path | None, **choice: Unpack[_Choice]) -> None:
    """Write submissions, judgings, tests, events, or an ICPC Contest API feed.

    Rows are streamed. Options that can be given again mean "any of these". The columns are
    documented in docs/results.md and carry a schema version.

    \b
    Example:  adjudge export submissions --benchmark projdevbench --out submissions.parquet
              adjudge export tests --user codex --format csv > tests.csv
              adjudge export feed --benchmark projdevbench > event-feed.ndjson
    """
    db = open_database(Settings())
    chosen = _filter(db, choice)
    with ExitStack() as stack:
        file = stack.enter_context(_open(out))
        if what == FEED:
            count = write_feed(file, db, chosen, choice["benchmark"] or "adjudge")
        else:
            kind = Kind(what)
            count = write(
                file,
                COLUMNS[kind],
                read(db, kind, chosen),
                Format(form) if form else _form_of(out),
                _progress(stack, what),
            )
    if out is not None:
        click.echo(f"{count} {'events' if what == FEED else what} in {out}", err=True)


def _filter(db: Database, choice: _Choice) -> Filter:
    if choice["benchmark"]:
        benchmarks.find(db, choice["benchmark"])
    return Filter(
        benchmark=choice["benchmark"] or "",
        problems=tuple(_problem(db, word) for word in choice["problem"]) or None,
        users=choice["user"],
        agents=choice["agent"],
        models=choice["model"],
        statuses=choice["status"],
        since=_utc(choice["since"]),
        until=_utc(choice["until"]),
        counted=choice["counted"],
    )


def _problem(db: Database, word: str) -> int:
    if word.isascii() and word.isdigit():
        return problems.get(db, int(word)).id
    return problems.find(db, word).id


def _utc(moment: datetime | None) -> datetime | None:
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _form_of(out: Path | None) -> Format:
    suffix = out.suffix.removeprefix(".") if out else ""
    return Format(suffix) if suffix in list(Format) else Format.NDJSON


@contextmanager
def _open(out: Path | None) -> Iterator[IO[bytes]]:
    """The file appears under its name when it is complete."""
    if out is None:
        yield sys.stdout.buffer
        return
    part = out.with_name(f".{out.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _progress(stack: ExitStack, what: str) -> Callable[[int], None]:
    """A line on the terminal that counts; nothing where nobody looks at it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return lambda _done: None
    status = stack.enter_context(console.status(f"0 {what}"))
    return lambda done: status.update(f"{done} {what}")
