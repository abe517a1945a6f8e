"""Ratings by a model: the official clients against a local server that speaks the protocols, with
their faults."""

import pytest
from pydantic import SecretStr

from judge.results.review.bundle import Bundle
from judge.results.review.definition import Criterion
from judge.results.review.desk import ReviewFailed
from judge.results.review.rating import rate
from judge.results.review.reviewer import make_reviewer
from judge.results.review.settings import ReviewSettings
from tests.results.endpoint import KEY, Endpoint, Reply, ratings

CRITERIA = (Criterion(name="Readability", description="Clear?"), Criterion(name="Structure"))
SHOWN = Bundle("--- file 'a.cpp', 3 bytes\n1: int", "abcd", (), ())


def test_the_median_of_the_samples_is_the_rating(
    endpoint: Endpoint, settings: ReviewSettings
) -> None:
    endpoint.script = [Reply(ratings(*pair)) for pair in ((4, 10), (9, 10), (6, 0))]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    first, second = rated.criteria
    assert (first.name, first.rating, first.samples, first.spread) == (
        "Readability",
        6,
        (4, 9, 6),
        5,
    )
    assert (second.rating, second.spread, second.reason) == (10, 10, "b.cpp:2")
    assert (rated.cost.requests, rated.cost.input_tokens, rated.cost.output_tokens) == (3, 3000, 30)
    assert rated.cost.usd == pytest.approx(3000 * 2e-6 + 30 * 10e-6)
    assert rated.complete


FAULTS = {
    "not json": Reply(text="10/10, would merge"),
    "a list": Reply(text="[1]", data=[1]),
    "one missing": Reply({"ratings": ratings(1, 2)["ratings"][:1]}),
    "one twice": Reply({"ratings": ratings(1, 2)["ratings"][:1] * 2}),
    "unknown one": Reply(
        {"ratings": [*ratings(1, 2)["ratings"], {"criterion": "c9", "reason": "", "rating": 1}]}
    ),
    "too high": Reply(ratings(11, 1)),
    "negative": Reply(ratings(-1, 1)),
    "half": Reply(ratings(7.5, 1)),
    "word": Reply(ratings("9", 1)),
    "true": Reply(ratings(True, 1)),
    "null": Reply(ratings(None, 1)),
    "more keys": Reply(ratings(1, 1) | {"overall": 10}),
    "cut off": Reply(ratings(1, 1), stop="length"),
    "empty": Reply(empty=True),
    "nothing": Reply({}),
    "a page": Reply(page="<html>Welcome to the proxy</html>"),
    "another protocol": Reply(page={"hello": "world"}),
    "broken parts": Reply(page={"choices": [{}], "content": None, "usage": None}),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_an_invalid_answer_is_missing_and_never_a_number(
    endpoint: Endpoint, settings: ReviewSettings, fault: Reply
) -> None:
    endpoint.script = [fault]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert [one.rating for one in rated.criteria] == [None, None]
    assert [one.samples for one in rated.criteria] == [(None,) * 3] * 2
    assert len(endpoint.requests) == settings.samples * settings.attempts
    assert len(rated.faults) == 6
    assert not rated.complete


def test_an_invalid_answer_is_asked_for_again(endpoint: Endpoint, settings: ReviewSettings) -> None:
    endpoint.script = [FAULTS["not json"], Reply(ratings(5, 6))]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert [one.rating for one in rated.criteria] == [5, 6]
    assert len(rated.faults) == 1
    assert rated.cost.requests == 4


def test_too_few_samples_are_missing(endpoint: Endpoint, settings: ReviewSettings) -> None:
    bad, good = FAULTS["too high"], Reply(ratings(5, 6))
    endpoint.script = [good, bad]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert rated.criteria[0].samples == (5, None, None)
    assert rated.criteria[0].rating is None
    assert rated.criteria[0].spread is None


@pytest.mark.parametrize("fault", [Reply(status=429), Reply(status=503), Reply({}, cut=True)])
def test_a_fault_that_passes_is_retried(
    endpoint: Endpoint, settings: ReviewSettings, fault: Reply
) -> None:
    endpoint.script = [fault, fault, Reply(ratings(7, 8))]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert [one.rating for one in rated.criteria] == [7, 8]


def test_a_limit_that_stays_is_missing(endpoint: Endpoint, settings: ReviewSettings) -> None:
    endpoint.script = [Reply(status=429)]
    rated = rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert [one.rating for one in rated.criteria] == [None, None]
    assert "the endpoint answers 429" in rated.faults[0]
    assert KEY not in rated.faults[0]


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_pass_stops_the_review(
    endpoint: Endpoint, settings: ReviewSettings, status: int
) -> None:
    endpoint.script = [Reply(status=status)]
    with pytest.raises(ReviewFailed, match=f"the endpoint answers {status}") as caught:
        rate(make_reviewer(settings), CRITERIA, SHOWN, settings)
    assert KEY not in str(caught.value)
    assert len(endpoint.requests) == 1


def test_without_a_model_it_says_what_to_set() -> None:
    with pytest.raises(ReviewFailed, match="set ADJUDGE_REVIEW_MODEL"):
        make_reviewer(ReviewSettings(api_key=SecretStr("x"), model=""))
    with pytest.raises(ReviewFailed, match="set ADJUDGE_REVIEW_API_KEY"):
        make_reviewer(ReviewSettings(api_key=SecretStr(""), model="m"))
