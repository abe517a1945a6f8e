"""Judging on all cores at once, as a machine of a judge does it: for tests that judge a lot."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TypeVar

import pytest

from judge.grading import Slot
from judge.grading.load import Load

T = TypeVar("T")


@dataclass(frozen=True)
class Slots:
    """A slot on each core."""

    pool: ThreadPoolExecutor
    idle: "SimpleQueue[Slot]"

    def submit(self, job: Callable[[Slot], T]) -> Future[T]:
        """Do it when a slot is idle."""
        return self.pool.submit(self._do, job)

    def _do(self, job: Callable[[Slot], T]) -> T:
        slot = self.idle.get()
        try:
            return job(slot)
        finally:
            self.idle.put(slot)


@contextmanager
def all_slots() -> Iterator[Slots]:
    """At the end what has not begun never will."""
    cores = sorted(os.sched_getaffinity(0))
    with ExitStack() as stack:
        slots = [stack.enter_context(Slot(core, load=nobody_else)) for core in cores]
        pool = stack.enter_context(ThreadPoolExecutor(len(slots)))
        stack.callback(pool.shutdown, cancel_futures=True)
        idle = SimpleQueue[Slot]()
        for slot in slots:
            idle.put(slot)
        yield Slots(pool, idle)


def nobody_else() -> Load:
    """As if no other slot was at work: what is over its time is not looked at twice."""
    now = time.monotonic_ns()
    return Load(at_ns=now, idle_ns=now, cores=1)


def askers(request: pytest.FixtureRequest) -> list[pytest.Function]:
    """The tests of this session that ask for the fixture which has that request."""
    return [
        item
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.path == request.path
        and request.fixturename in item.fixturenames
    ]
