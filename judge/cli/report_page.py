"""`adjudge report`: a benchmark's results as one page."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Unpack

import click

from judge.cli.rows import Choice, choose, reviews_option, row_options, weight_options, weights
from judge.results.files.publish import NO_REVIEWS
from judge.results.files.reviews import load_reviews
from judge.results.report import gather, render, write_figures


@click.command(name="report")
@row_options
@reviews_option
@weight_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The page.",
)
@click.option(
    "--figures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the figures as SVG and PNG, too.",
)
@click.option("--title", help="Default: Results of the benchmark.")
def command(
    out: Path,
    figures: Path | None,
    title: str | None,
    reviews: Path | None,
    exec_weight: float,
    review_weight: float,
    **choice: Unpack[Choice],
) -> None:
    """Write one HTML page with leaderboard, problems, verdicts, submissions, time and memory.

    The page needs nothing else: no network, no script, no other file.

    \b
    Example:  adjudge report --benchmark projdevbench --out report.html --figures figures/
    """
    halves = weights(exec_weight, review_weight)
    chosen = choose(choice)
    data = gather(
        chosen.benchmark,
        chosen.rows,
        load_reviews(reviews) if reviews else NO_REVIEWS,
        weights=halves,
        protocol=chosen.protocol,
    )
    page = render(
        data,
        title=title or f"Results of {chosen.benchmark.name}",
        made_at=datetime.now(UTC),
    )
    out.write_text(page, encoding="utf-8")
    click.echo(f"the page is {out}")
    if figures:
        click.echo(f"{len(write_figures(figures, data))} figures in {figures}")
