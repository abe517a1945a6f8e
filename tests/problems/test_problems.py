"""The sample problems keep what they promise: tests can be made again, and examples are true."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from judge.grading import Finished, Slot, Source, SourceText, SourceTree, grade
from judge.model import Comparison, Group, Outcome, Problem, Verdict, language_of
from judge.packages import load
from tests.slots import all_slots, askers

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(file.parent for file in ROOT.glob("problems/*/problem.toml"))
STARTERS = sorted(file.parent for file in ROOT.glob("problems/*/starter/CMakeLists.txt"))


@pytest.fixture(params=PACKAGES, ids=lambda package: package.name)
def package(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


def test_a_package_loads_and_is_worth_100_points(package: Path) -> None:
    assert load(package).points == 100


def test_every_solution_stands_in_a_folder_of_its_verdict(package: Path) -> None:
    folders = {folder.name for folder in (package / "solutions").iterdir()}
    assert folders <= set(Verdict)
    assert {Verdict.ACCEPTED, Verdict.WRONG_ANSWER} <= folders


def test_no_test_is_left_without_a_group(package: Path) -> None:
    problem = load(package)
    named = {test.id for test in problem.tests}
    named |= {specimen.test.id for specimen in problem.specimens}
    files = (Path(name) for name in contents(hidden_tests(package)))
    assert {file.with_suffix("").as_posix() for file in files} == named


@pytest.fixture(scope="module")
def generated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[Path, Future[Path]]]:
    """The folders of tests made again: all generators are at work at once, for they compile."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {
            package: pool.submit(generate, package, tmp_path_factory.mktemp(package.name))
            for package in packages_of(request)
        }


def test_the_generator_makes_the_tests_byte_by_byte(
    package: Path, generated: Mapping[Path, Future[Path]]
) -> None:
    assert contents(generated[package].result()) == contents(hidden_tests(package))


@pytest.fixture(scope="module")
def on_examples(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[Path, Future[Outcome]]]:
    """How the reference of each package fares on the examples, where they can be judged."""
    with all_slots() as slots:
        outcomes = {}
        for package in packages_of(request):
            problem = load(package)
            if has_one_right_output(problem):
                problem = only_examples(problem, tmp_path_factory.mktemp(package.name))
                outcomes[package] = slots.submit(partial(judge, problem, reference(package)))
        yield outcomes


def test_the_examples_of_the_statement_are_true(
    package: Path, on_examples: Mapping[Path, Future[Outcome]]
) -> None:
    problem = load(package)
    if has_one_right_output(problem):
        assert problem.examples
        outcome = on_examples[package].result()
        assert outcome.verdict is Verdict.ACCEPTED, outcome
    else:
        assert "## Example" in problem.statement


@pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.parent.name)
def test_a_starter_that_is_a_repository_builds(starter: Path, slot: Slot) -> None:
    problem = load(starter.parent)
    first = problem.tests[0]
    only_first = replace(problem, tests=(first,), groups=(Group("1", "First", 1, (first.id,)),))
    assert judge(only_first, SourceTree(starter), slot).verdict is not Verdict.COMPILE_ERROR


def has_one_right_output(problem: Problem) -> bool:
    """Neither one of many, nor a conversation."""
    return problem.interactor is None and isinstance(problem.check, Comparison)


def packages_of(request: pytest.FixtureRequest) -> list[Path]:
    """The packages of the tests that ask for the fixture."""
    return [test.callspec.params["package"] for test in askers(request)]


def generate(package: Path, folder: Path) -> Path:
    subprocess.run([sys.executable, package / "generate.py", folder], check=True)
    return folder


def hidden_tests(package: Path) -> Path:
    return package.parents[1] / "data" / package.name


def contents(folder: Path) -> dict[str, bytes]:
    """Of all files in it, by their paths."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


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
