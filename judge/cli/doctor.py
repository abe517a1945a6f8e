"""`adjudge doctor`: whether this machine can judge."""

import sys

import click
from rich.console import Console
from rich.table import Table

from judge.cli.console import json_option, print_json
from judge.store import Settings
from judge.work.doctor import examine, languages_check
from sandbox.checks import Check, State, failures

_COLOURS = {State.OK: "green", State.WARNING: "yellow", State.FAILURE: "red"}


@click.command(name="doctor")
@json_option
def command(as_json: bool) -> None:
    """Check each thing that the judge needs of this machine, by doing it.

    Exit code 0 if all is well or there are only warnings, 1 on a failure: a worker refuses to start
    then, for the same reasons.

    \b
    Example:  adjudge doctor --json
    """
    checks = examine(Settings())
    if not failures(checks):
        checks.append(languages_check())
    if as_json:
        print_json([check.as_dict() for check in checks])
    else:
        _print(checks)
    sys.exit(1 if failures(checks) else 0)


def _print(checks: list[Check]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for check in checks:
        mend = f"\n[dim]{check.mend}[/]" if check.mend else ""
        colour = _COLOURS[check.state]
        table.add_row(check.name, f"[{colour}]{check.state}[/]", f"{check.found}{mend}")
    Console(width=None if sys.stdout.isatty() else 160, highlight=False).print(table)
