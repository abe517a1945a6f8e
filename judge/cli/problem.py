"""`adjudge problem`: what is served."""

from pathlib import Path
from typing import Any

import click

from judge.cli import problem_check, problem_package, problem_verify
from judge.cli.console import choice, json_option, open_database, print_json, show
from judge.packages import approve
from judge.store import AbortPolicy, Database, Feedback, Problem, Settings, problems
from judge.work import Shelf


@click.group(name="problem")
def command() -> None:
    """Add and list problems, and find out whether a package is fit to be served."""


command.add_command(problem_check.check)
command.add_command(problem_verify.verify)
command.add_command(problem_package.new)
command.add_command(problem_package.import_)
command.add_command(problem_package.export)


@command.command()
@click.argument("package", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--tests",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the hidden tests (default: ../../data/NAME beside the package).",
)
@click.option(
    "--id",
    "number",
    type=click.IntRange(min=1),
    help="The id of a new problem (default: the next free one), as the one it has elsewhere.",
)
@click.option("--cap", type=click.IntRange(min=0), help="Submissions that count, per user.")
@click.option(
    "--feedback",
    type=choice(Feedback),
    help="When participants see results of tests (default: live, or final where there is a cap).",
)
@click.option(
    "--abort", type=choice(AbortPolicy), help="Until when participants may abort a submission."
)
@click.option("--group", help="The workers that judge it: those of this group.")
@click.option("--hidden", is_flag=True, help="Do not release it to participants yet.")
@json_option
def add(
    package: Path,
    tests: Path | None,
    number: int | None,
    cap: int | None,
    feedback: str | None,
    abort: str | None,
    group: str | None,
    hidden: bool,
    as_json: bool,
) -> None:
    """Serve the problem of the folder PACKAGE, or its new version where it is served already.

    It is checked first (`adjudge problem check`): an error refuses it, a warning does not. The
    package and its tests are copied. Submissions that were judged keep their results.

    \b
    Example:  adjudge problem add problems/sum --cap 5
              adjudge problem add problems/basic --id 2510
    """
    settings = Settings()
    db = open_database(settings)
    content, warnings = approve(package, tests)
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)
    name, _ = Shelf(settings.packages).put(package, tests, content)
    problem = problems.put(
        db,
        content,
        name,
        number=number,
        cap=cap,
        feedback=Feedback(feedback) if feedback else None,
        abort=AbortPolicy(abort) if abort else None,
        worker_group=group,
        released=not hidden,
    )
    lacking = problems.languages_lacking(db, problem)
    if lacking:
        click.echo(f"warning: no worker offers {', '.join(lacking)} at present", err=True)
    if as_json:
        print_json(_row(db, problem))
    else:
        tests_count = len(content.tests)
        click.echo(
            f"problem {problem.id}: {problem.slug} ({problem.title}), {tests_count} tests,"
            f" {problem.points:g} points, version {name[:12]}"
        )


@command.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the problems."""
    db = open_database(Settings())
    rows = [_row(db, problem) for problem in problems.all_problems(db)]
    show(rows, as_json=as_json, empty="no problems yet; add one: adjudge problem add FOLDER")


@command.command()
@click.argument("slug")
@click.option("--reason", required=True, help="Why; participants and operators see it.")
@json_option
def hold(slug: str, reason: str, as_json: bool) -> None:
    """Let submissions to SLUG wait, as when its checker fails; none is lost.

    \b
    Example:  adjudge problem hold sum --reason "test 7 has a wrong answer"
    """
    db = open_database(Settings())
    problem = problems.hold(db, problems.find(db, slug).id, reason, None)
    if as_json:
        print_json(_row(db, problem))
    else:
        click.echo(f"{slug} is held: {problem.held}; go on with: adjudge problem resume {slug}")


@command.command()
@click.argument("slug")
@json_option
def resume(slug: str, as_json: bool) -> None:
    """Judge what waits for SLUG again."""
    db = open_database(Settings())
    problem = problems.resume(db, problems.find(db, slug).id, None)
    if as_json:
        print_json(_row(db, problem))
    else:
        click.echo(f"{slug} is judged again")


def _row(db: Database, problem: Problem) -> dict[str, Any]:
    entry = problems.entry(db, problem.id)
    return {
        "id": problem.id,
        "slug": problem.slug,
        "title": problem.title,
        "points": problem.points,
        "languages": problem.languages,
        "released": problem.released,
        "held": problem.held,
        "group": problem.worker_group,
        "cap": entry.cap if entry else None,
        "feedback": entry.feedback if entry else Feedback.LIVE,
        "version": problem.package[:12],
    }
