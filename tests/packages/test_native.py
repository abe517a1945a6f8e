"""The native format: what is read, and what is refused with file, key and reason."""

from pathlib import Path

import pytest

from judge.model import Comparison, Example, Trial
from judge.packages import PackageError, load

MIB = 1 << 20
SECOND = 1_000_000_000


def define(package: Path, *lines: str, head: str = 'title = "Echo"') -> Path:
    group = '[[group]]\npoints = 100\ntests = ["1..2"]'
    text = "\n".join([head, *(line for line in lines if not line.startswith("[tests")), group])
    tests = [line for line in lines if line.startswith("[tests")]
    (package / "problem.toml").write_text("\n".join([text, *tests]))
    return package


def test_a_short_definition_has_sensible_defaults(package: Path) -> None:
    problem = load(package)
    assert (problem.slug, problem.title, problem.points) == ("echo", "Echo", 100)
    assert problem.languages == ("cpp", "python", "git")
    assert problem.check is Comparison.LINES
    assert problem.examples == (Example("1", "7\n", "7\n"),)
    assert [test.id for test in problem.tests] == ["1", "2"]
    limits = problem.test("1").limits
    assert (limits.cpu_ns, limits.wall_ns) == (SECOND, 3 * SECOND)
    assert (limits.memory_bytes, limits.output_bytes) == (256 * MIB, 64 * MIB)
    assert (limits.disk_bytes, limits.processes) == (0, 32)


def test_a_test_says_only_what_differs(package: Path) -> None:
    define(
        package,
        '[limits]\ntime = "1s"\nwall = "9s"\nmemory = "64MiB"',
        '[tests.2]\ntime = "500ms"\ndisk = "2KiB"\nafter = "1"\ncontinues = true',
    )
    first, second = load(package).tests
    assert first.limits.wall_ns == 9 * SECOND
    assert second.limits.wall_ns == 2 * SECOND, "a new time limit takes its wall limit along"
    assert (second.limits.disk_bytes, second.limits.files) == (2048, 1000)
    assert second.limits.memory_bytes == 64 * MIB
    assert (second.after, second.continues) == ("1", True)


def test_a_test_without_input_reads_nothing(package: Path) -> None:
    (package.parent.parent / "data/echo/2.in").unlink()
    assert load(package).test("2").input is None


def test_tests_may_lie_in_another_folder(package: Path, tmp_path: Path) -> None:
    elsewhere = (tmp_path / "data" / "echo").rename(tmp_path / "elsewhere")
    assert load(package, elsewhere).test("1").answer == elsewhere / "1.ans"


@pytest.mark.parametrize(
    ("lines", "key", "reason"),
    [
        (['compare = "toknes"'], "compare", "must be one of words, tokens, lines, exact"),
        (['compair = "lines"'], "compair", 'unknown key (did you mean "compare"?)'),
        (['[limits]\ntme = "1s"'], "limits.tme", 'unknown key (did you mean "time"?)'),
        (["[limits]\ntime = 1"], "limits.time", "must be a duration"),
        (['[limits]\ntime = "1"'], "limits.time", "is not a duration"),
        (['[limits]\ntime = "0s"'], "limits.time", "must be more than 0"),
        (['[limits]\nmemory = "1 monkey"'], "limits.memory", "is not a size"),
        (['[limits]\nmemory = "1KiB"'], "limits.memory", "must be 1MiB or more"),
        (["[limits]\nfiles = -1"], "limits.files", "must be a whole number"),
        (["[limits]\nprocesses = true"], "limits.processes", "must be a whole number"),
        (['languages = ["cobol"]'], "languages", "there is no such language"),
        (["languages = []"], "languages", "must name at least one"),
        (['[build]\nheader = "a.hpp"\nmain = "no.cpp"'], "build.main", 'no file "no.cpp"'),
        (['[build]\nmain = "main.cpp"'], "build.main", "is for header problems"),
        (['[tests.2]\nafter = "2"'], "tests.2.after", "is not a test that is judged before"),
        (["[tests.1]\ncontinues = true"], "tests.1.continues", "there is no test before"),
        (['[tests.3]\ntime = "1s"'], "tests.3", "no group names this test"),
        (['[tests.1]\ninput = "../../x"'], "tests.1.input", "leads out of echo/"),
        (['[tests.1]\ncompare = "near"'], "tests.1.compare", "must be one of words"),
        (["[tests.1]\ncheck = { absolut = 1 }"], "tests.1.check.absolut", "unknown key"),
        (
            ["own_score = true", '[tests.1]\ncompare = "exact"'],
            "tests.1.compare",
            "is judged by no rule",
        ),
        (
            ['languages = ["python"]', "[tests.1]\nleak_check = true"],
            "languages",
            "only programs in C and C++ can be checked for leaks",
        ),
        (
            ['languages = ["c", "python"]', '[tests.1]\nleak_check = true\nlanguages = ["python"]'],
            "tests.1.languages",
            "only programs in C and C++ can be checked for leaks",
        ),
        (['[tests.1]\nlanguages = ["rust"]'], "tests.1.languages", "is none of the languages of"),
        (
            ['[tests.1]\nlanguages = ["cpp"]', '[tests.2]\nafter = "1"'],
            "tests.2.languages",
            "test 1, which it builds on, is for fewer",
        ),
        (
            ['[tests.1]\nlanguages = ["cpp"]', '[tests.2]\nlanguages = ["cpp"]'],
            "tests",
            'has no test for submissions in "python"',
        ),
        (['[[validate]]\nprogram = "x.py"'], "validate[1].program", 'there is no file "x.py"'),
        (['[expected]\n"accepted/x.py" = [3, 1]'], "expected.accepted/x.py", "least and the most"),
        (['[expected]\n"accepted/x.py".score = "all"'], "expected.accepted/x.py.score", "a number"),
        (
            ['[specimens."valid_output/x"]'],
            "specimens.valid_output/x",
            "there is no valid_output/x",
        ),
        (["[tests.1.score]\nfull = 0"], "tests.1.score.full", "must be above 0"),
    ],
)
def test_a_fault_names_file_key_and_reason(
    package: Path, lines: list[str], key: str, reason: str
) -> None:
    define(package, *lines)
    with pytest.raises(PackageError) as raised:
        load(package)
    fault = next(fault for fault in raised.value.faults if fault.key == key)
    assert fault.file == package / "problem.toml"
    assert reason in fault.reason
    assert str(fault) == f"{fault.file}: {key}: {fault.reason}"


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ('["1..02"]', "does not count up"),
        ('["2..1"]', "does not count up"),
        ('["1", "1..2"]', '"1" stands twice'),
        ('["../1"]', "is not the name of a test"),
        ("[]", "must name at least one test"),
        ("[1]", "must be a list of strings"),
    ],
)
def test_a_group_names_its_tests(package: Path, tests: str, reason: str) -> None:
    (package / "problem.toml").write_text(
        f'title = "Echo"\n[[group]]\npoints = 1\ntests = {tests}\n'
    )
    with pytest.raises(PackageError, match="group") as raised:
        load(package)
    assert reason in raised.value.reason


def test_a_stage_of_a_chain_has_no_files_of_its_own(package: Path, tmp_path: Path) -> None:
    (tmp_path / "data/echo/1.files").mkdir()
    assert load(package).test("1").files == tmp_path / "data/echo/1.files"
    (tmp_path / "data/echo/1.files").rename(tmp_path / "data/echo/2.files")
    define(package, "[tests.2]\ncontinues = true")
    with pytest.raises(PackageError, match=r"2\.files can be laid into a new workspace alone"):
        load(package)


def test_specimens_lie_beside_the_tests(package: Path, tmp_path: Path) -> None:
    define(package, '[specimens."invalid_input/x"]\ninput_arguments = ["small"]')
    tests = tmp_path / "data/echo"
    for file in ("invalid_input/x.in", "valid_output/y.in", "valid_output/y.ans"):
        (tests / file).parent.mkdir(exist_ok=True)
        (tests / file).touch()
    with pytest.raises(PackageError, match=r"y\.out: is missing beside y\.in"):
        load(package)
    (tests / "valid_output/y.out").touch()
    first, second = load(package).specimens
    assert (first.trial, first.test.input_arguments) == (Trial.INVALID_INPUT, ("small",))
    assert (first.test.input, first.output) == (tests / "invalid_input/x.in", None)
    assert (second.trial, second.test.answer) == (Trial.VALID_OUTPUT, tests / "valid_output/y.ans")
    assert second.output == tests / "valid_output/y.out"


def test_a_missing_answer_is_named_by_its_file(package: Path, tmp_path: Path) -> None:
    answer = tmp_path / "data/echo/2.ans"
    answer.unlink()
    with pytest.raises(PackageError) as raised:
        load(package)
    assert (raised.value.file, raised.value.key) == (answer, "")
    assert "the answer of test 2 is missing" in str(raised.value)


def test_all_faults_are_found_at_once(package: Path) -> None:
    define(package, '[limits]\ntme = "1s"\nmemory = "x"', head="titel = 'Echo'")
    with pytest.raises(PackageError) as raised:
        load(package)
    assert {fault.key for fault in raised.value.faults} == {
        *("titel", "title", "limits.tme", "limits.memory")
    }
    assert str(raised.value).endswith("(and 3 more faults)")


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"title = ", "is not TOML"), (b"title = '\xff'", "is not UTF-8 text")],
)
def test_a_definition_that_cannot_be_read(package: Path, content: bytes, reason: str) -> None:
    (package / "problem.toml").write_bytes(content)
    with pytest.raises(PackageError, match=reason):
        load(package)


def test_a_folder_without_a_definition(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="so it is no package"):
        load(tmp_path)
    with pytest.raises(PackageError, match="there is no such folder"):
        load(tmp_path / "nothing")
    (tmp_path / "x.zip").touch()
    with pytest.raises(PackageError, match="is a file; a package is a folder"):
        load(tmp_path / "x.zip")
