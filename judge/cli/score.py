"""`adjudge score`: the figures that a paper prints."""

from pathlib import Path
from typing import Unpack

import click

from judge.cli.console import json_option, print_json, show
from judge.cli.rows import (
    FOLDER,
    Choice,
    choose,
    reviews_option,
    row_options,
    weight_options,
    weights,
)
from judge.results.files.publish import (
    NO_REVIEWS,
    Published,
    publish_all,
    publish_executions,
    publish_reviews,
)
from judge.results.files.reviews import load_reviews

_out = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Folder to write into.",
)


@click.group(name="score")
def command() -> None:
    """Compute the scores of a benchmark and write them as files."""


@command.command(name="exec")
@row_options
@_out
@json_option
def exec_(out: Path, as_json: bool, **choice: Unpack[Choice]) -> None:
    """Write the execution scores: exec_results, exec_score_analysis, exec_score_summary, and ours.

    \b
    Example:  adjudge score exec --benchmark projdevbench --out results/
              adjudge score exec --registry registry.json --rows exec_results.csv
    """
    chosen = choose(choice)
    published = publish_executions(
        out, chosen.benchmark, chosen.rows, protocol=chosen.protocol, code_of=chosen.code_of
    )
    _print(published, out, as_json=as_json)


@command.command()
@click.option("--reviews", type=FOLDER, required=True, help="Folder of reviews (`adjudge review`).")
@_out
@json_option
def review(reviews: Path, out: Path, as_json: bool) -> None:
    """Write the code review scores: cr_score_analysis, cr_score_detail, cr_score_summary.

    \b
    Example:  adjudge score review --reviews reviews/ --out results/
    """
    _print(publish_reviews(out, load_reviews(reviews)), out, as_json=as_json)


@command.command(name="all")
@row_options
@reviews_option
@weight_options
@_out
@json_option
def all_(
    out: Path,
    reviews: Path | None,
    exec_weight: float,
    review_weight: float,
    as_json: bool,
    **choice: Unpack[Choice],
) -> None:
    """Write all score files: execution, review and final.

    Where one half of a final score is missing, both readings are written: counted as 0, and left
    out.

    \b
    Example:  adjudge score all --benchmark projdevbench --reviews reviews/ --out results/
    """
    halves = weights(exec_weight, review_weight)
    chosen = choose(choice)
    published = publish_all(
        out,
        chosen.benchmark,
        chosen.rows,
        load_reviews(reviews) if reviews else NO_REVIEWS,
        weights=halves,
        protocol=chosen.protocol,
        code_of=chosen.code_of,
    )
    _print(published, out, as_json=as_json)


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
