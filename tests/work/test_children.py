"""What `adjudge up` keeps alive, and how long it waits before it starts a dead one again."""

import logging
import os
import signal
from collections.abc import Callable

import pytest

from judge.work.children import Child


def pauses(
    child: Child, deaths: int, kill: Callable[[int], None], caplog: pytest.LogCaptureFixture
) -> list[float]:
    """Lets it die so many times; the pauses that were announced, in seconds."""
    with caplog.at_level(logging.WARNING, "judge.work.children"):
        seen: int | None = None
        while len(caplog.records) < deaths:
            child.tend()
            if child.pid is not None and child.pid != seen:
                seen = child.pid
                kill(seen)
    found = [float(str(record.args[-1])) for record in caplog.records if record.args]
    caplog.clear()
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_one_that_is_killed_young_is_started_again_at_once(
    number: int, caplog: pytest.LogCaptureFixture
) -> None:
    child = Child("sleeper", ("sleep", "1000"), os.environ)

    assert pauses(child, 3, lambda pid: os.kill(pid, number), caplog) == [0.25] * 3


def test_one_that_ends_on_a_signal_is_started_again_at_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    child = Child("polite", ("sh", "-c", "trap 'exit 0' TERM; kill $$; exit 1"), os.environ)

    assert pauses(child, 2, lambda _: None, caplog) == [0.25] * 2


def test_one_that_cannot_start_is_tried_less_and_less_often(
    caplog: pytest.LogCaptureFixture,
) -> None:
    child = Child("broken", ("false",), os.environ)

    assert pauses(child, 2, lambda _: None, caplog) == [0.5, 1.0]


def test_one_that_crashes_by_itself_is_tried_less_and_less_often(
    caplog: pytest.LogCaptureFixture,
) -> None:
    child = Child("crashing", ("sh", "-c", "kill -SEGV $$"), os.environ)

    assert pauses(child, 2, lambda _: None, caplog) == [0.5, 1.0]
