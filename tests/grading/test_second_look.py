"""Runs near a time limit on a busy machine are run once more, and the better one counts."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest

from judge.grading import Cancel, Finished, Slot, Source, SourceText, grade
from judge.grading.check import Answered
from judge.grading.interact import Attempt
from judge.grading.load import Load, load_now, was_busy
from judge.grading.run import Ran
from judge.grading.second_look import look
from judge.model import Checked, Limits, Outcome, Problem, Run, TestResult, Usage, Verdict

Make = Callable[..., Problem]

MS = 1_000_000
LIMITS = Limits(1000 * MS, 3000 * MS, 1 << 28, 1, 1 << 20, 0, 0)
IDLE = Load(0, 0, cores=2)
"""A machine on which, by this, no time has passed: nobody can have used it."""

YES = Answered(Checked(1))
NO = Answered(Checked(0))


def ran(cpu_ms: int = 0, wall_ms: int = 0, *, busy: bool = True, exit_code: int = 0) -> Ran:
    usage = Usage(cpu_ms * MS, wall_ms * MS, 0, 0, 0)
    return Ran(Run(usage, exit_code, None), 0, LIMITS, machine_was_busy=busy)


def attempts(*prepared: Attempt) -> Callable[[], Attempt]:
    """Makes these, one after the other; more are an error."""
    left = iter(prepared)
    return lambda: next(left)


@pytest.mark.parametrize(
    "first",
    [
        ran(899),
        ran(1101),
        ran(100, 2699),
        ran(1000, busy=False),
        ran(100, 3000, busy=False),
        ran(950, exit_code=1),
        replace(ran(1001), run=replace(ran(1001).run, memory_exceeded=True)),
    ],
    ids=["far below", "far above", "wall far below", "idle", "wall, idle", "crashed", "memory"],
)
def test_one_look_is_enough(first: Ran) -> None:
    looked = look(attempts(Attempt(first, YES)))

    assert (looked.attempt.ran, looked.other) == (first, None)


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        (Attempt(ran(1001)), Attempt(ran(950), YES), 2),
        (Attempt(ran(1001)), Attempt(ran(950), NO), 2),
        (Attempt(ran(100, 3001)), Attempt(ran(110, 200), YES), 2),
        (Attempt(ran(1001)), Attempt(ran(1001)), 2),
        (Attempt(ran(950), YES), Attempt(ran(900), YES), 2),
        (Attempt(ran(900), YES), Attempt(ran(950), YES), 1),
        (Attempt(ran(950), YES), Attempt(ran(1001)), 1),
        (Attempt(ran(950), NO), Attempt(ran(900), YES), 1),
        (Attempt(ran(950), YES), Attempt(ran(900), NO), 1),
        (Attempt(ran(100, 2900), YES), Attempt(ran(90, 200), YES), 2),
    ],
)
def test_the_better_of_two_looks_counts(first: Attempt, second: Attempt, counts: int) -> None:
    """A run within its limits keeps its word: neither chance nor load shall change it."""
    looked = look(attempts(first, second))

    both = (first, second)
    assert looked.attempt is both[counts - 1]
    assert looked.other == both[2 - counts].ran.run.usage


def test_what_cannot_be_repeated_is_not() -> None:
    first = Attempt(ran(1001))

    assert look(attempts(first), once=True).attempt is first


@pytest.mark.parametrize(
    ("idle_ms", "own_ms", "busy"),
    [
        (1000, 1000, False),  # one core was ours, the other idle
        (2000, 0, False),  # asleep
        (900, 900, False),  # a little of others is always there
        (0, 1000, True),  # the other core was busy
        (1000, 500, True),  # ours had to be shared
        (0, 0, True),
    ],
)
def test_busy_is_what_others_used(idle_ms: int, own_ms: int, busy: bool) -> None:
    """A second on two cores."""
    after = Load(1000 * MS, idle_ms * MS, cores=2)

    assert was_busy(IDLE, after, own_ms * MS) is busy


@contextmanager
def burner(core: int) -> Iterator[None]:
    """Keeps a core to itself but for a thirtieth. Where the kernel weighs sessions (autogroup) in
    place of processes, as a session of its own."""
    first = "test ! -e /proc/$$/autogroup || echo -15 > /proc/$$/autogroup"
    script = f"{first}; echo started; while :; do :; done"
    words = ["setsid", "nice", "-n", "-15", "taskset", "-c", str(core), "sh", "-c", script]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"started\n"
            yield
        finally:
            process.kill()


def test_a_machine_with_work_on_every_core_is_busy() -> None:
    with ExitStack() as stack:
        for core in os.sched_getaffinity(0):
            stack.enter_context(burner(core))
        before = load_now()
        subprocess.run(["sleep", "0.2"], check=True)
        after = load_now()

    assert was_busy(before, after, 0)


def only(
    problem: Problem, source: Source, load: Callable[[], Load], core: int | None = None
) -> TestResult:
    with Slot(core, load=load) as slot:
        *_, last = grade(problem, source, slot, Cancel())
    assert isinstance(last, Finished)
    return last.outcome.groups[0].results[0]


BURN = SourceText(
    "c",
    b"""
#include <stdio.h>
#include <time.h>
int main(void)
{
    while (clock() < CLOCKS_PER_SEC / 5)
        continue;
    puts("7");
}
""",
)


def test_a_program_that_only_waited_for_a_core_is_accepted_by_its_second_look(make: Make) -> None:
    """It is over its wall limit while it shares its core, and within it once the other is gone."""
    problem = make('[limits]\ntime = "10s"\nwall = "1s"')
    core = max(os.sched_getaffinity(0))
    looks: list[Load] = []
    with ExitStack() as stack:

        def load() -> Load:
            if not looks:
                stack.enter_context(burner(core))
            if len(looks) == 1:
                stack.close()
            looks.append(load_now())
            return looks[-1]

        result = only(problem, BURN, load, core)

    assert (result.verdict, len(looks)) == (Verdict.ACCEPTED, 4)
    assert result.other_look is not None
    assert result.other_look.wall_ns > 1000 * MS
    assert result.usage is not None
    assert result.usage.wall_ns < 1000 * MS


def busy() -> Callable[[], Load]:
    """What says of a machine that it had no idle time at all."""
    seconds = iter(range(1000))
    return lambda: Load(next(seconds) * 1000 * MS, 0, cores=64)


SPIN = SourceText("python", b"while True: pass")


def test_one_that_never_ends_is_over_its_limit_twice(make: Make) -> None:
    result = only(make('[limits]\ntime = "300ms"'), SPIN, busy())

    assert result.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert result.usage is not None
    assert result.other_look is not None
    assert min(result.usage.cpu_ns, result.other_look.cpu_ns) > 300 * MS


def test_on_an_idle_machine_there_is_one_look(make: Make) -> None:
    result = only(make('[limits]\ntime = "300ms"'), SPIN, lambda: IDLE)

    assert (result.verdict, result.other_look) == (Verdict.TIME_LIMIT_EXCEEDED, None)


@pytest.mark.parametrize("continues", [True, False])
def test_a_stage_of_a_chain_is_not_repeated(make: Make, continues: bool) -> None:
    definition = f'[limits]\ntime = "300ms"\n[tests.2]\ncontinues = {str(continues).lower()}'
    problem = make(definition, [("", ""), ("", "")])
    with Slot(load=busy()) as slot:
        *_, last = grade(problem, SPIN, slot)

    assert isinstance(last, Finished)
    outcome: Outcome = last.outcome
    looks = [result.other_look is not None for result in outcome.groups[0].results]
    assert looks == [not continues] * 2


INTERACTOR = '[interact]\nprogram = "talk.py"\nprotocol = "icpc"'


def test_a_conversation_is_repeated_as_a_whole(make: Make) -> None:
    files = {"judge/talk.py": "import sys\ninput()\nsys.exit(42)\n"}
    problem = make(f'[limits]\ntime = "300ms"\n{INTERACTOR}', files=files)
    result = only(problem, SPIN, busy())

    assert result.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert result.other_look is not None
