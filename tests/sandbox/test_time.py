"""Cases of the section Time and memory: time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from sandbox import SECOND, Box, Command, Limits, Mount, Report, Runner, Stop
from tests.sandbox.conftest import IS_EMULATED, once_in_the_machine

Shell = Callable[..., tuple[Report, str]]
Compiled = Callable[[str], str]


def test_a_sleeper_is_stopped_by_wall_time(shell: Shell) -> None:
    report, _ = shell("sleep", "1000", limits=Limits(wall_ns=2 * SECOND))
    assert (report.signal, report.stop) == (9, Stop.WALL)
    assert report.cpu_ns < SECOND  # its start alone takes half a second under emulation
    assert report.wall_ns >= 2 * SECOND


@once_in_the_machine
def test_threads_count_together(shell: Shell, compiled: Compiled) -> None:
    """Four threads at 0.6 of the limit each are at 2.4 of it."""
    limits = Limits(cpu_ns=SECOND, wall_ns=60 * SECOND)
    report, _ = shell(compiled("burn.c"), "600", "4", limits=limits)
    assert (report.signal, report.stop) == (9, Stop.CPU)


def test_cpu_time_is_of_the_program_not_of_its_start(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(compiled("burn.c"), "300")
    assert report.exit_code == 0
    assert 300_000_000 <= report.cpu_ns < (3_000_000_000 if IS_EMULATED else 900_000_000)


@once_in_the_machine
def test_many_at_once_on_few_cores_are_all_within_the_limit(
    programs: Path, compiled: Compiled
) -> None:
    """Copies at 0.8 of the CPU limit, more than two cores have time for: their wall time says
    nothing."""
    program = compiled("burn.c")
    reports: list[Report] = []
    # Under emulation what the host takes away looks like CPU time, most of a second at the start.
    seconds, copies = (5, 4) if IS_EMULATED else (1, 8)
    limits = Limits(cpu_ns=seconds * SECOND, wall_ns=200 * SECOND)

    def judge(box: Box) -> None:
        reports.append(box.run(Command((program, str(800 * seconds)), limits)))

    with ExitStack() as stack:
        cores = sorted(os.sched_getaffinity(0))[:2]
        runners = [stack.enter_context(Runner(cores[n % len(cores)])) for n in range(copies)]
        boxes = [
            stack.enter_context(runner.open(mounts=[Mount(programs, "/programs")]))
            for runner in runners
        ]
        threads = [threading.Thread(target=judge, args=(box,)) for box in boxes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [report for report in reports if not report.ok] == []
    assert len(reports) == copies


def test_a_pinned_runner_stays_on_its_core() -> None:
    core = max(os.sched_getaffinity(0))
    with Runner(core) as runner, runner.open() as box:
        script = (
            f"taskset -p $$ 2>/dev/null; grep Cpus_allowed_list /proc/self/status | grep -qw {core}"
        )
        assert box.run(Command(("sh", "-c", script))).ok


def test_the_wall_clock_may_jump(box: Box) -> None:
    """Only on a machine of our own: script/vm says so."""
    if os.environ.get("ADJUDGE_OWN_MACHINE") != "root":
        pytest.skip("sets the clock of the machine: runs in script/vm alone, as root")
    read, write = os.pipe()

    def jump() -> None:
        with os.fdopen(read) as said:
            said.readline()
        time.clock_settime(time.CLOCK_REALTIME, time.time() + 3600)

    jumper = threading.Thread(target=jump)
    jumper.start()
    command = Command(
        ("sh", "-c", "echo started; sleep 1"),
        Limits(wall_ns=60 * SECOND),
        stdout=write,
        direct=True,
    )
    report = box.run(command)
    jumper.join()
    os.close(write)
    time.clock_settime(time.CLOCK_REALTIME, time.time() - 3600)
    assert report.ok
    assert SECOND <= report.wall_ns < 60 * SECOND
