"""Two programs that talk to each other, each in a box of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sandbox.boxes import Box
from sandbox.command import Command
from sandbox.report import Report


@dataclass(frozen=True, slots=True)
class Interaction:
    """Both reports. Which of the two ended first decides whose fault a broken pipe is."""

    first: Report
    second: Report

    @property
    def first_ended_first(self) -> bool:
        return self.first.ended_ns <= self.second.ended_ns


def interact(first: tuple[Box, Command], second: tuple[Box, Command]) -> Interaction:
    """Runs both commands at once, the stdout of each being the stdin of the other.

    The boxes must differ. What the commands say of stdin, stdout and direct is not looked at;
    stderr is captured as usual. Raises as `Box.run` does, after both have ended.
    """
    first_box, first_command = first
    second_box, second_command = second
    with _crossed(first_command, second_command) as (one, other):
        first_box.start(one)
        try:
            second_box.start(other)
        except BaseException:
            first_box.kill()
            first_box.wait()
            raise
    with ThreadPoolExecutor(1) as waiting:
        # Each fault ends the other side, which may wait for a word that never comes.
        second_report = waiting.submit(_wait_or_end, second_box, first_box)
        return Interaction(_wait_or_end(first_box, second_box), second_report.result())


def _wait_or_end(box: Box, other: Box) -> Report:
    try:
        return box.wait()
    except BaseException:
        other.kill()
        raise


@contextmanager
def _crossed(first: Command, second: Command) -> Iterator[tuple[Command, Command]]:
    """The commands with pipes between them; our copies of the ends go when the block does."""
    to_first, from_second = os.pipe()
    to_second, from_first = os.pipe()
    try:
        yield (
            replace(first, stdin=to_first, stdout=from_first, direct=True),
            replace(second, stdin=to_second, stdout=from_second, direct=True),
        )
    finally:
        for descriptor in (to_first, from_second, to_second, from_first):
            os.close(descriptor)
