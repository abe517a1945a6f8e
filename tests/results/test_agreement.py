"""How well a model agrees with people."""

import csv
import json
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from judge.results.errors import ResultsError
from judge.results.review.agreement import agreement, load_pairs

grade = st.integers(0, 10)


def ranks(values: list[float]) -> list[float]:
    """Equal values share the mean of their places."""
    return [
        statistics.fmean(place for place, other in enumerate(sorted(values)) if other == value)
        for value in values
    ]


@given(st.lists(st.tuples(grade, grade), min_size=2, max_size=30))
def test_agreement_is_that_of_the_textbook(pairs: list[tuple[int, int]]) -> None:
    human, model = [float(one) for one, _ in pairs], [float(one) for _, one in pairs]
    found = agreement(human, model)
    if len(set(human)) > 1 and len(set(model)) > 1:
        assert found.pearson == pytest.approx(statistics.correlation(human, model), abs=1e-6)
        ranked = statistics.correlation(ranks(human), ranks(model))
        assert found.spearman == pytest.approx(ranked, abs=1e-6)
    else:
        assert found.pearson is None
    same = sum(one == other for one, other in pairs) / len(pairs)
    chance = sum((human.count(g) / len(pairs)) * (model.count(g) / len(pairs)) for g in range(11))
    if chance == pytest.approx(1):
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx((same - chance) / (1 - chance), abs=1e-6)


def test_agreement_of_the_same_is_perfect() -> None:
    found = agreement([1, 5, 9], [1, 5, 9])
    assert (found.pearson, found.kappa, found.weighted_kappa) == (pytest.approx(1), 1, 1)
    assert agreement([], []).mean_difference is None


def test_the_command_measures_agreement(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "human.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("human", "model_rating"), (1, 2), (5, 6), (9, 10)])
    result = run("review", "agreement", path, "--json")
    found = json.loads(result.stdout)
    assert (found["n"], found["pearson"], found["mean_difference"]) == (3, pytest.approx(1), 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("human\n1\n", "the column model_rating is missing"),
        ("human,model_rating\n1,11\n", "line 2: a rating is a number from 0 to 10, not '11'"),
        ("human,model_rating\n1,\n", "line 2: a rating is a number"),
    ],
)
def test_faulty_pairs_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(text)
    with pytest.raises(ResultsError, match=message):
        load_pairs(path, None)
