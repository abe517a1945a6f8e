"""Processes that will not go, or go for others. Cases of the section Sandbox."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox import SECOND, Limits, Report, Stop
from tests.sandbox.conftest import once_in_the_machine

Shell = Callable[..., tuple[Report, str]]
Compiled = Callable[[str], str]

SHORT = Limits(cpu_ns=SECOND, wall_ns=20 * SECOND)


def test_children_in_sessions_of_their_own_end_with_the_parent(
    shell: Shell, compiled: Compiled
) -> None:
    report, text = shell(compiled("leave_sessions.c"))
    assert (report.exit_code, report.stop, text) == (0, None, "42\n")


def test_fork_bombs_three_in_a_row(shell: Shell, compiled: Compiled) -> None:
    for _ in range(3):
        report, _ = shell(compiled("fork_bomb.c"), limits=SHORT)
        assert (report.signal, report.stop) == (9, Stop.CPU)


def test_a_fork_bomb_in_many_sessions(shell: Shell, compiled: Compiled) -> None:
    """Where the kernel shares a core among sessions (autogroup), each of them counts as the keeper
    does; `script/bench sandbox` tells how much later that makes the end."""
    report, _ = shell(compiled("fork_bomb.c"), "sessions", limits=SHORT)
    assert (report.signal, report.stop) == (9, Stop.CPU)


def test_cpu_of_the_tree_counts(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(compiled("spin_children.c"), limits=SHORT)
    assert (report.signal, report.stop) == (9, Stop.CPU)
    assert report.cpu_ns > SHORT.cpu_ns


def test_a_daemon_that_holds_stdout_is_not_waited_for(shell: Shell, compiled: Compiled) -> None:
    report, text = shell(compiled("hold_stdout.c"))
    assert (report.exit_code, report.stop, text) == (0, None, "42\n")
    assert report.wall_ns < 10 * SECOND


def test_attacks_on_whoever_started_it(shell: Shell, compiled: Compiled) -> None:
    report, text = shell(compiled("attack_parent.c"))
    assert report.stop is None
    assert report.exit_code == 0 or report.signal is not None
    assert text == "ptrace -1\nptrace -1\n"


def test_a_program_that_is_traced_by_the_keeper(shell: Shell, compiled: Compiled) -> None:
    limits = Limits(wall_ns=2 * SECOND)
    report, _ = shell(compiled("trace_me.c"), limits=limits)
    assert (report.signal, report.stop) == (9, Stop.WALL)


@once_in_the_machine
def test_a_sanitized_program_finds_its_leaks(shell: Shell, compiled: Compiled) -> None:
    """The leak sanitizer stops its own threads with ptrace."""
    report, text = shell(compiled("leak.c"))
    assert report.exit_code == 1, text
    assert "detected memory leaks" in text


@pytest.mark.parametrize(
    "script",
    [
        "sleep 1000 & exit 0",
        "(setsid sleep 1000 &) ; exit 0",
        "trap '' TERM HUP INT; sleep 1000 & sleep 1000 & exit 0",
    ],
)
def test_what_a_build_leaves_in_the_background(shell: Shell, script: str) -> None:
    report, _ = shell("sh", "-c", script)
    assert (report.exit_code, report.stop) == (0, None)


def test_orphans_that_end_do_not_use_up_the_process_limit(shell: Shell) -> None:
    script = """
        mkfifo end
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            (sh -c 'echo $$ > end' &)
            read orphan < end
            while [ -e /proc/$orphan ]; do :; done
        done
        echo done
    """
    limits = Limits(processes=10, cpu_ns=60 * SECOND, wall_ns=120 * SECOND)
    report, text = shell("sh", "-c", script, limits=limits)
    assert (report.exit_code, text) == (0, "done\n")
