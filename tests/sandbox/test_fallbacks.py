"""What newer kernels have is used, and what older ones lack is done without."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import MIB, SECOND, Box, Limits, Mount, Runner, Stop
from tests.sandbox.conftest import once_in_the_machine, run_shell

Compiled = Callable[[str], str]

NEWER = ("memory.peak", "memory.max_usage_in_bytes", "cgroup.kill")


@pytest.fixture
def older(programs: Path) -> Iterator[Box]:
    """A box on a kernel that has none of the newer files."""
    with Runner(without=NEWER) as runner, runner.open(mounts=[Mount(programs, "/programs")]) as box:
        yield box


def test_without_a_peak_memory_is_told_by_samples(older: Box, compiled: Compiled) -> None:
    report, _ = run_shell(older, compiled("touch_memory.c"), "48", "s")
    assert report.ok
    assert 48 * MIB <= report.memory_bytes < 56 * MIB


def test_without_a_peak_a_run_too_short_for_a_sample_is_told_by_its_main_process(
    older: Box,
) -> None:
    report, _ = run_shell(older, "/bin/true")
    assert 0 < report.memory_bytes < 8 * MIB


def test_without_one_order_that_kills_all_everything_ends_all_the_same(
    older: Box, compiled: Compiled
) -> None:
    limits = Limits(cpu_ns=SECOND, wall_ns=20 * SECOND)
    report, _ = run_shell(older, compiled("fork_bomb.c"), limits=limits)
    assert (report.signal, report.stop) == (9, Stop.CPU)
    assert run_shell(older, compiled("leave_sessions.c"))[1] == "42\n"
    assert len(run_shell(older, "sh", "-c", "echo /proc/[0-9]*")[1].split()) == 1


def test_without_clone3_a_child_moves_into_its_group(programs: Path, compiled: Compiled) -> None:
    """Its limit of memory holds, and its CPU time counts: it is in the group."""
    compiled("without_clone3.c")
    script = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; tail /dev/zero"
    words = ("run", "--memory", "32MiB", "--cpu", "60s", "--wall", "120s", "--", "sh", "-c", script)
    command = (sys.executable, "-m", "sandbox", *words)
    done = subprocess.run(
        [programs / "without_clone3", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["memory_exceeded"]
    assert report["cpu_ns"] > 5_000_000
    assert report["exit_code"] == 137  # the shell tells of its killed child


@once_in_the_machine
def test_limits_rise_and_fall_from_run_to_run(box: Box, compiled: Compiled) -> None:
    """The next run's are set ahead as the last one had them, and may be others."""
    program = compiled("touch_memory.c")
    script = "i=0; while [ $i -lt 12 ]; do sleep 9 & i=$((i + 1)); done"
    for size, processes in ((64, 4), (128, 24), (32, 4), (16, 24), (64, 4)):
        limits = Limits(memory_bytes=size * MIB, processes=40)
        report, _ = run_shell(box, program, "48", "a", limits=limits)
        assert report.memory_exceeded is (size < 48), size
        limits = Limits(memory_bytes=64 * MIB, processes=processes)
        _, text = run_shell(box, "sh", "-c", script, limits=limits)
        assert ("fork" in text.lower()) is (processes < 12), text
