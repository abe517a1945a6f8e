"""Each solution gets exactly the verdict after which its folder is named.

The data: `problems/*/solutions/<verdict>/*`, which ships with the product, and
`tests/verdicts/<problem>/<verdict>/*`, which is of use to nobody but us. A solution is a file, or a
folder that is judged as a repository.

They are judged as a machine of a judge does it: a slot on each core, all at work at once.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from judge.grading import (
    Event,
    Finished,
    Slot,
    Source,
    SourceText,
    SourceTree,
    TestFinished,
    grade,
)
from judge.model import Verdict, language_of
from judge.packages import Solution, load, solutions
from tests.slots import all_slots, askers

ROOT = Path(__file__).parents[2]

Ended = tuple[Verdict, str, float | None]
"""The verdict, its message, and the score where all tests were judged."""


def cases() -> Iterator[tuple[str, Solution]]:
    for package in sorted(ROOT.glob("problems/*/problem.toml")):
        name = package.parent.name
        for solution in (*solutions(package.parent), *ours(name)):
            yield name, solution


def ours(problem: str) -> Iterator[Solution]:
    for path in sorted(ROOT.glob(f"tests/verdicts/{problem}/*/*")):
        verdict = Verdict(path.parent.name)
        yield Solution(f"{verdict}/{path.name}", path, frozenset({verdict}))


def source(solution: Solution) -> Source:
    if solution.path.is_dir():
        return SourceTree(solution.path)
    language = language_of(solution.path.name)
    assert language is not None, f"{solution.path} has no known extension"
    return SourceText(solution.language or language.id, solution.path.read_bytes())


def judge(problem: str, solution: Solution, slot: Slot) -> Ended:
    return end(grade(load(ROOT / "problems" / problem), source(solution), slot), solution)


def end(events: Iterator[Event], solution: Solution) -> Ended:
    """The first failure, where no score is expected: no need to wait for the other tests."""
    for event in events:
        match event:
            case TestFinished(result) if solution.score is None:
                if result.verdict is not Verdict.ACCEPTED:
                    return result.verdict, result.message, None
            case Finished(outcome):
                return outcome.verdict, outcome.message, outcome.score
            case _:
                pass
    raise AssertionError("the grading ended without an outcome")


@pytest.fixture(scope="module")
def judgings(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Ended]]]:
    """The judgings of the solutions that this session asks for, by the test's name."""
    with all_slots() as slots:
        yield {test.name: slots.submit(partial(judge, *_case(test))) for test in askers(request)}


def _case(test: pytest.Function) -> tuple[str, Solution]:
    return test.callspec.params["problem"], test.callspec.params["solution"]


@pytest.mark.parametrize(
    ("problem", "solution"),
    [pytest.param(*case, id=f"{case[0]}-{case[1].name}") for case in cases()],
)
def test_solution(
    problem: str,  # noqa: ARG001  (a judging began with it)
    solution: Solution,
    judgings: Mapping[str, Future[Ended]],
    request: pytest.FixtureRequest,
) -> None:
    verdict, message, score = judgings[request.node.name].result()
    assert verdict in solution.expected, message
    if solution.score is not None:
        assert score in solution.score
