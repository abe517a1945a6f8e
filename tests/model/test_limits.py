"""Limits that are no limits are refused where they are made."""

from dataclasses import asdict

import pytest

from judge.model import Limits, default_wall_ns

GOOD = Limits(
    cpu_ns=1, wall_ns=1, memory_bytes=1, processes=1, output_bytes=0, disk_bytes=0, files=0
)


@pytest.mark.parametrize("name", ["cpu_ns", "wall_ns", "memory_bytes", "processes"])
def test_nothing_runs_on_nothing(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be positive, not 0"):
        Limits(**asdict(GOOD) | {name: 0})


@pytest.mark.parametrize("name", ["output_bytes", "disk_bytes", "files"])
def test_no_limit_is_negative(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must not be negative, not -1"):
        Limits(**asdict(GOOD) | {name: -1})


def test_the_wall_limit_leaves_room_for_a_busy_machine() -> None:
    assert default_wall_ns(2_000_000_000) == 5_000_000_000
