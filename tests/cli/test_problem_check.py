"""`adjudge problem check` and `verify`: tables, JSON, exit codes."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.main import adjudge
from judge.packages.scaffold import KINDS

SUM = Path(__file__).parents[2] / "problems" / "sum"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of sum with three tests and three solutions."""
    package, tests = tmp_path / "problems" / "sum", tmp_path / "data" / "sum"
    tests.mkdir(parents=True)
    for id_, (given, answer) in {"1": ("1 2", "3"), "2": ("2 2", "4"), "3": ("5 5", "10")}.items():
        (tests / f"{id_}.in").write_text(given)
        (tests / f"{id_}.ans").write_text(answer)
    for verdict, name, text in (
        ("accepted", "sum.py", "print(sum(map(int, input().split())))"),
        (
            "wrong_answer",
            "half.py",
            "a, b = map(int, input().split()); print((a + b) * (a < 5))",
        ),
        ("runtime_error", "raises.py", "raise ValueError"),
    ):
        (package / "solutions" / verdict).mkdir(parents=True)
        (package / "solutions" / verdict / name).write_text(text)
    shutil.copy(SUM / "statement.md", package)
    (package / "problem.toml").write_text(
        'title = "Sum"\n[[group]]\npoints = 40\ntests = ["1..2"]\n[[group]]\npoints = 60\n'
        'tests = ["3"]\n[expected]\n"wrong_answer/half.py" = 40\n'
    )
    return package


def call(*words: object) -> Result:
    return CliRunner().invoke(adjudge, ["problem", *map(str, words)])


def test_all_as_expected(package: Path) -> None:
    result = call("verify", package)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == "3 solutions, none not as expected"
    rows = json.loads(call("verify", package, "--json").stdout)
    half = next(row for row in rows if row["solution"] == "wrong_answer/half.py")
    assert (half["verdict"], half["score"], half["as_expected"]) == ("wrong_answer", 40, True)


def test_a_solution_in_the_wrong_folder_and_one_with_another_score(package: Path) -> None:
    folder = package / "solutions"
    (folder / "runtime_error" / "raises.py").write_text("print(0)")
    text = (package / "problem.toml").read_text()
    (package / "problem.toml").write_text(text.replace('half.py" = 40', 'half.py" = 50'))
    result = call("verify", package)
    assert result.exit_code == 1
    assert result.stdout.count("NOT AS EXPECTED") == 2
    assert result.stdout.splitlines()[-1] == "3 solutions, 2 not as expected"


def test_check_tells_errors_from_warnings(package: Path) -> None:
    assert call("check", package).exit_code == 0
    (package.parent.parent / "data" / "sum" / "4.in").touch()
    result = call("check", package)
    assert result.exit_code == 0
    assert result.stdout.startswith("warning: ")
    assert call("check", package, "--strict").exit_code == 1
    (package / "problem.toml").write_text("titel = 'x'")
    result = call("check", package, "--json")
    assert result.exit_code == 1
    assert {fault["key"] for fault in json.loads(result.stdout)} >= {"titel", "title", "group"}


def test_a_package_that_cannot_be_loaded(package: Path) -> None:
    (package / "problem.toml").unlink()
    result = call("verify", package)
    assert result.exit_code == 2
    assert "so it is no package" in result.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_package_verifies(kind: str, tmp_path: Path) -> None:
    folders = ("--problems", tmp_path / "problems", "--data", tmp_path / "data")
    result = call("new", "first", "--kind", kind, *folders)
    assert result.exit_code == 0, result.output
    assert call("check", "--strict", tmp_path / "problems" / "first").exit_code == 0
    result = call("verify", tmp_path / "problems" / "first")
    assert result.exit_code == 0, result.output
    assert call("new", "first", *folders).exit_code == 2
    assert "is no name for a problem" in call("new", "the first", *folders).stderr


@pytest.mark.parametrize("command", ["check", "verify"])
def test_a_folder_of_tests_is_that_of_one_package(command: str, package: Path) -> None:
    result = call(command, package, package, "--tests", package)
    assert result.exit_code == 2
    assert "--tests names the tests of one package, and there are 2" in result.stderr


def test_export_and_import(package: Path, tmp_path: Path) -> None:
    archive = tmp_path / "sum.zip"
    assert call("export", package, archive).exit_code == 0
    folders = ("--problems", tmp_path / "p", "--data", tmp_path / "d")
    result = call("import", archive, "--name", "again", *folders)
    assert result.exit_code == 0, result.output
    tests = ("--tests", tmp_path / "d" / "again")
    assert call("verify", tmp_path / "p" / "again", *tests).exit_code == 0
    assert call("import", archive, "--name", "again", *folders).exit_code == 2
