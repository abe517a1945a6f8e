"""Group score = least test score x points, total = sum; status = the first failure in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model import Group, TestResult, Usage, Verdict, score
from judge.model.score import first_failure, is_charged

SMALL = Group(id="1", name="Small", points=30, tests=("1", "2"))
BIG = Group(id="2", name="Big", points=70, tests=("2", "3"))


def result(test: str, verdict: Verdict, points: float, usage: Usage | None = None) -> TestResult:
    return TestResult(test=test, verdict=verdict, score=points, usage=usage)


def used(milliseconds: int, memory: int) -> Usage:
    ns = milliseconds * 1_000_000
    return Usage(cpu_ns=ns, wall_ns=2 * ns, memory_bytes=memory, disk_bytes=0, files=0)


def test_a_group_is_worth_its_worst_test() -> None:
    outcome = score(
        [SMALL, BIG],
        {
            "1": result("1", Verdict.ACCEPTED, 1),
            "2": result("2", Verdict.ACCEPTED, 1),
            "3": result("3", Verdict.WRONG_ANSWER, 0.5),
        },
    )
    assert [group.score for group in outcome.groups] == [30, 35]
    assert [group.verdict for group in outcome.groups] == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER]
    assert outcome.score == 65
    assert outcome.verdict is Verdict.WRONG_ANSWER


def test_a_group_without_tests_is_named() -> None:
    with pytest.raises(ValueError, match="group '1' has no tests"):
        score([Group(id="1", name="Empty", points=30, tests=())], {})


def test_time_is_summed_and_memory_is_the_maximum_of_the_tests_each_counted_once() -> None:
    outcome = score(
        [SMALL, BIG],
        {
            "1": result("1", Verdict.ACCEPTED, 1, used(10, 100)),
            "2": result("2", Verdict.ACCEPTED, 1, used(20, 300)),
            "3": result("3", Verdict.SKIPPED, 0),
        },
    )
    assert outcome.usage == Usage(
        cpu_ns=30_000_000, wall_ns=60_000_000, memory_bytes=300, disk_bytes=0, files=0
    )


def test_a_missing_result_is_an_error_and_never_a_zero() -> None:
    with pytest.raises(KeyError, match="2"):
        score([SMALL], {"1": result("1", Verdict.ACCEPTED, 1)})


@pytest.mark.parametrize(
    ("verdicts", "first"),
    [
        ([], Verdict.ACCEPTED),
        ([Verdict.ACCEPTED, Verdict.ACCEPTED], Verdict.ACCEPTED),
        (
            [Verdict.ACCEPTED, Verdict.RUNTIME_ERROR, Verdict.WRONG_ANSWER],
            Verdict.RUNTIME_ERROR,
        ),
        ([Verdict.WRONG_ANSWER, Verdict.BAD_PROBLEM], Verdict.BAD_PROBLEM),
        (
            [Verdict.WRONG_ANSWER, Verdict.BAD_PROBLEM, Verdict.SYSTEM_ERROR],
            Verdict.SYSTEM_ERROR,
        ),
    ],
)
def test_the_status_of_the_whole(verdicts: list[Verdict], first: Verdict) -> None:
    assert first_failure(verdicts) is first


@given(st.lists(st.sampled_from(Verdict)))
def test_only_all_accepted_is_accepted(verdicts: list[Verdict]) -> None:
    everything = all(verdict is Verdict.ACCEPTED for verdict in verdicts)
    assert (first_failure(verdicts) is Verdict.ACCEPTED) == everything


def test_faults_of_ours_spend_no_slot() -> None:
    free = {Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM, Verdict.VOID}
    assert {verdict for verdict in Verdict if not is_charged(verdict)} == free
