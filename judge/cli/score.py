"""`adjudge score`: the figures that a paper prints."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.results.attributions import load_attributions
from judge.results.execution import Protocol
from judge.results.final import Weights
from judge.results.publish import (
    NO_REVIEWS,
    Published,
    publish_all,
    publish_executions,
    publish_reviews,
)
from judge.results.registry import Benchmark, load_registry
from judge.results.reviews import load_reviews
from judge.results.row_files import load_rows
from judge.results.rows import Row
from judge.results.stored import find_benchmark, stored_rows
from judge.store import Settings, submissions

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(name="score")
def command() -> None:
    """Compute the scores of a benchmark and write them as files."""


class _Choice(TypedDict):
    """The options that say which rows."""

    benchmark: str | None
    registry: Path | None
    rows: Path | None
    attributions: Path | None
    leave_out_unjudged: bool
    round_: str | None


@dataclass(frozen=True, slots=True)
class _Input:
    """What is scored, and where a submission's text comes from."""

    benchmark: Benchmark
    rows: list[Row]
    code_of: Callable[[Row], str]


def _options(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_out = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Folder to write into.",
)
_reviews = click.option(
    "--reviews", type=_FOLDER, help="Folder of reviews, as `adjudge review` writes them."
)
_rows = _options(
    click.option("--benchmark", help="Score what was submitted to this benchmark here."),
    click.option("--registry", type=_FILE, help="Score --rows by this registry instead."),
    click.option("--rows", type=_FILE, help="exec_results.csv or .json of an earlier run."),
    click.option(
        "--attributions",
        type=_FILE,
        help="CSV of `adjudge import-logs`: which agent and model made which submission.",
    ),
    click.option(
        "--leave-out-unjudged",
        is_flag=True,
        help="Score what is judged, as if the rest had not been submitted.",
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


@command.command(name="exec")
@_rows
@_out
@json_option
def exec_(
    out: Path,
    uncapped: bool,
    charge_faults: bool,
    as_json: bool,
    **choice: Unpack[_Choice],
) -> None:
    """Write the execution scores: exec_results, exec_score_analysis, exec_score_summary, and ours.

    \b
    Example:  adjudge score exec --benchmark projdevbench --out results/
              adjudge score exec --registry registry.json --rows exec_results.csv
    """
    given = _read(choice)
    published = publish_executions(
        out,
        given.benchmark,
        given.rows,
        protocol=Protocol(uncapped, charge_faults),
        code_of=given.code_of,
    )
    _print(published, out, as_json=as_json)


@command.command()
@click.option(
    "--reviews", type=_FOLDER, required=True, help="Folder of reviews (`adjudge review`)."
)
@_out
@json_option
def review(reviews: Path, out: Path, as_json: bool) -> None:
    """Write the code review scores: cr_score_analysis, cr_score_detail, cr_score_summary.

    \b
    Example:  adjudge score review --reviews reviews/ --out results/
    """
    _print(publish_reviews(out, load_reviews(reviews)), out, as_json=as_json)


@command.command(name="all")
@_rows
@_reviews
@click.option("--exec-weight", type=click.FloatRange(0, 1), default=0.8, show_default=True)
@click.option("--review-weight", type=click.FloatRange(0, 1), default=0.2, show_default=True)
@_out
@json_option
def all_(
    out: Path,
    reviews: Path | None,
    exec_weight: float,
    review_weight: float,
    uncapped: bool,
    charge_faults: bool,
    as_json: bool,
    **choice: Unpack[_Choice],
) -> None:
    """Write all score files: execution, review and final.

    Where one half of a final score is missing, both readings are written: counted as 0, and left
    out.

    \b
    Example:  adjudge score all --benchmark projdevbench --reviews reviews/ --out results/
    """
    try:
        weights = Weights(exec_weight, review_weight)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    given = _read(choice)
    published = publish_all(
        out,
        given.benchmark,
        given.rows,
        load_reviews(reviews) if reviews else NO_REVIEWS,
        weights=weights,
        protocol=Protocol(uncapped, charge_faults),
        code_of=given.code_of,
    )
    _print(published, out, as_json=as_json)


def _read(choice: _Choice) -> _Input:
    name, registry, file = choice["benchmark"], choice["registry"], choice["rows"]
    if registry and file and not name:
        benchmark = load_registry(registry)
        given = _Input(benchmark, load_rows(file, benchmark), _no_code)
    elif name and not registry and not file:
        given = _read_store(name, choice["attributions"], choice["leave_out_unjudged"])
    else:
        raise click.UsageError("give either --benchmark NAME, or --registry FILE and --rows FILE")
    if choice["round_"] is None:
        return given
    rows = [row for row in given.rows if row.participant.round == choice["round_"]]
    return _Input(given.benchmark, rows, given.code_of)


def _read_store(name: str, attributions: Path | None, leave_out_unjudged: bool) -> _Input:
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

    return _Input(stored.benchmark, rows, code_of)


def _no_code(_row: Row) -> str:
    return "N/A"


def _print(published: Published, out: Path, *, as_json: bool) -> None:
    rows = [
        {
            "agent": own.participant.agent,
            "model": own.participant.model,
            "round": own.participant.round,
            "average_all": round(own.average.all, 2),
            "average_attempted": None
            if own.average.attempted is None
            else round(own.average.attempted, 2),
            "exec_at_1_all": round(own.average_at_first.all, 2),
            "attempted": f"{own.average.attempts}/{own.average.problems}",
        }
        for own in published.participants
    ]
    if as_json:
        files = [str(path) for path in published.files]
        print_json({"files": files, "participants": rows})
        return
    if rows:
        show(rows, as_json=False, empty="")
    click.echo(f"{len(published.files)} files in {out}")
