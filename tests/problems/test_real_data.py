"""The sample problem basic on the data of the public benchmark whose dialect it speaks."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading import Finished, Slot, SourceTree, grade
from judge.model import Outcome, Problem, Verdict
from judge.model.limits import NS_PER_SECOND
from judge.packages import load

ROOT = Path(__file__).parents[2]
BASIC = ROOT / "problems" / "basic"
REAL = ROOT.parent / "shared" / "projdevbench" / "basic"


@pytest.fixture
def real_tests() -> Path:
    """The folder of the real tests. Skips where it is absent, which in CI is a failure."""
    if not REAL.is_dir():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"there is no {REAL}")
    return REAL


def judged(solution: str, problem: Problem, slot: Slot) -> Outcome:
    tree = SourceTree(BASIC / "solutions" / solution)
    *_, last = grade(problem, tree, slot)
    assert isinstance(last, Finished)
    return last.outcome


@pytest.mark.parametrize("solution", ["reference", "one_file"])
def test_real_tests_accept_our_interpreters(solution: str, real_tests: Path, slot: Slot) -> None:
    outcome = judged(f"accepted/{solution}", load(BASIC, real_tests), slot)
    assert (outcome.verdict, outcome.score) == (Verdict.ACCEPTED, 100)
    assert [len(group.results) for group in outcome.groups] == [5] * 20


def test_without_if_the_groups_that_need_it_fail(real_tests: Path, slot: Slot) -> None:
    problem = load(BASIC, real_tests)
    # Without IF some programs go on for ever, which shows in half a second as well as in five.
    quick = [
        replace(test, limits=replace(test.limits, cpu_ns=NS_PER_SECOND // 2))
        for test in problem.tests
    ]
    outcome = judged("wrong_answer/without_if", replace(problem, tests=tuple(quick)), slot)
    failing = [group.group.id for group in outcome.groups if group.verdict is not Verdict.ACCEPTED]
    assert failing == ["17", "18", "19", "20"]
    assert (outcome.verdict, outcome.score) == (Verdict.WRONG_ANSWER, 80)
