"""A registry is read whole, or refused with one sentence that names the place."""

import json
from pathlib import Path

import pytest

from judge.results.scoring.registry import RegistryError, load_registry, parse_registry
from judge.results.scoring.score_map import PROJDEVBENCH_MAPS, Linear, Piecewise


def registry(**problem: object) -> str:
    basic: dict[str, object] = {"name": "BASIC", "acmoj_id": "2510, 2511", "max_submissions": 7}
    return json.dumps({"problems": {"007": basic | problem}})


def test_the_public_benchmark_is_read(projdevbench: Path) -> None:
    benchmark = load_registry(projdevbench, "projdevbench")
    assert len(benchmark.entries) == 20
    ids = [problem.id for entry in benchmark.entries for problem in entry.problems]
    assert len(ids) == 36
    minesweeper = benchmark.entry("006")
    assert (minesweeper.cap, minesweeper.weight) == (17, 80)
    assert [problem.score_map for problem in minesweeper.problems] == [
        Linear(100),
        PROJDEVBENCH_MAPS[2877],
    ]
    assert benchmark.entry("008").language == "mov"
    found = benchmark.entry_of(2019)
    assert found is not None
    assert found.key == "002"


def test_what_is_left_out_has_defaults() -> None:
    text = json.dumps(
        {
            "problems": {"1": {"acmoj_id": "7"}, "2": {"oj_id": "8", "max_submissions": 9}},
            "default": {"max_submissions": 4, "submit_language": "cpp"},
        }
    )
    one, two = parse_registry(text).entries
    assert (one.name, one.cap, one.language) == ("1", 4, "cpp")
    assert one.problems[0].score_map == Linear(100)
    assert (two.cap, two.problems[0].id) == (9, 8)


def test_a_score_map_is_data() -> None:
    given = {"2510": {"points": [[10, 0], [20, 0.5]], "above": 0.9}}
    entry = parse_registry(registry(score_map=given)).entry("007")
    assert entry.problems[0].score_map == Piecewise(((10, 0), (20, 0.5)), above=0.9)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("{", "line 1", "not JSON"),
        ("[]", "", "must be an object"),
        ("{}", "problems", "must be an object"),
        ('{"problems": {}}', "problems", "no problem"),
        ('{"problems": {"1": {"acmoj_id": "7"}, "1": {"acmoj_id": "8"}}}', "1", "twice"),
        (registry(acmoj_id=""), "problems.007.acmoj_id", "no judge id"),
        (registry(acmoj_id="25x"), "problems.007.acmoj_id", "not the number"),
        (registry(acmoj_id="7,7"), "problems.007.acmoj_id", "7 stands there twice"),
        (registry(score_weight={"2510": 0}), "problems.007.score_weight.2510", "above 0, not 0"),
        (registry(score_full={"2510": 0}), "problems.007.score_full.2510", "above 0, not 0"),
        (registry(score_full={"2510": -1}), "problems.007.score_full.2510", "above 0"),
        (registry(score_full={"2510": "9"}), "problems.007.score_full.2510", "a number"),
        (registry(score_full={"9": 1}), "problems.007.score_full.9", "not among"),
        (registry(score_weight=[1]), "problems.007.score_weight", "object"),
        (registry(max_submissions=0), "problems.007.max_submissions", "above 0, not 0"),
        (registry(max_submissions=True), "problems.007.max_submissions", "whole number"),
        (registry(score_map={"2510": {}}), "problems.007.score_map.2510", "must be like"),
        (
            json.dumps({"problems": {"1": {"acmoj_id": "7"}, "2": {"acmoj_id": "8,7"}}}),
            "problems.2.acmoj_id",
            "judge id 7 is already in problem 1",
        ),
    ],
)
def test_a_faulty_registry_is_refused_with_its_place(text: str, place: str, reason: str) -> None:
    with pytest.raises(RegistryError) as caught:
        parse_registry(text, file="r.json")
    assert caught.value.place == place
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"no\.json: cannot be read"):
        load_registry(tmp_path / "no.json")
