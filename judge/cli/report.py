"""Shows the outcome of a judging: a table for people, an object for scripts."""

from typing import Any

from rich.console import Console
from rich.table import Table

from judge.model import Outcome, Problem, TestResult, Usage, Verdict

_COLOURS = {
    Verdict.ACCEPTED: "green",
    Verdict.SKIPPED: "dim",
    Verdict.SYSTEM_ERROR: "magenta",
    Verdict.BAD_PROBLEM: "magenta",
}


def as_object(problem: Problem, outcome: Outcome) -> dict[str, Any]:
    """The outcome as one JSON object. Times are in nanoseconds, memory and disk in bytes."""
    results = {result.test: result for group in outcome.groups for result in group.results}
    return {
        "problem": problem.slug,
        "verdict": outcome.verdict,
        "score": outcome.score,
        "points": problem.points,
        "message": outcome.message,
        **_usage(outcome.usage),
        "groups": [
            {
                "id": group.group.id,
                "name": group.group.name,
                "verdict": group.verdict,
                "score": group.score,
                "points": group.group.points,
                "tests": list(group.group.tests),
            }
            for group in outcome.groups
        ],
        "tests": [
            {
                "id": result.test,
                "verdict": result.verdict,
                "score": result.score,
                "raw_score": result.raw,
                "message": result.message,
                "judge_message": result.judge_message,
                **_usage(result.usage),
                "other_look": _times(result.other_look),
            }
            for result in results.values()
        ],
    }


def show(console: Console, problem: Problem, outcome: Outcome) -> None:
    """Print the groups with their tests, and the outcome as the last line."""
    if outcome.message:
        console.print(outcome.message, markup=False, highlight=False)
    if outcome.groups:
        console.print(_table(outcome))
    usage = outcome.usage
    figures = f", {_seconds(usage.cpu_ns)}, {_mib(usage.memory_bytes)}" if usage else ""
    console.print(
        f"{_coloured(outcome.verdict)}: {outcome.score:g} of {problem.points:g} points{figures}",
        highlight=False,
    )


def _table(outcome: Outcome) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("group", "test", "verdict"):
        table.add_column(name, no_wrap=True)
    for name in ("points", "CPU", "wall", "memory"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("message", overflow="fold")
    for group in outcome.groups:
        points = f"{group.score:g}/{group.group.points:g}"
        table.add_row(group.group.name, "", _coloured(group.verdict), points, style="bold")
        for result in group.results:
            table.add_row("", *_row(result))
    return table


def _row(result: TestResult) -> tuple[str, ...]:
    usage = result.usage
    figures = (
        (_seconds(usage.cpu_ns), _seconds(usage.wall_ns), _mib(usage.memory_bytes))
        if usage
        else ("-", "-", "-")
    )
    first_line = result.message.partition("\n")[0].replace("[", r"\[")
    if result.judge_message:
        said = result.judge_message.partition("\n")[0].replace("[", r"\[")
        first_line = f"{first_line} (To the judges: {said})".strip()
    if result.other_look is not None:
        first_line += f" (The machine was busy: the other run took {_both(result.other_look)}.)"
    return (result.test, _coloured(result.verdict), f"{result.score:g}", *figures, first_line)


def _coloured(verdict: Verdict) -> str:
    colour = _COLOURS.get(verdict, "red")
    return f"[{colour}]{verdict}[/{colour}]"


def _usage(usage: Usage | None) -> dict[str, int | None]:
    names = ("cpu_ns", "wall_ns", "memory_bytes", "disk_bytes", "files")
    return {name: getattr(usage, name) if usage else None for name in names}


def _times(other: Usage | None) -> dict[str, int] | None:
    return {"cpu_ns": other.cpu_ns, "wall_ns": other.wall_ns} if other else None


def _both(times: Usage) -> str:
    return f"{_seconds(times.cpu_ns)} of CPU, {_seconds(times.wall_ns)} in all"


def _seconds(ns: int) -> str:
    return f"{ns / 1e9:.3f} s"


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB"
