"""Two boxes whose stdin and stdout are crossed: a program and an interactor."""

from __future__ import annotations

import errno
from collections.abc import Iterator

import pytest

from sandbox import (
    SECOND,
    Box,
    Command,
    ExecError,
    Interaction,
    Limits,
    Runner,
    Stop,
    interact,
)
from tests.sandbox.conftest import once_in_the_machine

pytestmark = once_in_the_machine

LIMITS = Limits(cpu_ns=2 * SECOND, wall_ns=60 * SECOND)


@pytest.fixture
def boxes() -> Iterator[tuple[Box, Box]]:
    with Runner() as one, Runner() as other, one.open() as program, other.open() as interactor:
        yield program, interactor


def talk(boxes: tuple[Box, Box], program: str, interactor: str) -> Interaction:
    return interact(
        (boxes[0], Command(("sh", "-c", program), LIMITS)),
        (boxes[1], Command(("sh", "-c", interactor), LIMITS)),
    )


def test_a_conversation(boxes: tuple[Box, Box]) -> None:
    told = talk(
        boxes,
        "read n; echo $((n + 1)); read n; echo $((n + 1)); read verdict; test $verdict = ok",
        "echo 1; read n; test $n = 2 && echo 5; read n; test $n = 6 && echo ok; read end; exit 42",
    )
    assert told.first.ok
    assert told.second.exit_code == 42
    assert told.first_ended_first


def test_a_program_that_exits_at_once(boxes: tuple[Box, Box]) -> None:
    told = talk(boxes, "exit 0", "read n || exit 43")
    assert told.first.ok
    assert told.second.exit_code == 43
    assert told.first_ended_first


def test_a_program_that_closes_its_output_and_reads_on(boxes: tuple[Box, Box]) -> None:
    told = talk(boxes, "echo 1; exec >&-; read n && test $n = 2", "read n; read m || echo 2")
    assert told.first.ok
    assert told.second.exit_code == 0


def test_an_interactor_that_ends_first(boxes: tuple[Box, Box]) -> None:
    told = talk(boxes, "while :; do echo query; done", "exit 43")
    assert told.second.exit_code == 43
    assert told.first.signal_name == "SIGPIPE"
    assert not told.first_ended_first


def test_a_program_that_spins_while_the_interactor_waits(boxes: tuple[Box, Box]) -> None:
    told = talk(boxes, "echo 1; while :; do :; done", "read n; read n || exit 43")
    assert told.first.stop is Stop.CPU
    assert told.second.exit_code == 43
    assert told.first_ended_first


def test_a_program_that_sends_and_never_reads(boxes: tuple[Box, Box]) -> None:
    told = talk(
        boxes,
        "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i + 1)); done",
        "while read n; do echo $n; done",
    )
    assert told.first.ok or told.first.stop is Stop.CPU
    assert told.second.signal_name == "SIGPIPE" or told.second.exit_code is not None


def test_one_that_cannot_be_executed_ends_the_other(boxes: tuple[Box, Box]) -> None:
    waiting = Command(("sleep", "1000"), LIMITS)
    absent = Command(("absent",), LIMITS)
    for first, second in ((waiting, absent), (absent, waiting)):
        with pytest.raises(ExecError) as caught:
            interact((boxes[0], first), (boxes[1], second))
        assert caught.value.errno == errno.ENOENT
    assert talk(boxes, "exit 0", "exit 0").first.ok
