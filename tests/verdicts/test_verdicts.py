"""Each solution gets exactly the verdict after which its folder is named.

The data: `problems/*/solutions/<verdict>/*`, which ships with the product, and
`tests/verdicts/<problem>/<verdict>/*`, which is of use to nobody but us. A solution is a file, or a
folder that is judged as a repository.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.grading import Finished, Slot, Source, SourceText, SourceTree, TestFinished, grade
from judge.model import Verdict, language_of
from judge.packages import Solution, load, solutions

ROOT = Path(__file__).parents[2]


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


@pytest.fixture(scope="module")
def slot() -> Iterator[Slot]:
    with Slot() as slot:
        yield slot


@pytest.mark.parametrize(
    ("problem", "solution"),
    [pytest.param(*case, id=f"{case[0]}-{case[1].name}") for case in cases()],
)
def test_solution(problem: str, solution: Solution, slot: Slot) -> None:
    found: tuple[Verdict, str] | None = None
    for event in grade(load(ROOT / "problems" / problem), source(solution), slot):
        match event:
            case TestFinished(result) if solution.score is None:
                if result.verdict is not Verdict.ACCEPTED:
                    found = (result.verdict, result.message)
                    break  # the first failure is the verdict; no need to wait for the other tests
            case Finished(outcome):
                found = (outcome.verdict, outcome.message)
                assert solution.score in (None, pytest.approx(outcome.score))
            case _:
                pass
    assert found is not None
    assert found[0] in solution.expected, found
