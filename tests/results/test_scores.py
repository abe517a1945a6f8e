"""Review and final scores, averages, rounds and confidence intervals."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judge.model import Verdict
from judge.results.scoring.final import Halves, Weights, final
from judge.results.scoring.registry import Benchmark, Entry, JudgeProblem
from judge.results.scoring.review_score import ReviewResult, review
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import Linear
from judge.results.scoring.scoreboard import over_rounds, score_participants
from judge.results.scoring.statistics import averages, spread, verdict_shares

MakeRow = Callable[..., Row]


def test_rules_and_criteria_weigh_the_same() -> None:
    result = ReviewResult({"a": True, "b": False}, {"c": 7.0, "d": 10.0}, commits=5)
    assert review(result) == pytest.approx(100 * (1 + 1.7) / 4)


@pytest.mark.parametrize(("commits", "score"), [(0, 25), (1, 25), (2, 75), (None, 75)])
def test_one_commit_or_none_fails_all_rules(commits: int | None, score: float) -> None:
    assert review(ReviewResult({"a": True}, {"c": 5.0}, commits)) == pytest.approx(score)


def test_a_missing_rating_never_becomes_a_number() -> None:
    result = ReviewResult({"a": True}, {"c": 7.0, "d": None}, commits=5)
    assert review(result) is None
    assert result.missing == ("d",)
    assert review(ReviewResult({}, {}, commits=5)) is None


@pytest.mark.parametrize("rating", [-0.1, 10.1, math.nan])
def test_a_rating_out_of_range_is_refused(rating: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 10"):
        ReviewResult({}, {"c": rating})


ratings = st.dictionaries(st.text(max_size=3), st.floats(0, 10), max_size=4)


@given(st.dictionaries(st.text(max_size=3), st.booleans(), max_size=4), ratings)
def test_a_review_score_is_from_0_to_100(
    rules: dict[str, bool], criteria: dict[str, float]
) -> None:
    score = review(ReviewResult(rules, dict(criteria), commits=9))
    asked = len(rules) + len(criteria)
    if not asked:
        assert score is None
    else:
        naive = 0.0
        for passed in rules.values():
            naive += 1 if passed else 0
        for rating in criteria.values():
            naive += rating / 10
        assert score == pytest.approx(naive / asked * 100)


def test_the_final_score_weighs_both_halves() -> None:
    both = final(50, 100)
    assert both.missing_as_zero == both.missing_left_out == pytest.approx(60)
    assert both.halves is Halves.COMPLETE
    assert final(50, 100, Weights(0.5, 0.5)).missing_as_zero == pytest.approx(75)


@pytest.mark.parametrize(
    ("execution", "review_score", "as_zero", "left_out", "halves"),
    [
        (50, None, 40, 50, Halves.EXEC_ONLY),
        (None, 50, 10, 50, Halves.CR_ONLY),
        (None, None, None, None, Halves.MISSING),
    ],
)
def test_a_missing_half_is_read_in_both_ways(
    execution: float | None,
    review_score: float | None,
    as_zero: float | None,
    left_out: float | None,
    halves: Halves,
) -> None:
    score = final(execution, review_score)
    assert score.missing_as_zero == pytest.approx(as_zero)
    assert score.missing_left_out == pytest.approx(left_out)
    assert score.halves is halves


def test_a_half_without_weight_leaves_nothing_behind() -> None:
    score = final(None, 50, Weights(1, 0))
    assert (score.missing_as_zero, score.missing_left_out) == (0, None)


@pytest.mark.parametrize(("execution", "review_weight"), [(0.8, 0.3), (1.2, -0.2)])
def test_weights_that_are_not_weights_are_refused(execution: float, review_weight: float) -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        Weights(execution, review_weight)


def test_both_averages_are_named() -> None:
    average = averages({"1": 50.0, "2": None, "3": 100.0})
    assert (average.all, average.attempted) == (50, 75)
    assert (average.problems, average.attempts) == (3, 2)
    assert averages({"1": None}).attempted is None


def test_shares_add_up_and_stand_by_frequency(row: MakeRow) -> None:
    rows = [row(1, 1, 0, Verdict.RUNTIME_ERROR), row(2, 1, 0, Verdict.ACCEPTED)]
    rows += [row(n, 1, 0, Verdict.WRONG_ANSWER) for n in (3, 4)]
    shares = verdict_shares(rows)
    assert list(shares.items()) == [
        (Verdict.WRONG_ANSWER, (2, 50.0)),
        (Verdict.ACCEPTED, (1, 25.0)),
        (Verdict.RUNTIME_ERROR, (1, 25.0)),
    ]
    assert verdict_shares([]) == {}


def test_one_value_has_no_interval() -> None:
    assert spread([4.0]) == spread([4.0], confidence=0.5)
    assert (spread([4.0]).mean, spread([4.0]).deviation, spread([4.0]).low) == (4, None, None)
    with pytest.raises(ValueError, match="no values"):
        spread([])


@given(st.lists(st.floats(0, 100), min_size=2, max_size=20))
def test_the_interval_is_students(values: list[float]) -> None:
    found = spread(values)
    mean = sum(values) / len(values)
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    margin = stats.t.ppf(0.975, len(values) - 1) * error / math.sqrt(len(values))
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.deviation == pytest.approx(error, abs=1e-6)
    assert (found.low, found.high) == (
        pytest.approx(mean - margin, abs=1e-6),
        pytest.approx(mean + margin, abs=1e-6),
    )


def entry(key: str, judge_id: int, cap: int, category: str) -> Entry:
    return Entry(key, key, (JudgeProblem(judge_id, 1, Linear(100)),), cap, category=category)


BENCHMARK = Benchmark(
    "two",
    (entry("001", 1, 2, "Algorithm"), entry("002", 2, 3, "Storage"), entry("003", 3, 1, "Storage")),
)


def test_participants_are_scored_apart_and_rounds_put_together(row: MakeRow) -> None:
    first, second = Participant("a", "m", "1"), Participant("a", "m", "2")
    rows = [
        row(1, 1, 20, problem="001", who=first),
        row(2, 1, 60, problem="001", who=first),
        row(3, 2, 90, problem="002", who=first),
        row(4, 1, 100, Verdict.ACCEPTED, problem="001", who=second),
        row(5, 3, 0, Verdict.ABORTED, problem="003", who=second),
    ]
    one, two = score_participants(BENCHMARK, rows)
    assert one.average.all == pytest.approx(50)
    assert one.average.attempted == pytest.approx(75)
    assert one.at_first == {"001": 20, "002": 90}
    assert one.average_at_first.all == pytest.approx(110 / 3)
    assert one.curve == pytest.approx((110 / 3, 50, 50))
    assert one.categories["Storage"].all == pytest.approx(45)
    assert two.average.attempted == pytest.approx(100)
    assert list(two.attempted) == ["001", "003"]

    (pair,) = over_rounds([one, two])
    assert (pair.agent, pair.model, pair.rounds) == ("a", "m", ("1", "2"))
    assert (pair.average_all.mean, pair.average_all.n) == (pytest.approx(125 / 3), 2)
    assert pair.problems["001"].mean == pytest.approx(80)
    assert pair.problems["001"].deviation == pytest.approx(math.sqrt(800))
