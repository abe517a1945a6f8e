"""ICPC and Kattis packages: both formats, default validators, groups and scores, expectations."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.model import Comparison, Problem, Protocol, Tolerance, Tool, Verdict
from judge.packages import PackageError, check, load, solutions

MIB = 1 << 20
SECOND = 1_000_000_000
Pack = Callable[[Mapping[str, str]], Path]

DATA = {
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "1\n",
    "data/secret/a.in": "2\n",
    "data/secret/a.ans": "2\n",
    "data/secret/b.in": "3\n",
    "data/secret/b.ans": "3\n",
}
VALIDATOR = {"output_validators/validate/validate.py": "", "output_validators/validate/help.py": ""}


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    def pack(files: Mapping[str, str]) -> Path:
        for name, content in {**DATA, **files}.items():
            (tmp_path / "hello" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "hello" / name).write_text(content)
        return tmp_path / "hello"

    return pack


def loaded(pack: Pack, definition: str, files: Mapping[str, str] | None = None) -> Problem:
    return load(pack({"problem.yaml": definition, **(files or {})}))


def test_a_legacy_package(pack: Pack) -> None:
    problem = loaded(
        pack,
        "name: Hello\nlicense: cc by-sa\nlimits:\n  memory: 512\n  time_multiplier: 5\n",
        {".timelimit": "3\n", "problem_statement/problem.en.tex": "\\problemname{Hello}"},
    )
    assert (problem.title, problem.slug) == ("Hello", "hello")
    assert problem.check is Comparison.WORDS
    assert [test.id for test in problem.tests] == ["sample-1", "secret-a", "secret-b"]
    assert [(group.name, group.points) for group in problem.groups] == [("All", 100)]
    limits = problem.tests[0].limits
    assert (limits.cpu_ns, limits.memory_bytes, limits.output_bytes) == (
        *(3 * SECOND, 512 * MIB, 8 * MIB),
    )


def test_a_package_of_2023(pack: Pack) -> None:
    definition = """
problem_format_version: 2023-07-draft
name: {en: Guess, sv: Gissa}
uuid: 00000000-0000-0000-0000-000000000000
type: [pass-fail, interactive, multi-pass]
constants: {max_n: 100}
languages: [python3, cpp]
limits: {time_limit: 1.5, validation_passes: 3, validation_time: 4, code: 64}
"""
    files = {
        "statement/problem.en.md": "Guess up to {{max_n}}.",
        "output_validator/validate.cpp": "",
        "include/cpp/help.h": "",
    }
    problem = loaded(pack, definition, files)
    assert problem.title == "Guess"
    assert problem.statement == "Guess up to 100."
    assert problem.languages == ("python", "cpp")
    assert problem.passes == 3
    assert problem.source_bytes == 64 * 1024
    assert problem.tests[0].limits.cpu_ns == 1_500_000_000
    assert problem.interactor is not None
    assert problem.interactor.protocol is Protocol.ICPC
    assert problem.interactor.limits.cpu_ns == 4 * SECOND
    assert [file.name for file in problem.build.support] == ["help.h"]


@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        ("", Comparison.WORDS),
        ("case_sensitive", Comparison.TOKENS),
        ("case_sensitive space_change_sensitive", Comparison.EXACT),
        ("float_tolerance 1e-6", Tolerance(1e-6, 1e-6, ignores_case=True)),
        ("float_absolute_tolerance 1e-4 case_sensitive", Tolerance(1e-4, 0)),
        ("float_relative_tolerance 1e-4", Tolerance(0, 1e-4, ignores_case=True)),
    ],
)
def test_the_default_validator(pack: Pack, flags: str, rule: object) -> None:
    definition = f"limits: {{time_limit: 1}}\nvalidator_flags: '{flags}'"
    assert loaded(pack, definition).check == rule


def test_a_validator_of_its_own(pack: Pack) -> None:
    group = {"data/secret/testdata.yaml": "output_validator_flags: big 7\n"}
    definition = "limits: {time_limit: 1}\nvalidation: custom\nvalidator_flags: all\n"
    problem = loaded(pack, definition, {**VALIDATOR, **group})
    assert isinstance(problem.check, Tool)
    assert problem.check.arguments == ("all",)
    assert problem.check.file.name == "validate.py"
    assert [file.name for file in problem.check.beside] == ["help.py"]
    assert problem.test("secret-a").check_arguments == ("big", "7")
    assert problem.test("sample-1").check_arguments == ()


GROUPS = {
    f"data/secret/{group}/{name}": "1\n" for group in ("g1", "g2") for name in ("1.in", "1.ans")
} | {f"data/secret/g2/{name}": "1\n" for name in ("2.in", "2.ans")}


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
    assert (points["secret-g2-1"], points["secret-g2-2"]) == (35, 35)


def test_scores_of_groups_in_2023(pack: Pack) -> None:
    files = {
        **GROUPS,
        "data/secret/g1/test_group.yaml": "scoring: {score: 40, aggregation: min}\n",
        "data/secret/g2/test_group.yaml": "scoring: {score: 60, aggregation: sum}\n",
    }
    problem = loaded(pack, "limits: {time_limit: 1}\ntype: scoring", files)
    points = {group.name: group.points for group in problem.groups}
    assert points["secret-g1"] == 40
    assert (points["secret-g2-1"], points["secret-g2-2"]) == (30, 30)


def test_what_submissions_are_expected_to_get(pack: Pack) -> None:
    folder = pack(
        {
            "problem.yaml": "limits: {time_limit: 1}",
            "submissions/accepted/a.py": "",
            "submissions/run_time_error/b.py": "",
            "submissions/rejected/c.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n",
            "submissions/mixed/d.py": "# @EXPECTED_RESULTS@: CORRECT\n",
            "submissions/partially_accepted/e.py": "",
            "submissions/submissions.yaml": (
                "'partially_accepted/*': {permitted: [WA, TLE], score: 30}\n"
            ),
        }
    )
    found = {entry.name: (set(entry.expected), entry.score) for entry in solutions(folder)}
    wrong, slow = Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED
    assert found["accepted/a.py"] == ({Verdict.ACCEPTED}, None)
    assert Verdict.RUNTIME_ERROR in found["run_time_error/b.py"][0]
    assert found["rejected/c.py"] == ({wrong, slow}, None)
    assert found["mixed/d.py"] == ({Verdict.ACCEPTED}, None)
    assert found["partially_accepted/e.py"] == ({wrong, slow}, 30)


def test_a_time_limit_that_nobody_names_is_a_warning(pack: Pack) -> None:
    faults = check(pack({"problem.yaml": "name: Hello"}))
    assert any("names no time limit" in fault.reason and fault.is_warning for fault in faults)


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("name: [", "is not YAML"),
        ("- a", "must be a table"),
        ("nmae: x", 'did you mean "name"?'),
        ("problem_format_version: 1999", "is none of legacy"),
        ("type: guessing", '"guessing" is not offered here'),
        ("limits: {memory: lots}", "must be a number"),
        ("validation: custom", "there is no output validator"),
    ],
)
def test_faults(pack: Pack, definition: str, reason: str) -> None:
    with pytest.raises(PackageError) as raised:
        loaded(pack, definition)
    assert any(reason in fault.reason for fault in raised.value.faults), raised.value.faults


def test_a_missing_answer(pack: Pack) -> None:
    folder = pack({"problem.yaml": ""})
    (folder / "data" / "secret" / "a.ans").unlink()
    with pytest.raises(PackageError, match="the answer is missing"):
        load(folder)
