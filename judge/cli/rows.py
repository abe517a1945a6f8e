"""The options of `score` and `report` that say which rows are counted, and how."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import click

from judge.cli.console import open_database
from judge.results.files.attributions import load_attributions
from judge.results.files.row_files import load_rows
from judge.results.scoring.execution import Protocol
from judge.results.scoring.final import Weights
from judge.results.scoring.registry import Benchmark, load_registry
from judge.results.scoring.rows import Row
from judge.results.stored import find_benchmark, stored_rows
from judge.store import Settings, submissions

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


class Choice(TypedDict):
    """The values of `row_options`."""

    benchmark: str | None
    registry: Path | None
    rows: Path | None
    attributions: Path | None
    leave_out_unjudged: bool
    round_: str | None
    uncapped: bool
    charge_faults: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is scored, how, and where a submission's text comes from."""

    benchmark: Benchmark
    rows: list[Row]
    code_of: Callable[[Row], str]
    protocol: Protocol


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


row_options = _together(
    click.option("--benchmark", help="What was submitted to this benchmark here."),
    click.option("--registry", type=_FILE, help="Take --rows by this registry instead."),
    click.option("--rows", type=_FILE, help="exec_results.csv or .json of an earlier run."),
    click.option(
        "--attributions",
        type=_FILE,
        help="CSV of `adjudge import-logs`: which agent and model made which submission.",
    ),
    click.option(
        "--leave-out-unjudged",
        is_flag=True,
        help="Take what is judged, as if the rest had not been submitted.",
    ),
    click.option("--round", "round_", help="This round only."),
    click.option(
        "--uncapped",
        is_flag=True,
        help="A raw score over the full one earns more (as the original's scripts count).",
    ),
    click.option(
        "--charge-faults",
        is_flag=True,
        help="Faults of the judge use up the cap (as the original's scripts count).",
    ),
)
weight_options = _together(
    click.option("--exec-weight", type=click.FloatRange(0, 1), default=0.8, show_default=True),
    click.option("--review-weight", type=click.FloatRange(0, 1), default=0.2, show_default=True),
)
reviews_option = click.option(
    "--reviews", type=FOLDER, help="Folder of reviews, as `adjudge review` writes them."
)


def choose(choice: Choice) -> Chosen:
    """The rows that the options name. UsageError where they name none, or two sources."""
    name, registry, file = choice["benchmark"], choice["registry"], choice["rows"]
    protocol = Protocol(choice["uncapped"], choice["charge_faults"])
    if registry and file and not name:
        benchmark = load_registry(registry)
        given = Chosen(benchmark, load_rows(file, benchmark), _no_code, protocol)
    elif name and not registry and not file:
        given = _stored(name, choice["attributions"], choice["leave_out_unjudged"], protocol)
    else:
        raise click.UsageError("give either --benchmark NAME, or --registry FILE and --rows FILE")
    if choice["round_"] is None:
        return given
    rows = [row for row in given.rows if row.participant.round == choice["round_"]]
    return Chosen(given.benchmark, rows, given.code_of, protocol)


def weights(execution: float, review: float) -> Weights:
    """UsageError where they do not add up to 1."""
    try:
        return Weights(execution, review)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _stored(
    name: str, attributions: Path | None, leave_out_unjudged: bool, protocol: Protocol
) -> Chosen:
    db = open_database(Settings())
    stored = find_benchmark(db, name)
    rows = stored_rows(
        db,
        stored,
        attributions=load_attributions(attributions) if attributions else None,
        leave_out_unjudged=leave_out_unjudged,
    )

    def code_of(row: Row) -> str:
        text = submissions.text(db, row.submission)
        return "N/A" if text is None else text.decode("utf-8", "replace")

    return Chosen(stored.benchmark, rows, code_of, protocol)


def _no_code(_row: Row) -> str:
    return "N/A"
