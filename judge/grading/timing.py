"""How long a program takes, and the time limit that follows from it."""

import math
from dataclasses import replace

from judge.grading.grade import TestFinished, grade
from judge.grading.slot import Slot
from judge.grading.source import Source
from judge.model import Problem, Timing, Verdict, default_wall_ns
from judge.model.limits import NS_PER_SECOND

LONGEST_NS = 60 * NS_PER_SECOND
"""Nothing is waited for longer."""


def with_time_limit(problem: Problem, cpu_ns: int) -> Problem:
    """The problem with that time limit in each of its tests."""
    tests = (
        replace(
            test,
            limits=replace(test.limits, cpu_ns=cpu_ns, wall_ns=default_wall_ns(cpu_ns)),
        )
        for test in problem.tests
    )
    return replace(problem, tests=tuple(tests), timing=None)


def slowest_ns(problem: Problem, source: Source, slot: Slot) -> int | None:
    """The CPU time of the slowest of all tests; None where one takes longer than LONGEST_NS.
    GradingError."""
    slowest = 0
    for event in grade(with_time_limit(problem, LONGEST_NS), source, slot):
        if isinstance(event, TestFinished) and event.result.usage is not None:
            slowest = max(slowest, event.result.usage.cpu_ns)
            if event.result.verdict is Verdict.TIME_LIMIT_EXCEEDED:
                return None
    return slowest


def is_too_slow(problem: Problem, source: Source, slot: Slot) -> bool:
    """Whether it is over the time limit in any test. GradingError."""
    return any(
        isinstance(event, TestFinished) and event.result.verdict is Verdict.TIME_LIMIT_EXCEEDED
        for event in grade(problem, source, slot)
    )


def time_limit_ns(timing: Timing, slowest: int) -> int:
    """The time limit that follows where the slowest program that counts takes so long."""
    least = slowest * timing.accepted_factor
    return max(1, math.ceil(least / timing.resolution_ns)) * timing.resolution_ns
