"""What is expected of a solution, and how an outcome differs from it."""

import pytest

from judge.model import Aggregation, Group, TestResult, Verdict, score
from judge.packages import Expectation, Points

YES, NO, SLOW = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED
PART = Group("1.1", "Part", 30, ("2", "3"), Aggregation.SUM)
GROUP = Group("1", "All", 40, ("1", "2", "3"), Aggregation.SUM, (PART,))
OUTCOME = score(
    [GROUP],
    {
        "1": TestResult("1", YES, 1),
        "2": TestResult("2", NO, 0.5, judge_message="half of it"),
        "3": TestResult("3", SLOW, 0),
    },
)


def only(*verdicts: Verdict) -> frozenset[Verdict]:
    return frozenset(verdicts)


@pytest.mark.parametrize(
    "expectation",
    [
        Expectation(permitted=only(YES, NO, SLOW), required=only(SLOW), score=Points(17.5, 17.5)),
        Expectation(tests=("1", "2"), permitted=only(YES)),  # with half of its score, 2 is accepted
        Expectation(tests=("2",), permitted=only(NO), message="half"),
        Expectation(tests=("2", "3"), score=Points(5, 20)),
    ],
)
def test_an_outcome_that_is_as_expected(expectation: Expectation) -> None:
    assert list(expectation.differences(OUTCOME)) == []


@pytest.mark.parametrize(
    ("expectation", "difference"),
    [
        (
            Expectation(permitted=only(SLOW)),
            "all tests: test 1 got accepted (and 1 more), not time_limit_exceeded",
        ),
        (
            Expectation("few", ("1", "2"), required=only(SLOW)),
            "few: no test got time_limit_exceeded",
        ),
        (
            Expectation("few", ("1",), message="half"),
            'few: no message to the judges holds "half"',
        ),
        (Expectation("part", ("2", "3"), score=Points(16, 20)), "part: 7.5 points, not 16 to 20"),
        (
            Expectation("one", ("3",), score=Points(0, 0)),
            "one: has no points of its own, so none can be expected",
        ),
    ],
)
def test_a_difference_is_a_sentence(expectation: Expectation, difference: str) -> None:
    assert list(expectation.differences(OUTCOME)) == [difference]
