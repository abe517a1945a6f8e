"""ICPC and Kattis packages: both formats, validators, time limits, samples, expectations."""

import pytest

from judge.model import (
    Comparison,
    Example,
    Protocol,
    Timing,
    Tolerance,
    Tool,
    Verdict,
)
from judge.packages import PackageError, Points, check, load, solutions
from tests.packages.conftest import VALIDATOR, Pack, loaded

MIB = 1 << 20
SECOND = 1_000_000_000

MULTIPLIERS = """
problem_format_version: 2023-07-draft
limits:
  time_resolution: 0.1
  time_multipliers: {ac_to_time_limit: 4, time_limit_to_tle: 2}
"""


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
    assert [file.name for file in problem.build.included_in("cpp17")] == ["help.h"]


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


def test_tests_may_tell_the_default_validator_other_things(pack: Pack) -> None:
    files = {
        "data/secret/testdata.yaml": "output_validator_flags: float_tolerance 1e-6\n",
        "data/secret/b.yaml": "output_validator_args: [case_sensitive]\n",
    }
    problem = loaded(pack, "limits: {time_limit: 1}\nvalidator_flags: case_sensitive", files)
    rules = {test.id: test.compare or problem.check for test in problem.tests}
    assert rules == {
        "sample-1": Comparison.TOKENS,
        "secret-a": Tolerance(1e-6, 1e-6),
        "secret-b": Comparison.TOKENS,
    }


def test_a_validator_of_its_own(pack: Pack) -> None:
    group = {
        "data/secret/testdata.yaml": "output_validator_flags: {name: validate, flags: big 7}\n"
    }
    definition = "limits: {time_limit: 1}\nvalidation: custom\nvalidator_flags: all\n"
    problem = loaded(pack, definition, {**VALIDATOR, **group})
    assert isinstance(problem.check, Tool)
    assert problem.check.arguments == ("all",)
    assert problem.check.file.name == "validate.py"
    assert [file.name for file in problem.check.beside] == ["help.py"]
    assert problem.test("secret-a").check_arguments == ("big", "7")
    assert problem.test("sample-1").check_arguments == ()


def test_input_validators(pack: Pack) -> None:
    files = {
        "input_validators/one.py": "",
        "input_validators/help.h": "",
        "input_validators/two/main.cpp": "",
        "input_validators/two/parse.cpp": "",
        "input_format_validators/old.c": "",
        "input_validators/grammar.ctd": "",
        "data/secret/testdata.yaml": "input_validator_flags: {name: two, flags: --max 9}\n",
    }
    folder = pack({"problem.yaml": "limits: {time_limit: 1}", **files})
    problem = load(folder)
    validators = problem.input_validators
    found = {
        tool.file.name: [file.name for file in (*tool.beside, *tool.together)]
        for tool in validators
    }
    assert found == {"one.py": ["grammar.ctd", "help.h"], "main.cpp": ["parse.cpp"], "old.c": []}
    assert [file.name for file in validators[1].together] == ["parse.cpp"]
    assert all(tool.protocol is Protocol.ICPC for tool in validators)
    assert problem.test("secret-a").input_arguments == ("--max", "9")
    (grammar,) = [fault for fault in check(folder) if fault.file.name == "grammar.ctd"]
    assert grammar.is_warning


def test_the_samples_end_the_statement(pack: Pack) -> None:
    files = {
        "problem_statement/problem.en.md": "# Add\n",
        "data/sample/2.in": "5\n",
        "data/sample/2.ans": "6\n",
        "data/sample/2.in.statement": "five\n",
        "data/sample/2.out": "six\n",
    }
    problem = loaded(pack, "limits: {time_limit: 1}", files)
    assert problem.examples == (Example("1", "1\n", "1\n"), Example("2", "five\n", "six\n"))


def test_an_interactive_problem_shows_interactions_alone(pack: Pack) -> None:
    files = {**VALIDATOR, "data/sample/x.interaction": "> 5\n< yes\n"}
    definition = "limits: {time_limit: 1}\nvalidation: custom interactive"
    problem = loaded(pack, definition, files)
    assert problem.examples == ()
    assert "> 5\n< yes\n" in problem.statement
    assert "Input" not in problem.statement


@pytest.mark.parametrize(
    ("definition", "timing"),
    [
        ("", Timing(5, 2, only_accepted=True)),
        (
            "limits: {time_multiplier: 3, time_safety_margin: 1.5}",
            Timing(3, 1.5, only_accepted=True),
        ),
        ("problem_format_version: 2023-07-draft", Timing(2, 1.5)),
        (
            MULTIPLIERS,
            Timing(4, 2, SECOND // 10),
        ),
        ("limits: {time_limit: 1}", None),
        (
            "limits: {time_limit: 1, time_multiplier: 3}",
            Timing(3, 2, only_accepted=True, limit_is_named=True),
        ),
        (f"{MULTIPLIERS}  time_limit: 1", Timing(4, 2, SECOND // 10, limit_is_named=True)),
    ],
)
def test_how_the_time_limit_follows_from_the_submissions(
    pack: Pack, definition: str, timing: Timing | None
) -> None:
    assert loaded(pack, definition).timing == timing


@pytest.mark.parametrize(
    ("name", "text"),
    [(".timelimit", "3\n"), ("domjudge-problem.ini", "color = '#00ff00'\ntimelimit='3'\n")],
)
def test_other_files_that_name_the_time(pack: Pack, name: str, text: str) -> None:
    problem = loaded(pack, "name: Hello", {name: text})
    assert problem.tests[0].limits.cpu_ns == 3 * SECOND
    assert problem.timing is None


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
    assert found["partially_accepted/e.py"] == ({wrong, slow}, Points(30, 30))


def test_what_submissions_yaml_says_of_tests_and_groups(pack: Pack) -> None:
    listed = """
'{accepted,wrong_answer}/*':
  score: [10, 30]
  message: too many
  sample: {permitted: [AC]}
  'secret/[ab]': {required: [WA, TLE]}
'wrong_answer/*.py': {required: [WA], use_for_time_limit: false}
wrong_answer/two: {language: cpp}
"""
    folder = pack(
        {
            "problem.yaml": "limits: {time_limit: 1}",
            "submissions/wrong_answer/a.py": "",
            "submissions/wrong_answer/two/a.c": "",
            "submissions/wrong_answer/two/b.h": "",
            "submissions/accepted/three/a.py": "",
            "submissions/accepted/three/b.txt": "",
            "submissions/accepted/four/Makefile": "",
            "submissions/accepted/four/a.py": "",
            "submissions/submissions.yaml": listed,
        }
    )
    found = {entry.name: entry for entry in solutions(folder)}
    languages = {name: entry.language for name, entry in found.items()}
    assert languages == {
        "accepted/four": None,
        "accepted/three": "python",
        "wrong_answer/a.py": None,
        "wrong_answer/two": "cpp",
    }
    wrong = found["wrong_answer/a.py"]
    assert wrong.score == Points(10, 30)
    assert not wrong.counts_for_time
    assert Verdict.ACCEPTED not in wrong.expected
    whole, sample, secret, required = wrong.expectations
    assert whole.message == "too many"
    assert (sample.tests, sample.permitted) == (("sample-1",), {Verdict.ACCEPTED})
    assert secret.tests == ("secret-a", "secret-b")
    assert required.required == {Verdict.WRONG_ANSWER}


@pytest.mark.parametrize(
    ("listed", "key", "reason"),
    [
        ("accepted: {permited: [AC]}", "accepted.permited", 'did you mean "permitted"?'),
        ("accepted: {permitted: [OK]}", "accepted.permitted", '"OK" is none of AC, WA, TLE, RTE'),
        ("accepted: {permitted: AC}", "accepted.permitted", "must be a list"),
        ("accepted: {score: [3, 1]}", "accepted.score", "must be a number, or a list of the least"),
        ("accepted: {language: cobol}", "accepted.language", '"cobol" is none of c, cpp'),
        ("accepted: {secret/g: {permitted: [AC]}}", "accepted.secret/g", "names neither a test"),
        ("accepted: {secret/a/b: {score: 1}}", "accepted.secret/a/b", "names neither a test"),
        ("accepted: [AC]", "accepted", "must be a table"),
        ("acepted/a.py: {permitted: [AC]}", "acepted/a.py", "names no submission"),
    ],
)
def test_faults_of_submissions_yaml(pack: Pack, listed: str, key: str, reason: str) -> None:
    files = {"submissions/accepted/a.py": "", "submissions/submissions.yaml": listed}
    found = check(pack({"problem.yaml": "limits: {time_limit: 1}", **files}))
    assert any(fault.key == key and reason in fault.reason for fault in found), found


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
        ("type: [scoring, pass-fail]", "cannot be both pass-fail and scoring"),
        ("limits: {time_limit: 0}", "must be more than 0"),
        ("limits: {memory: 0}", "must be more than 0"),
        ("type: guessing", '"guessing" is not offered here'),
        ("limits: {memory: lots}", "must be a number"),
        ("validator_flags: case_sensitiv", '"case_sensitiv" is none of case_sensitive'),
        ("validator_flags: float_tolerance", "must be followed by a number, 0 or more"),
        ("validator_flags: float_tolerance nan", "must be followed by a number, 0 or more"),
        ("validation: custom", "there is no output validator"),
        ("constants: {n: [1]}", "must be a number, a text, or a table"),
        ("constants: {n: true}", "must be a number, a text, or a table"),
        ("constants: {1st: 1}", "must be a name of letters, digits and _"),
        ("constants: 7", "must be a table"),
        ("languages: [kotlin]", "must be all, or name some of c, cpp, java"),
    ],
)
def test_faults(pack: Pack, definition: str, reason: str) -> None:
    with pytest.raises(PackageError) as raised:
        loaded(pack, definition)
    assert any(reason in fault.reason for fault in raised.value.faults), raised.value.faults


def test_all_languages_are_those_of_the_judge(pack: Pack) -> None:
    languages = loaded(pack, "limits: {time_limit: 1}\nlanguages: all").languages
    assert languages == ("c", "cpp", "java", "javascript", "go", "rust", "python", "git")


def test_included_files_are_those_of_a_language(pack: Pack) -> None:
    files = {
        "include/default/a.h": "",
        "include/default/b.py": "",
        "include/python3/b.py": "own",
        "include/go/more.go": "",
        "include/cobol/x": "",
    }
    folder = pack({"problem.yaml": "limits: {time_limit: 1}", **files})
    build = load(folder).build
    names = {
        id_: [f"{file.parent.name}/{file.name}" for file in build.included_in(id_)]
        for id_ in ("cpp17", "python", "go")
    }
    assert names == {
        "cpp17": ["default/a.h", "default/b.py"],
        "python": ["default/a.h", "python3/b.py"],
        "go": ["default/a.h", "default/b.py", "go/more.go"],
    }
    assert any(fault.file.name == "cobol" and fault.is_warning for fault in check(folder))


CONSTANTS = "limits: {time_limit: 1}\nconstants: {max_n: 100, ratio: 2.5, who: {value: Ann}}"


def test_constants_stand_in_the_statement_and_in_settings(pack: Pack) -> None:
    files = {
        "problem_statement/problem.en.md": "{{max_n}} {{ratio}} \\constant{who} {{other}}",
        "data/secret/testdata.yaml": "input_validator_flags: '{{max_n}}'\n",
        "data/secret/a.yaml": "input_validator_args: ['{{who}}']\n",
    }
    problem = loaded(pack, CONSTANTS, files)
    assert problem.statement.startswith("100 2.5 Ann {{other}}")
    assert problem.test("secret-a").input_arguments == ("Ann",)
    assert problem.test("secret-b").input_arguments == ("100",)
