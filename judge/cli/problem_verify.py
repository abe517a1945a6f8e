"""`adjudge problem verify`: judges what comes with a package, and compares."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from judge.cli.console import json_option, print_json
from judge.cli.judge import NOT_ACCEPTED, Unusable
from judge.cli.problem_check import (
    packages_argument,
    refuse_tests_of_several,
    tests_option,
)
from judge.cli.problem_source import solution_source
from judge.cli.problem_timing import strained, timed
from judge.grading import (
    Finished,
    GradingError,
    Mistaken,
    Refused,
    Slot,
    TestFinished,
    grade,
    mistakes,
    refused_inputs,
)
from judge.model import Outcome, Problem, Verdict
from judge.packages import PackageError, Solution, load, solutions

_MANY = 3
"""How many verdicts are shown one by one."""


@dataclass(frozen=True, slots=True)
class Verified:
    """How a solution of a package fared. `found` is None where it could not be judged;
    `slowest_ns` is the CPU time of its slowest test; `differences` are sentences."""

    problem: str
    solution: Solution
    found: Verdict | None
    score: float
    message: str
    slowest_ns: int = 0
    differences: tuple[str, ...] = ()

    @property
    def as_expected(self) -> bool:
        """Whether verdict and score, and what else is named, are what the package says."""
        right_score = self.solution.score is None or self.score in self.solution.score
        return self.found in self.solution.expected and right_score and not self.differences


@dataclass(slots=True)
class _Findings:
    """What came out of all packages; each entry begins with the name of one."""

    results: list[Verified] = field(default_factory=list)
    refused: list[tuple[str, Refused]] = field(default_factory=list)
    mistaken: list[tuple[str, Mistaken]] = field(default_factory=list)
    warnings: list[tuple[str, str]] = field(default_factory=list)


@click.command()
@packages_argument
@tests_option
@json_option
def verify(packages: tuple[Path, ...], tests: Path | None, as_json: bool) -> None:
    """Judge all solutions of PACKAGES, and compare with what each is expected to get.

    A solution is judged up to its first failure, unless its score or the results of single tests
    are expected. Before, the package's input validators look at each input, they and the checker
    are tried on what they must refuse, and the time limit is derived where the package names none.
    A named one that is nearer to the solutions than the package says is a warning: the machine may
    be slow.
    Exit code: 0 all as expected, 1 not, 2 the judge could not do its work.

    \b
    Example:  adjudge problem verify problems/*
    """
    refuse_tests_of_several(packages, tests)
    found = _Findings()
    try:
        with Slot() as slot:
            for package in packages:
                _verify(package, tests, slot, found)
    except PackageError as error:
        raise Unusable("\n".join(str(fault) for fault in error.faults)) from error
    except GradingError as error:
        raise Unusable(f"the judge failed: {error}") from error
    finally:
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)
    for name, warning in found.warnings:
        click.echo(f"warning: {name}: {warning}", err=True)
    if as_json:
        print_json(
            [
                *map(_row, found.results),
                *(_refused_row(*entry) for entry in found.refused),
                *(_mistaken_row(*entry) for entry in found.mistaken),
            ]
        )
    else:
        _show(found)
    if found.refused or found.mistaken or not all(result.as_expected for result in found.results):
        raise click.exceptions.Exit(NOT_ACCEPTED)


def _verify(package: Path, tests: Path | None, slot: Slot, found: _Findings) -> None:
    theirs = solutions(package, tests)
    problem = timed(load(package, tests), theirs, slot)
    name = package.resolve().name
    found.refused.extend((name, entry) for entry in refused_inputs(problem, slot))
    found.mistaken.extend((name, entry) for entry in mistakes(problem, slot))
    results = []
    for solution in theirs:
        results.append(_judged(name, problem, solution, slot))
        if sys.stderr.isatty():
            click.echo(f"\r{name}/{solution.name}\x1b[K", nl=False, err=True)
    found.results.extend(results)
    times = [(result.solution, result.slowest_ns) for result in results]
    found.warnings.extend((name, warning) for warning in strained(problem, times, slot))


def _judged(name: str, problem: Problem, solution: Solution, slot: Slot) -> Verified:
    try:
        source = solution_source(problem, solution)
    except Unusable as error:
        return Verified(name, solution, None, 0, error.message)
    slowest_ns = 0
    to_the_end = solution.score is not None or bool(solution.expectations)
    for event in grade(problem, source, slot):
        match event:
            case TestFinished(result):
                slowest_ns = max(slowest_ns, result.usage.cpu_ns if result.usage else 0)
                if result.verdict is not Verdict.ACCEPTED and not to_the_end:
                    said = result.message
                    return Verified(name, solution, result.verdict, 0, said, slowest_ns)
            case Finished(outcome):
                parts = (one.differences(outcome) for one in solution.expectations)
                differences = tuple(sentence for part in parts for sentence in part)
                how = (outcome.verdict, outcome.score, _said(outcome), slowest_ns, differences)
                return Verified(name, solution, *how)
            case _:
                pass
    raise GradingError("grade", "it ended without an outcome")


def _said(outcome: Outcome) -> str:
    """What the first test that failed says, or the build."""
    results = (result for group in outcome.groups for result in group.results)
    failed = (result.message for result in results if result.verdict is not Verdict.ACCEPTED)
    return next(failed, "") or outcome.message


def _row(result: Verified) -> dict[str, object]:
    wanted = result.solution.score
    return {
        "problem": result.problem,
        "solution": result.solution.name,
        "expected": sorted(result.solution.expected),
        "verdict": result.found,
        "expected_score": wanted.written if wanted else None,
        "score": result.score if wanted else None,
        "as_expected": result.as_expected,
        "differences": list(result.differences),
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


def _mistaken_row(name: str, mistaken: Mistaken) -> dict[str, object]:
    return {
        "problem": name,
        "specimen": mistaken.specimen.test.id,
        "as_expected": False,
        "message": mistaken.reason,
    }


def _wanted(solution: Solution) -> str:
    """The verdicts that will do, in few words where they are many."""
    expected = solution.expected
    if len(expected) <= _MANY:
        return " or ".join(sorted(expected))
    return "any verdict" if Verdict.ACCEPTED in expected else "any failure"


def _why(result: Verified) -> str:
    return "; ".join(result.differences) or result.message.partition("\n")[0]


def _show(found: _Findings) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("problem", "solution", "expected", "verdict", ""):
        table.add_column(column, no_wrap=True)
    table.add_column("message", overflow="fold")
    for result in found.results:
        wanted = _wanted(result.solution)
        verdict = str(result.found or "not judged")
        if result.solution.score is not None:
            wanted += f", {result.solution.score} points"
            verdict += f", {result.score:g} points"
        mark = "[green]ok[/green]" if result.as_expected else "[red]NOT AS EXPECTED[/red]"
        message = "" if result.as_expected else _why(result)
        names = (result.problem, result.solution.name.replace("[", r"\["))
        table.add_row(*names, wanted, verdict, mark, message.replace("[", r"\["))
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    for name, refused in found.refused:
        what = refused.input.name if refused.input else "every input"
        click.echo(f"{name}: {what} is refused: {refused.reason}")
    for name, mistaken in found.mistaken:
        click.echo(f"{name}: {mistaken.specimen.test.id}: {mistaken.reason}")
    failed = sum(not result.as_expected for result in found.results)
    others = f"; {len(found.refused)} inputs refused" if found.refused else ""
    if found.mistaken:
        others += f"; {len(found.mistaken)} specimens judged wrongly"
    click.echo(f"{len(found.results)} solutions, {failed or 'none'} not as expected{others}")
