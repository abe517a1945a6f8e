"""The second look: a run that ended near its time limit while the machine was busy is run again.

A busy machine makes a program slower, by what the cores share, and makes it wait for a core. So
that it gets the verdict which it would have got on an idle one, the better of two runs counts
there, and the figures of both are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from judge.grading.interact import Attempt
from judge.grading.run import Ran
from judge.model import Evidence, Problem, Test, Usage, Verdict, decide, needs_checker

NEAREST, FARTHEST = 0.9, 1.1
"""What is near a limit, as shares of it. A run that was stopped at its limit is just over it."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The attempt that counts, and the figures of the other one where there were two."""

    attempt: Attempt
    other: Usage | None = None


def look(attempt: Callable[[], Attempt], *, once: bool = False) -> Looked:
    """Make the attempt, and make it again where the first one leaves a doubt; `once` forbids it."""
    first = attempt()
    if once or not is_doubtful(first.ran):
        return Looked(first)
    second = attempt()
    if _is_over_time(first.ran) or (
        second.answered == first.answered and _is_quicker(second, first)
    ):
        return Looked(second, other=first.ran.run.usage)
    return Looked(first, other=second.ran.run.usage)


def is_doubtful(ran: Ran) -> bool:
    """Whether the machine was busy, and nothing but its time decides about the run."""
    return ran.machine_was_busy and _is_near_limit(ran) and (_went_well(ran) or _is_over_time(ran))


def stages(problem: Problem) -> frozenset[str]:
    """The tests that are stages of a chain: what one of them did to the workspace that they share
    cannot be undone, so none of them can be run twice."""
    return frozenset(_stages(problem.tests))


def _stages(tests: Sequence[Test]) -> set[str]:
    pairs = [(test, next_one) for test, next_one in pairwise(tests) if next_one.continues]
    return {test.id for pair in pairs for test in pair}


def _is_near_limit(ran: Ran) -> bool:
    usage, limits = ran.run.usage, ran.limits
    shares = (usage.cpu_ns / limits.cpu_ns, usage.wall_ns / limits.wall_ns)
    return any(NEAREST <= share <= FARTHEST for share in shares)


def _went_well(ran: Ran) -> bool:
    return needs_checker(ran.run, ran.limits)


def _is_over_time(ran: Ran) -> bool:
    evidence = Evidence(limits=ran.limits, run=ran.run)
    return decide(evidence) is Verdict.TIME_LIMIT_EXCEEDED


def _is_quicker(one: Attempt, other: Attempt) -> bool:
    return _went_well(one.ran) and one.ran.run.usage.cpu_ns < other.ran.run.usage.cpu_ns
