"""`adjudge problem check` and `verify`: is a package fit to be served?"""

import sys
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from judge.cli.console import json_option, print_json
from judge.cli.judge import NOT_ACCEPTED, Unusable, read_source
from judge.grading import Finished, GradingError, Slot, TestFinished, grade
from judge.model import Problem, Verdict
from judge.packages import PackageError, Solution, load, solutions
from judge.packages import check as check_package

packages_argument = click.argument(
    "packages", nargs=-1, required=True, type=click.Path(path_type=Path)
)
tests_option = click.option(
    "--tests",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the hidden tests, for one package (default: ../../data/NAME beside it).",
)


@click.command()
@packages_argument
@tests_option
@click.option("--strict", is_flag=True, help="Let warnings count as well.")
@json_option
def check(packages: tuple[Path, ...], tests: Path | None, strict: bool, as_json: bool) -> None:
    """Find what is wrong with PACKAGES without running anything.

    Exit code: 0 fit to be served (warnings aside), 1 not.

    \b
    Example:  adjudge problem check problems/*
    """
    faults = [fault for package in packages for fault in check_package(package, tests)]
    if as_json:
        rows = [
            {
                "file": str(fault.file),
                "key": fault.key,
                "reason": fault.reason,
                "warning": fault.is_warning,
            }
            for fault in faults
        ]
        print_json(rows)
    else:
        for fault in faults:
            click.echo(f"{'warning' if fault.is_warning else 'error'}: {fault}")
        errors = sum(not fault.is_warning for fault in faults)
        click.echo(f"{len(packages)} checked: {errors} errors, {len(faults) - errors} warnings")
    if any(strict or not fault.is_warning for fault in faults):
        raise click.exceptions.Exit(NOT_ACCEPTED)


@dataclass(frozen=True, slots=True)
class Verified:
    """How a solution of a package fared. `found` is None where it could not be judged."""

    problem: str
    solution: Solution
    found: Verdict | None
    score: float
    message: str

    @property
    def as_expected(self) -> bool:
        """Whether verdict and score, where one is named, are what the package says."""
        right_score = self.solution.score is None or abs(self.score - self.solution.score) < 1e-6
        return self.found in self.solution.expected and right_score


@click.command()
@packages_argument
@tests_option
@json_option
def verify(packages: tuple[Path, ...], tests: Path | None, as_json: bool) -> None:
    """Judge all solutions of PACKAGES, and compare with what each is expected to get.

    A solution for which no score is named is judged up to its first failure.
    Exit code: 0 all as expected, 1 not, 2 the judge could not do its work.

    \b
    Example:  adjudge problem verify problems/*
    """
    results: list[Verified] = []
    try:
        with Slot() as slot:
            for package in packages:
                problem = load(package, tests)
                for solution in solutions(package):
                    results.append(_verify(package.name, problem, solution, slot))
                    if sys.stderr.isatty():
                        click.echo(f"\r{package.name}/{solution.name}\x1b[K", nl=False, err=True)
    except PackageError as error:
        raise Unusable("\n".join(str(fault) for fault in error.faults)) from error
    except GradingError as error:
        raise Unusable(f"the judge failed: {error}") from error
    finally:
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)
    if as_json:
        print_json([_row(result) for result in results])
    else:
        _show(results)
    if not all(result.as_expected for result in results):
        raise click.exceptions.Exit(NOT_ACCEPTED)


def _verify(name: str, problem: Problem, solution: Solution, slot: Slot) -> Verified:
    try:
        source = read_source(problem, solution.path, solution.language, None)
    except Unusable as error:
        return Verified(name, solution, None, 0, error.message)
    for event in grade(problem, source, slot):
        match event:
            case TestFinished(result) if solution.score is None:
                if result.verdict is not Verdict.ACCEPTED:
                    return Verified(name, solution, result.verdict, 0, result.message)
            case Finished(outcome):
                return Verified(name, solution, outcome.verdict, outcome.score, outcome.message)
            case _:
                pass
    raise GradingError("grade", "it ended without an outcome")


def _row(result: Verified) -> dict[str, object]:
    return {
        "problem": result.problem,
        "solution": result.solution.name,
        "expected": sorted(result.solution.expected),
        "verdict": result.found,
        "expected_score": result.solution.score,
        "score": result.score if result.solution.score is not None else None,
        "as_expected": result.as_expected,
        "message": result.message,
    }


def _show(results: list[Verified]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("problem", "solution", "expected", "verdict", ""):
        table.add_column(column, no_wrap=True)
    table.add_column("message", overflow="fold")
    for result in results:
        wanted = " or ".join(sorted(result.solution.expected))
        found = str(result.found or "not judged")
        if result.solution.score is not None:
            wanted += f", {result.solution.score:g} points"
            found += f", {result.score:g} points"
        mark = "[green]ok[/green]" if result.as_expected else "[red]NOT AS EXPECTED[/red]"
        message = "" if result.as_expected else result.message.partition("\n")[0]
        names = (result.problem, result.solution.name.replace("[", r"\["))
        table.add_row(*names, wanted, found, mark, message.replace("[", r"\["))
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    failed = sum(not result.as_expected for result in results)
    click.echo(f"{len(results)} solutions, {failed or 'none'} not as expected")
