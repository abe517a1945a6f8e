"""Cases of the section Time and memory: memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from sandbox import MIB, SECOND, Limits, Report
from tests.sandbox.conftest import once_in_the_machine

Shell = Callable[..., tuple[Report, str]]
Compiled = Callable[[str], str]


@once_in_the_machine
@pytest.mark.parametrize("source", ["static_array.c", "malloc_loop.c", "new_loop.cc"])
def test_too_much_memory(shell: Shell, compiled: Compiled, source: str) -> None:
    limits = Limits(memory_bytes=64 * MIB, cpu_ns=60 * SECOND, wall_ns=120 * SECOND)
    report, _ = shell(compiled(source), limits=limits)
    assert report.memory_exceeded
    assert report.oom_kills >= 1
    assert (report.signal, report.stop) == (9, None)
    assert report.memory_bytes <= 64 * MIB


def test_memory_that_is_never_touched_is_none(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(compiled("no_reserve.c"), limits=Limits(memory_bytes=16 * MIB))
    assert report.ok
    assert report.memory_bytes < 8 * MIB


@once_in_the_machine
def test_page_cache_is_not_memory(shell: Shell, compiled: Compiled) -> None:
    """200 MB written and read again under a limit of 64 MB."""
    limits = Limits(
        memory_bytes=64 * MIB, disk_bytes=400 * MIB, cpu_ns=60 * SECOND, wall_ns=120 * SECOND
    )
    report, _ = shell(compiled("page_cache.c"), "200", limits=limits)
    assert report.ok
    assert report.disk_bytes == 200 * MIB
    assert report.memory_bytes < 8 * MIB


@once_in_the_machine
def test_a_killed_child_is_evidence_although_the_parent_ends_well(
    shell: Shell, compiled: Compiled
) -> None:
    limits = Limits(memory_bytes=64 * MIB, cpu_ns=60 * SECOND, wall_ns=120 * SECOND)
    report, text = shell(compiled("child_eats.c"), limits=limits)
    assert (report.exit_code, text) == (0, "42\n")
    assert report.memory_exceeded


def test_endless_recursion(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(compiled("recurse.c"), limits=Limits(memory_bytes=64 * MIB))
    assert report.signal is not None
    assert report.signal_name == "SIGSEGV" or report.memory_exceeded


@once_in_the_machine
def test_the_stack_may_be_as_large_as_the_memory(shell: Shell, compiled: Compiled) -> None:
    """200 MB of honest recursion under 256 MB."""
    limits = Limits(memory_bytes=256 * MIB, cpu_ns=60 * SECOND, wall_ns=120 * SECOND)
    report, _ = shell(compiled("recurse.c"), "200", limits=limits)
    assert report.ok
    assert 190 * MIB < report.memory_bytes <= 256 * MIB


@pytest.mark.parametrize("kind", ["a", "s", "f"], ids=["anonymous", "shared", "/dev/shm"])
def test_the_figure_is_the_peak_of_the_tree(shell: Shell, compiled: Compiled, kind: str) -> None:
    report, _ = shell(compiled("touch_memory.c"), "48", kind, limits=Limits(memory_bytes=96 * MIB))
    assert report.ok
    assert 48 * MIB <= report.memory_bytes < 56 * MIB


BOTH_AT_ONCE = """
mkfifo said go
exec 3<>go 4<>said
"$1" 24 a <go >said 3>&- 4>&- &
"$1" 24 a <go >said 3>&- 4>&- &
read one <&4; read other <&4
exec 3>&-
wait
"""


def test_memory_of_children_adds_up(shell: Shell, compiled: Compiled) -> None:
    report, text = shell("sh", "-c", BOTH_AT_ONCE, "sh", compiled("touch_memory.c"))
    assert report.ok, text
    assert 48 * MIB <= report.memory_bytes < 60 * MIB


RUNTIMES = {
    "java": ("java", "-version"),
    "node": ("node", "-e", "console.log('hello')"),
    "go": ("go", "version"),
    "python": ("python3", "-c", "print('hello')"),
}


@pytest.mark.parametrize("memory", [16 * MIB, 64 * MIB, 4096 * MIB], ids=["16M", "64M", "4G"])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_runtimes_work_or_say_why_not(shell: Shell, runtime: str, memory: int) -> None:
    if shutil.which(runtime if runtime != "python" else "python3") is None:
        pytest.skip(f"{runtime} is not installed here")
    roomy = memory == 4096 * MIB
    seconds = 60 if roomy else 5  # in too little memory some read their own code again and again
    limits = Limits(
        memory_bytes=memory,
        processes=256,
        cpu_ns=seconds * SECOND,
        wall_ns=2 * seconds * SECOND,
        disk_bytes=memory,
    )
    report, text = shell(*RUNTIMES[runtime], limits=limits)
    if roomy:
        assert report.ok, text
    assert report.ok or report.memory_exceeded or report.exit_code or report.signal
