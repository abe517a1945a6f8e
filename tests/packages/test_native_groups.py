"""Groups of a native package that are scored in other ways than by their least test."""

from pathlib import Path

import pytest

from judge.model import TestResult, Verdict, score
from judge.packages import PackageError, load

PARTS = """
title = "Echo"

[[group]]
name = "Half of each"
points = 30
aggregation = "max"
tests = ["1"]

[[group.part]]
points = 30
aggregation = "sum"
tests = ["2", "3"]
rejected = 3

[[group]]
name = "The rest"
points = 70
tests = ["4"]
requires = ["1"]
"""


def define(package: Path, definition: str) -> Path:
    (package / "problem.toml").write_text(definition)
    for id_ in ("1", "2", "3", "4"):
        (package.parent.parent / f"data/echo/{id_}.ans").write_text("1\n")
    return package


@pytest.mark.parametrize(
    ("accepted", "points"),
    [
        (("1", "2", "3", "4"), [30, 70]),
        (("2", "3", "4"), [30, 0]),
        (("2", "4"), [18, 0]),
        (("1",), [30, 0]),
        ((), [6, 0]),
    ],
)
def test_parts_of_a_group(package: Path, accepted: tuple[str, ...], points: list[float]) -> None:
    problem = load(define(package, PARTS))
    assert problem.groups[0].tests == ("1", "2", "3")
    results = {
        id_: TestResult(id_, Verdict.ACCEPTED, 1)
        if id_ in accepted
        else TestResult(id_, Verdict.WRONG_ANSWER, 0)
        for id_ in ("1", "2", "3", "4")
    }
    assert [group.score for group in score(problem.groups, results).groups] == points


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('"max"', '"most"', "group[1].aggregation", "must be one of min, sum, max"),
        ('["2", "3"]', '["1", "3"]', "group[1].part", "test 1 is twice in the group"),
        ('["1"]\n\n[[group.part]]', "[]\n[[group.part]]", "group[1].tests", "at least one test"),
        ('requires = ["1"]', 'requires = ["9"]', "group[2].requires", 'there is no test "9"'),
        ("rejected = 3", 'require = ["1"]', "group[1].part[1].require", "unknown key"),
        (
            'points = 30\naggregation = "max"',
            'points = 29\naggregation = "sum"',
            "group[1].points",
            "are fewer than those of the parts, which add up",
        ),
    ],
)
def test_faults(package: Path, old: str, new: str, key: str, reason: str) -> None:
    define(package, PARTS.replace(old, new, 1))
    with pytest.raises(PackageError) as raised:
        load(package)
    assert any(fault.key == key and reason in fault.reason for fault in raised.value.faults), (
        raised.value.faults
    )
