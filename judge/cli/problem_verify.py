"""`adjudge problem verify`: judges what comes with a package, and compares."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from judge.cli.console import json_option, print_json
from judge.cli.judge import NOT_ACCEPTED, Unusable, read_source
from judge.cli.problem_check import packages_argument, tests_option
from judge.cli.problem_timing import timed
from judge.grading import (
    Finished,
    GradingError,
    Refused,
    Slot,
    TestFinished,
    grade,
    refused_inputs,
)
from judge.model import Problem, Verdict
from judge.packages import PackageError, Solution, load, solutions


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

    A solution for which no score is named is judged up to its first failure. Before, the package's
    input validators look at each input, and its time limit is derived where it names none.
    Exit code: 0 all as expected, 1 not, 2 the judge could not do its work.

    \b
    Example:  adjudge problem verify problems/*
    """
    results: list[Verified] = []
    refused: list[tuple[str, Refused]] = []
    try:
        with Slot() as slot:
            for package in packages:
                found = solutions(package)
                problem = timed(load(package, tests), found, slot)
                refused.extend((package.name, entry) for entry in refused_inputs(problem, slot))
                for solution in found:
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
        print_json([*map(_row, results), *(_refused_row(*entry) for entry in refused)])
    else:
        _show(results, refused)
    if refused or not all(result.as_expected for result in results):
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


def _refused_row(name: str, refused: Refused) -> dict[str, object]:
    return {
        "problem": name,
        "input": str(refused.input) if refused.input else None,
        "validator": refused.validator.name,
        "as_expected": False,
        "message": refused.reason,
    }


def _show(results: list[Verified], refused: list[tuple[str, Refused]]) -> None:
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
    for name, entry in refused:
        what = entry.input.name if entry.input else "every input"
        click.echo(f"{name}: {what} is refused: {entry.reason}")
    failed = sum(not result.as_expected for result in results)
    inputs = f"; {len(refused)} inputs refused" if refused else ""
    click.echo(f"{len(results)} solutions, {failed or 'none'} not as expected{inputs}")
