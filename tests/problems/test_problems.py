"""The sample problems keep what they promise: tests can be made again, and examples are true."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading import Finished, Slot, Source, SourceText, SourceTree, grade
from judge.model import Comparison, Group, Outcome, Problem, Verdict, language_of
from judge.packages import load

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(file.parent for file in ROOT.glob("problems/*/problem.toml"))
STARTERS = sorted(file.parent for file in ROOT.glob("problems/*/starter/CMakeLists.txt"))


@pytest.fixture(params=PACKAGES, ids=lambda package: package.name)
def package(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def slot() -> Iterator[Slot]:
    with Slot() as slot:
        yield slot


def test_a_package_loads_and_is_worth_100_points(package: Path) -> None:
    assert load(package).points == 100


def test_every_solution_stands_in_a_folder_of_its_verdict(package: Path) -> None:
    folders = {folder.name for folder in (package / "solutions").iterdir()}
    assert folders <= set(Verdict)
    assert {Verdict.ACCEPTED, Verdict.WRONG_ANSWER} <= folders


def test_no_test_is_left_without_a_group(package: Path) -> None:
    named = {test.id for test in load(package).tests}
    assert {file.stem for file in hidden_tests(package).iterdir()} == named


def test_the_generator_makes_the_tests_byte_by_byte(package: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, package / "generate.py", tmp_path], check=True)
    assert contents(tmp_path) == contents(hidden_tests(package))


def test_the_examples_of_the_statement_are_true(package: Path, tmp_path: Path, slot: Slot) -> None:
    problem = load(package)
    if problem.interactor or not isinstance(problem.check, Comparison):
        assert "## Example" in problem.statement  # one of many right outputs, or a conversation
    else:
        assert problem.examples
        outcome = judge(only_examples(problem, tmp_path), reference(package), slot)
        assert outcome.verdict is Verdict.ACCEPTED, outcome


@pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.parent.name)
def test_a_starter_that_is_a_repository_builds(starter: Path, slot: Slot) -> None:
    problem = load(starter.parent)
    first = problem.tests[0]
    only_first = replace(problem, tests=(first,), groups=(Group("1", "First", 1, (first.id,)),))
    assert judge(only_first, SourceTree(starter), slot).verdict is not Verdict.COMPILE_ERROR


def hidden_tests(package: Path) -> Path:
    return package.parents[1] / "data" / package.name


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def reference(package: Path) -> Source:
    """The first accepted solution, a repository before a file."""
    solutions = sorted((package / "solutions" / "accepted").iterdir(), key=Path.is_file)
    if solutions[0].is_dir():
        return SourceTree(solutions[0])
    language = language_of(solutions[0].name)
    assert language is not None
    return SourceText(language.id, solutions[0].read_bytes())


def only_examples(problem: Problem, folder: Path) -> Problem:
    """The same problem, with the examples of its statement for tests."""
    tests = []
    for example in problem.examples:
        test = replace(
            problem.tests[0],
            id=example.name,
            input=folder / f"{example.name}.in",
            answer=folder / f"{example.name}.ans",
        )
        (folder / f"{test.id}.in").write_text(example.input)
        (folder / f"{test.id}.ans").write_text(example.output)
        tests.append(test)
    group = Group("1", "Examples", 1, tuple(test.id for test in tests))
    return replace(problem, tests=tuple(tests), groups=(group,))


def judge(problem: Problem, source: Source, slot: Slot) -> Outcome:
    for event in grade(problem, source, slot):
        if isinstance(event, Finished):
            return event.outcome
    raise AssertionError("the grading ended without an outcome")
