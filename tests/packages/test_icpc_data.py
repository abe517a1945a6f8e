"""The folder `data` of an ICPC package: settings, groups, points; and what is not offered."""

from collections.abc import Mapping

import pytest

from judge.model import Problem, TestResult, Verdict, score
from judge.packages import PackageError, load
from tests.packages.conftest import VALIDATOR, Pack, loaded

YES, NO = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
SCORING = "problem_format_version: 2023-07-draft\nlimits: {time_limit: 1}\ntype: scoring"

GROUPS = {
    f"data/secret/{group}/{name}": "1\n" for group in ("g1", "g2") for name in ("1.in", "1.ans")
} | {f"data/secret/g2/{name}": "1\n" for name in ("2.in", "2.ans")}


def shares(problem: Problem, *accepted: str) -> dict[str, float]:
    """What the groups get that get anything, where these tests are accepted and no others."""
    results = {
        test.id: TestResult(test.id, YES, 1) if test.id in accepted else TestResult(test.id, NO, 0)
        for test in problem.tests
    }
    groups = score(problem.groups, results).groups
    return {group.group.name: group.score for group in groups if group.score}


def points_of(problem: Problem) -> dict[str, float]:
    return {group.name: group.points for group in problem.groups}


def test_scores_of_groups(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g1/testdata.yaml": "accept_score: 30\ngrader_flags: min\n",
        "data/secret/g2/testdata.yaml": "accept_score: 35\ngrader_flags: sum\n",
    }
    problem = loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files)
    points = {group.name: group.points for group in problem.groups}
    assert points["Sample"] == 0
    assert points["secret-g1"] == 30
    assert points["secret-g2"] == 70
    assert shares(problem, "secret-g2-1") == {"secret-g2": 35}


def test_scores_of_groups_in_2023(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g1/test_group.yaml": "scoring: {score: 40, aggregation: min}\n",
        "data/secret/g2/test_group.yaml": "scoring: {score: 60, aggregation: sum}\n",
    }
    problem = loaded(pack, SCORING, files)
    points = points_of(problem)
    assert (points["secret-g1"], points["secret-g2"]) == (40, 60)
    assert shares(problem, "secret-g1-1", "secret-g2-2") == {"secret-g1": 40, "secret-g2": 30}
    assert points["secret"] == 0, "nothing is left for the tests that are in no group"


def test_what_names_no_score_shares_what_is_left(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g1/test_group.yaml": "scoring: {score: 40, aggregation: min}\n",
    }
    points = points_of(loaded(pack, SCORING, files))
    assert points.pop("Sample") == 0
    assert points == {"secret": 40, "secret-g1": 40, "secret-g2": 20}


NESTED = {
    f"data/secret/g/{name}": "1\n"
    for test in ("1", "x/1", "x/2", "y/1", "y/2")
    for name in (f"{test}.in", f"{test}.ans")
}
ALL_OF_G = ("secret-g-1", "secret-g-x-1", "secret-g-x-2", "secret-g-y-1", "secret-g-y-2")


@pytest.mark.parametrize(
    ("settings", "accepted", "points"),
    [
        # Of x (8 each, the sum) and y (the most), and the test of its own (10).
        ({"g": "min", "x": "sum", "y": "max"}, ALL_OF_G, 8),
        ({"g": "min", "x": "sum", "y": "max"}, ALL_OF_G[:4], 8),
        ({"g": "min", "x": "sum", "y": "max"}, ("secret-g-1", "secret-g-x-1", "secret-g-y-2"), 8),
        ({"g": "min", "x": "sum", "y": "max"}, ALL_OF_G[1:], 0),
        ({"g": "max", "x": "sum", "y": "avg"}, ALL_OF_G, 16),
        ({"g": "max", "x": "avg", "y": "avg"}, ("secret-g-x-1",), 4),
        ({"g": "avg", "x": "sum", "y": "min"}, ALL_OF_G, (10 + 16 + 8) / 3),
        ({"g": "avg", "x": "sum", "y": "min"}, ALL_OF_G[:4], (10 + 16 + 0) / 3),
        ({"g": "sum", "x": "avg", "y": "max"}, ALL_OF_G[1:4], 8 + 8),
    ],
)
def test_groups_in_groups(
    pack: Pack, settings: Mapping[str, str], accepted: tuple[str, ...], points: float
) -> None:
    files = {
        **NESTED,
        "data/secret/g/testdata.yaml": f"{{accept_score: 10, grader_flags: {settings['g']}}}",
        **{
            f"data/secret/g/{name}/testdata.yaml": f"{{accept_score: 8, grader_flags: {how}}}"
            for name, how in settings.items()
            if name != "g"
        },
    }
    problem = loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files)
    found = sum(
        points for name, points in shares(problem, *accepted).items() if name.startswith("secret-g")
    )
    assert found == pytest.approx(points)


def test_a_rejected_test_may_get_something(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g2/testdata.yaml": "{accept_score: 9, reject_score: 2, grader_flags: sum}",
    }
    problem = loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files)
    assert shares(problem, "secret-g2-1")["secret-g2"] == 11


@pytest.mark.parametrize(
    ("outer", "inner", "points"),
    [("min", "sum", 20), ("min", "min", 0), ("sum", "min", 40), ("sum", "sum", 60)],
)
def test_groups_in_groups_of_2023(pack: Pack, outer: str, inner: str, points: float) -> None:
    files = {
        **{name: text for name, text in NESTED.items() if not name.startswith("data/secret/g/y")},
        "data/secret/g/test_group.yaml": f"scoring: {{score: 80, aggregation: {outer}}}",
        "data/secret/g/x/test_group.yaml": f"scoring: {{score: 40, aggregation: {inner}}}",
    }
    problem = loaded(pack, SCORING, files)
    found = shares(problem, "secret-g-1", "secret-g-x-2")
    assert sum(p for name, p in found.items() if name.startswith("secret-g")) == points


def test_a_part_of_a_score_is_one_of_what_the_test_is_worth(pack: Pack) -> None:
    files = {
        **NESTED,
        "data/secret/g/testdata.yaml": "{accept_score: 10, grader_flags: min}",
        "data/secret/g/x/testdata.yaml": "{accept_score: 8, grader_flags: min}",
        "data/secret/g/y/testdata.yaml": "{accept_score: 8, grader_flags: min}",
    }
    problem = loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files)
    results = {test.id: TestResult(test.id, YES, 1) for test in problem.tests}
    results["secret-g-1"] = TestResult("secret-g-1", NO, 0.5)
    group = next(group for group in problem.groups if group.name == "secret-g")
    assert score([group], results).score == 5


def test_what_adds_up_requires_for_all_that_is_in_it(pack: Pack) -> None:
    files = {
        **NESTED,
        "data/secret/g/test_group.yaml": "scoring: {aggregation: sum, require_pass: sample}",
    }
    problem = loaded(pack, SCORING, files)
    accepted = [test.id for test in problem.tests if test.id != "sample-1"]
    assert shares(problem, *accepted).keys() == {"secret"}
    assert shares(problem, *accepted, "sample-1").keys() == {
        *("secret", "secret-g", "secret-g-x", "secret-g-y")
    }


def test_what_passes_or_fails_has_no_scores_in_it(pack: Pack) -> None:
    files = {**NESTED, "data/secret/g/x/test_group.yaml": "scoring: {aggregation: sum}"}
    with pytest.raises(PackageError, match="is in a group that passes or fails"):
        loaded(pack, SCORING, files)


def test_how_a_group_scores_is_not_inherited_but_what_it_tells_is(pack: Pack) -> None:
    settings = "output_validator_args: [far]\nscoring: {score: 60, aggregation: sum}\n"
    files = {
        **VALIDATOR,
        "data/secret/g/test_group.yaml": settings,
        **{f"data/secret/g/deep/{name}": "1\n" for name in ("1.in", "1.ans", "2.in", "2.ans")},
    }
    problem = loaded(pack, SCORING, files)
    deep = next(group for group in problem.groups if group.name == "secret-g-deep")
    assert (deep.points, deep.tests) == (60, ("secret-g-deep-1", "secret-g-deep-2"))
    assert problem.test("secret-g-deep-1").check_arguments == ("far",)


def test_a_group_gets_nothing_without_what_it_requires(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g2/test_group.yaml": "scoring: {require_pass: [sample, secret/g1]}\n",
    }
    problem = loaded(pack, SCORING, files)
    ours = ("secret-g2-1", "secret-g2-2")
    assert shares(problem, *ours) == {}
    assert shares(problem, *ours, "sample-1") == {}
    assert shares(problem, *ours, "sample-1", "secret-g1-1") == {"secret-g1": 25, "secret-g2": 25}


@pytest.mark.parametrize(
    ("group", "full"),
    [
        ("range: 0 40\ngrader_flags: min\n", 40),
        ("range: 0 40\ngrader_flags: sum\n", 20),
        ("range: -inf +inf\naccept_score: 7\ngrader_flags: min\n", 7),
    ],
)
def test_a_validator_s_score_is_a_part_of_what_the_range_allows(
    pack: Pack, group: str, full: float
) -> None:
    files = {**VALIDATOR, **GROUPS, "data/secret/g2/testdata.yaml": group}
    definition = "limits: {time_limit: 1}\ntype: scoring\nvalidation: custom score"
    problem = loaded(pack, definition, files)
    score_map = problem.test("secret-g2-1").score_map
    assert score_map is not None
    assert [score_map.share(raw) for raw in (0, full / 2, full)] == [0, 0.5, 1]
    assert problem.test("secret-g1-1").score_map is None, "1 is all of it"


def test_a_legacy_range_gives_no_points_by_itself(pack: Pack) -> None:
    files = {**GROUPS, "data/secret/g1/testdata.yaml": "range: 0 40\naccept_score: 5\n"}
    points = points_of(loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files))
    assert (points["secret-g1"], points["secret-g2"]) == (5, 2)


def test_what_tests_and_groups_tell_the_programs(pack: Pack) -> None:
    files = {
        **VALIDATOR,
        "data/secret/test_group.yaml": "args: [-v]\ninput_validator_args: [big]\n",
        "data/secret/b.yaml": "args: [7]\noutput_validator_args: [far, '9']\nhint: no\n",
    }
    files["data/secret/b.yaml"] = files["data/secret/b.yaml"].replace("[7]", "['7']")
    problem = loaded(pack, SCORING, files)
    a, b = problem.test("secret-a"), problem.test("secret-b")
    assert (a.arguments, a.check_arguments, a.input_arguments) == (("-v",), (), ("big",))
    assert (b.arguments, b.check_arguments, b.input_arguments) == (("7",), ("far", "9"), ("big",))
    assert problem.test("sample-1").arguments == ()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"graders/sum.py": ""}, "graders of one's own are not offered here"),
        ({"data/secret/testdata.yaml": "grading: custom"}, "graders of one's own are not offered"),
        ({"data/secret/testdata.yaml": "grader_flags: median"}, '"median" is none of sum, avg'),
        ({"data/secret/testdata.yaml": "reject_score: -3"}, "must be a number, 0 or more"),
        ({"data/secret/testdata.yaml": "on_reject: stop"}, "must be break or continue"),
        ({"data/secret/testdata.yaml": "range: 0 much"}, "must be two numbers"),
        ({"data/secret/testdata.yaml": "on_rejekt: x"}, 'did you mean "on_reject"?'),
        ({"data/secret/test_group.yaml": "scoring: {score: unbounded}"}, "has no share of the"),
        ({"data/secret/test_group.yaml": "scoring: {aggregation: avg}"}, "must be sum, min or"),
        ({"data/secret/test_group.yaml": "scoring: {require_pass: x}"}, "is neither a test nor"),
        ({"data/secret/test_group.yaml": "static_validation: true"}, "static validators are not"),
        (
            {**GROUPS, "data/secret/g1/test_group.yaml": "scoring: {score: 101}"},
            "its groups can get 101 points, and it can get 100 itself",
        ),
        ({"data/secret/a.yaml": "arg: [x]"}, 'did you mean "args"?'),
        ({"data/secret/none.files/x": ""}, "there is no none.in beside it"),
    ],
)
def test_what_is_not_offered_is_refused(pack: Pack, files: Mapping[str, str], reason: str) -> None:
    with pytest.raises(PackageError) as raised:
        loaded(pack, SCORING, files)
    assert any(reason in fault.reason for fault in raised.value.faults), raised.value.faults


def test_a_missing_answer(pack: Pack) -> None:
    folder = pack({"problem.yaml": ""})
    (folder / "data" / "secret" / "a.ans").unlink()
    with pytest.raises(PackageError, match="the answer is missing"):
        load(folder)
