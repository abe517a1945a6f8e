"""The time limit of a package that names none: it follows from its solutions."""

from collections.abc import Iterable, Iterator

import click

from judge.cli.judge import Unusable
from judge.cli.problem_source import solution_source
from judge.grading import Slot, Source
from judge.grading.timing import is_too_slow, slowest_ns, time_limit_ns, with_time_limit
from judge.model import Problem, Timing, Verdict
from judge.model.limits import NS_PER_SECOND
from judge.packages import Solution

_SLOW = frozenset({Verdict.TIME_LIMIT_EXCEEDED})


def timed(problem: Problem, solutions: Iterable[Solution], slot: Slot) -> Problem:
    """The problem with the time limit that follows from its solutions, which is told on standard
    error; as it is where it names one. Unusable where none follows; GradingError."""
    timing, solutions = problem.timing, tuple(solutions)
    if timing is None or timing.limit_is_named:
        return problem
    slowest, name = _slowest(problem, timing, solutions, slot)
    limit_ns = time_limit_ns(timing, slowest)
    limit, taken = f"{limit_ns / NS_PER_SECOND:g} s", f"{slowest / NS_PER_SECOND:.3f} s"
    click.echo(f"{problem.slug}: time limit {limit}, for {name} takes {taken}", err=True)
    far = with_time_limit(problem, round(limit_ns * timing.slow_factor))
    for solution, source in _readable(problem, solutions):
        is_bound = solution.expected == _SLOW and solution.counts_for_time
        if is_bound and not is_too_slow(far, source, slot):
            raise Unusable(
                f"{problem.slug}: no time limit follows: {name} needs {limit}, and {solution.name},"
                f" which must be too slow, is not so even at {timing.slow_factor:g} times that"
            )
    return with_time_limit(problem, limit_ns)


def strained(problem: Problem, times: Iterable[tuple[Solution, int]], slot: Slot) -> Iterator[str]:
    """A sentence for each way in which the time limit that a package names is not as far from its
    solutions as it says. `times` are those that need not be too slow and the CPU time of the
    slowest test of each. GradingError."""
    timing, solutions = problem.timing, tuple(times)
    if timing is None or not timing.limit_is_named:
        return
    limit_ns = problem.tests[0].limits.cpu_ns
    counted = [
        (taken, solution.name)
        for solution, taken in solutions
        if _must_be_quick(solution, timing) and solution.counts_for_time
    ]
    slowest, name = max(counted, default=(0, ""))
    if slowest * timing.accepted_factor > limit_ns:
        yield (
            f"the time limit of {_seconds(limit_ns)} is less than {timing.accepted_factor:g} times"
            f" the {_seconds(slowest)} that {name} takes here"
        )
    far_ns = round(limit_ns * timing.slow_factor)
    far = with_time_limit(problem, far_ns)
    slow = [solution for solution, _ in solutions if solution.expected == _SLOW]
    for solution, source in _readable(problem, slow):
        if solution.counts_for_time and not is_too_slow(far, source, slot):
            yield (
                f"{solution.name}, which must be too slow, ends within {_seconds(far_ns)} here,"
                f" {timing.slow_factor:g} times the time limit"
            )


def _seconds(ns: int) -> str:
    return f"{ns / NS_PER_SECOND:.3g} s"


def _slowest(
    problem: Problem, timing: Timing, solutions: tuple[Solution, ...], slot: Slot
) -> tuple[int, str]:
    """What the slowest solution takes that must not be too slow, and its name."""
    found = []
    for solution, source in _readable(problem, solutions):
        if _must_be_quick(solution, timing) and solution.counts_for_time:
            taken = slowest_ns(problem, source, slot)
            if taken is None:
                raise Unusable(f"{problem.slug}: {solution.name} takes longer than a minute")
            found.append((taken, solution.name))
    if not found:
        raise Unusable(f"{problem.slug}: no solution from which its time limit could follow")
    return max(found)


def _must_be_quick(solution: Solution, timing: Timing) -> bool:
    if timing.only_accepted:
        return solution.expected == {Verdict.ACCEPTED}
    return not solution.expected & {Verdict.TIME_LIMIT_EXCEEDED, Verdict.COMPILE_ERROR}


def _readable(problem: Problem, solutions: Iterable[Solution]) -> Iterator[tuple[Solution, Source]]:
    """What cannot be judged says nothing of time; `verify` tells of it."""
    for solution in solutions:
        try:
            yield solution, solution_source(problem, solution)
        except Unusable:
            continue
