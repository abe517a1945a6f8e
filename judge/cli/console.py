"""What the commands share: settings, the database, tables and JSON on standard output."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table

from judge.store import Database, Settings

F = TypeVar("F", bound=Callable[..., Any])


def choice(words: type[StrEnum]) -> click.Choice[str]:
    """One of the words, as they are written (click would take the names of the members)."""
    return click.Choice([word.value for word in words])


def json_option(function: F) -> F:
    """Adds `--json` to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts to read.")(
        function
    )


def open_database(settings: Settings) -> Database:
    """The database, with its tables brought to this version."""
    db = Database(settings.database)
    db.migrate()
    return db


def show(rows: Sequence[dict[str, Any]], *, as_json: bool, empty: str) -> None:
    """Prints records as a table or as a JSON list; `empty` is the sentence for none."""
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo(empty)
    else:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for key in rows[0]:
            table.add_column(key)
        for row in rows:
            table.add_row(*(_cell(value) for value in row.values()))
        width = None if sys.stdout.isatty() else 200
        Console(width=width, markup=False, highlight=False).print(table)


def print_json(value: object) -> None:
    """Prints one JSON value; moments in ISO 8601 with their zone."""
    click.echo(json.dumps(value, indent=2, default=_encode, ensure_ascii=False))


def _encode(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M")
        case str():
            return value
        case Mapping():
            return ", ".join(f"{key}={_cell(item)}" for key, item in value.items())
        case Iterable():
            return ", ".join(str(item) for item in value)
        case _:
            return str(value)
