"""ACMOJ's packages: its worked examples, its defaults, and what is wrong with a package."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge.model import Comparison, LeakCheck, OwnScore, Problem, Protocol, Quiz, Tool
from judge.packages import PackageError, load

MIB = 1 << 20
MS = 1_000_000
Pack = Callable[..., Problem]

CHAIN = {
    "Groups": [
        {"GroupID": 1, "GroupName": "fresh", "GroupScore": 20, "TestPoints": [1]},
        {"GroupID": 2, "GroupName": "restart", "GroupScore": 80, "TestPoints": [2, 3, 4]},
    ],
    "Details": [
        {"ID": id_, "Dependency": after, "TimeLimit": 800, "MemoryLimit": 50331648}
        | {"DiskLimit": disk, "FileNumberLimit": 30}
        for id_, after, disk in (
            *((1, 0, -8388608), (2, 0, -8388608), (3, 2, 8388608), (4, 3, 8388608)),
        )
    ],
    "CompileTimeLimit": 20000,
    "SPJ": 0,
}


def plain(count: int = 1, **more: object) -> dict[str, Any]:
    """A configuration with points 1..count in one group."""
    ids = list(range(1, count + 1))
    return {
        "Groups": [{"GroupID": 1, "GroupScore": 100, "TestPoints": ids}],
        "Details": [{"ID": id_, "Dependency": 0} for id_ in ids],
        **more,
    }


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Loads a package of that configuration and those files, with input and answer for 1 to 4."""

    def pack(config: Mapping[str, Any], *files: str) -> Problem:
        folder = tmp_path / "1234"
        folder.mkdir()
        for number in range(1, 5):
            (folder / f"{number}.in").write_text("7")
            (folder / f"{number}.ans").write_text("7")
        for file in files:
            (folder / file).write_text("")
        (folder / "config.json").write_text(json.dumps(config))
        return load(folder)

    return pack


def test_defaults(pack: Pack) -> None:
    problem = pack(plain())
    test = problem.test("1")
    assert problem.slug == problem.title == "1234"
    assert (problem.points, problem.check) == (100, Comparison.LINES)
    assert problem.languages == ("cpp", "python", "git")
    assert problem.groups[0].name == "Task 1"
    assert (test.limits.cpu_ns, test.limits.memory_bytes) == (1000 * MS, 512 * MIB)
    assert (test.limits.disk_bytes, test.after, test.continues) == (0, None, False)
    assert problem.build.limits.cpu_ns == 30_000 * MS


def test_stages_that_share_a_disk(pack: Pack) -> None:
    problem = pack(CHAIN)
    assert [test.continues for test in problem.tests] == [False, False, True, True]
    assert [test.after for test in problem.tests] == [None, None, "2", "3"]
    limits = problem.test("3").limits
    assert (limits.disk_bytes, limits.files, limits.cpu_ns) == (8388608, 30, 800 * MS)
    assert [group.points for group in problem.groups] == [20, 80]
    assert problem.build.limits.cpu_ns == 20_000 * MS


def test_zero_continues_a_chain_where_there_is_one(pack: Pack) -> None:
    config = plain(4)
    for point, disk in zip(config["Details"], (-8, 0, 8, -8), strict=True):
        point["DiskLimit"] = disk
    problem = pack(config)
    assert [test.continues for test in problem.tests] == [False, True, True, False]


def test_plain_and_leak_check_on_the_same_data(pack: Pack) -> None:
    config = plain(4)
    for point in config["Details"][2:]:
        point |= {"ValgrindTestOn": True, "Dependency": point["ID"] - 2, "TimeLimit": 20000}
    problem = pack(config)
    assert [test.leak_check for test in problem.tests] == [
        *(None, None, LeakCheck.VALGRIND, LeakCheck.VALGRIND)
    ]
    assert [test.after for test in problem.tests] == [None, None, "1", "2"]
    assert problem.languages == ("cpp", "git")


def test_a_header_with_partial_score(pack: Pack) -> None:
    problem = pack(plain(SPJ=4, SupportedFiles=["util.hpp"]), "1.cpp", "spj.cpp", "util.hpp")
    header = problem.build.header
    assert header is not None
    assert (header.name, header.main) == ("src.hpp", None)
    assert [file.name for file in problem.build.support] == ["util.hpp"]
    assert problem.test("1").main is not None
    assert isinstance(problem.check, Tool)
    assert problem.check.protocol is Protocol.ACMOJ
    assert problem.languages == ("cpp",)


def test_a_header_with_one_main(pack: Pack) -> None:
    problem = pack(plain(SPJ=3), "main.cpp")
    assert problem.build.header is not None
    assert problem.build.header.main is not None
    assert problem.test("1").main is None
    assert problem.languages == ("cpp",), "no repository is compiled into a main"


def test_an_interactor_whose_file_says_the_score(pack: Pack) -> None:
    talk = {"Type": "interactive", "Interactor": {"Type": "cpp", "Path": "talk.cpp"}}
    problem = pack(plain(SPJ={"Run": talk, "Check": "skip"}), "talk.cpp")
    assert problem.interactor is not None
    assert problem.interactor.file.name == "talk.cpp"
    assert problem.check == OwnScore()


@pytest.mark.parametrize(
    ("spj", "files", "check", "output_only"),
    [
        (0, [], Comparison.LINES, False),
        (1, ["spj.cpp"], Tool, False),
        (1, ["spj_bin"], Tool, False),
        (2, ["main.cpp"], OwnScore, False),
        (5, ["spj.cpp"], Tool, True),
        ({}, [], Comparison.LINES, False),
        ({"Check": "compare"}, [], Comparison.LINES, False),
        (
            {"Check": {"Type": "compare", "IgnoreInsignificantWhitespace": False}},
            [],
            Comparison.EXACT,
            False,
        ),
        (
            {"Check": {"Type": "custom", "Checker": {"Type": "binary", "Path": "mine"}}},
            ["mine"],
            Tool,
            False,
        ),
    ],
)
def test_special_judges(
    pack: Pack, spj: object, files: list[str], check: object, output_only: bool
) -> None:
    problem = pack(plain(SPJ=spj), *files)
    assert problem.check == check or type(problem.check) is check
    assert problem.output_only is output_only
    if isinstance(problem.check, Tool):
        assert problem.check.is_binary == (files[0] in ("spj_bin", "mine"))


def test_a_quiz(tmp_path: Path) -> None:
    folder = tmp_path / "7"
    folder.mkdir()
    (folder / "config.json").write_text('{"Quiz": true, "Groups": [], "Details": []}')
    questions = [
        {"id": "1", "type": "SELECT", "title": "…", "answer": "B", "options": []},
        {"id": "2", "type": "FILL", "title": "…", "answer": "7"},
    ]
    (folder / "quiz.json").write_text(json.dumps({"problems": questions}))
    problem = load(folder)
    assert problem.languages == ("quiz",)
    assert problem.check == Quiz((("1", "B"), ("2", "7")))
    assert problem.points == 2
    assert problem.score_map.share(1) == 0.5


def test_dependencies_may_point_ahead_but_not_in_a_ring(pack: Pack) -> None:
    config = plain(3)
    config["Details"][0]["Dependency"] = 3
    assert [test.id for test in pack(config).tests] == ["2", "3", "1"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"SPJ": 9}, "must be from 0 to 5, or an object"),
        ({"SPJ": 1}, "there are neither spj_bin and spj.cpp"),
        ({"SPJ": {"Chek": "skip"}}, 'did you mean "Check"?'),
        ({"SPJ": {"Run": "verilog"}}, "Verilog is not offered here"),
        ({"Verilog": True}, "Verilog is not offered here"),
        ({"Scorer": 1}, "there are no scorers but 0"),
        ({"Detials": []}, 'did you mean "Details"?'),
        ({"CompileTimeLimit": "abc"}, "must be a whole number"),
        ({"SupportedFiles": ["../x"]}, 'there is no file "../x"'),
        ({"Details": [{"ID": 1, "TimeLimit": "abc"}]}, "must be a whole number"),
        ({"Details": [{"ID": 1, "TimeLimit": 0}]}, "must be more than 0"),
        ({"Details": [{"ID": 1}, {"ID": 1}]}, "ID 1 stands twice"),
        ({"Details": [{"ID": 1, "Dependency": 9}]}, "depends on 9, which does not exist"),
        ({"Details": [{"ID": 1, "Dependency": 1}]}, "points 1 wait for each other"),
        ({"Details": [{"ID": 9}]}, "the answer of point 9 is missing"),
        ({"Details": []}, "names point 1, which does not exist"),
        ({"SPJ": 3}, "there is neither main.cpp nor 1.cpp"),
    ],
)
def test_faults(pack: Pack, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(PackageError) as raised:
        pack(plain(**change))
    assert any(reason in fault.reason for fault in raised.value.faults), raised.value.faults


def test_a_configuration_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(PackageError, match="is not JSON"):
        load(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(PackageError, match="must be a JSON object"):
        load(tmp_path)
