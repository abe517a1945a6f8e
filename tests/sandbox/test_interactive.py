"""Two boxes whose stdin and stdout are crossed: a program and an interactor."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox import SECOND, Box, Command, Limits, Report, Runner, Stop

LIMITS = Limits(cpu_ns=2 * SECOND, wall_ns=20 * SECOND)


@contextmanager
def two_boxes() -> Iterator[tuple[Box, Box]]:
    with Runner() as one, Runner() as other, one.open() as program, other.open() as interactor:
        yield program, interactor


def talk(
    program: Box, interactor: Box, script: str, interactor_script: str
) -> tuple[Report, Report, list[str]]:
    """Both reports, and who ended first."""
    to_program, from_interactor = os.pipe()
    to_interactor, from_program = os.pipe()
    order: list[str] = []
    reports: dict[str, Report] = {}

    def run(name: str, box: Box, text: str, stdin: int, stdout: int) -> None:
        command = Command(("sh", "-c", text), LIMITS, stdin=stdin, stdout=stdout, direct=True)
        # Our ends close when the run has its own: then an end of one is seen by the other.
        reports[name] = box.run(command)
        order.append(name)
        os.close(stdin)
        os.close(stdout)

    threads = [
        threading.Thread(target=run, args=arguments)
        for arguments in (
            ("program", program, script, to_program, from_program),
            ("interactor", interactor, interactor_script, to_interactor, from_interactor),
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return reports["program"], reports["interactor"], order


def test_a_conversation() -> None:
    with two_boxes() as boxes:
        program, interactor, order = talk(
            *boxes,
            "read n; echo $((n + 1)); read n; echo $((n + 1)); read verdict; test $verdict = ok",
            "echo 1; read n; test $n = 2 && echo 5; read n; test $n = 6 && echo ok; sleep 0.2",
        )
    assert program.ok
    assert interactor.ok
    assert order == ["program", "interactor"]


def test_a_program_that_exits_at_once() -> None:
    with two_boxes() as boxes:
        program, interactor, order = talk(*boxes, "exit 0", "read n || exit 43")
    assert program.ok
    assert interactor.exit_code == 43
    assert order == ["program", "interactor"]


def test_an_interactor_that_ends_first() -> None:
    with two_boxes() as boxes:
        program, interactor, order = talk(*boxes, "while :; do echo query; done", "exit 43")
    assert interactor.exit_code == 43
    assert program.signal_name == "SIGPIPE" or program.exit_code
    assert order == ["interactor", "program"]


def test_a_program_that_spins_while_the_interactor_waits() -> None:
    with two_boxes() as boxes:
        program, interactor, order = talk(
            *boxes, "echo 1; while :; do :; done", "read n; read n || exit 43"
        )
    assert program.stop is Stop.CPU
    assert interactor.exit_code == 43
    assert order == ["program", "interactor"]
