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
from judge.packages import load

ROOT = Path(__file__).parents[2]


def solutions() -> Iterator[tuple[str, Verdict, Path]]:
    folders = [*ROOT.glob("problems/*/solutions/*"), *ROOT.glob("tests/verdicts/*/*")]
    for folder in sorted(path for path in folders if path.name in list(Verdict)):
        parts = folder.relative_to(ROOT).parts
        problem = parts[1] if parts[0] == "problems" else parts[2]
        for solution in sorted(folder.iterdir()):
            yield problem, Verdict(folder.name), solution


def source(solution: Path) -> Source:
    if solution.is_dir():
        return SourceTree(solution)
    language = language_of(solution.name)
    assert language is not None, f"{solution} has no known extension"
    return SourceText(language.id, solution.read_bytes())


@pytest.fixture(scope="module")
def slot() -> Iterator[Slot]:
    with Slot() as slot:
        yield slot


@pytest.mark.parametrize(
    ("problem", "expected", "solution"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[2].name}") for case in solutions()],
)
def test_solution(problem: str, expected: Verdict, solution: Path, slot: Slot) -> None:
    found: tuple[Verdict, str] | None = None
    for event in grade(load(ROOT / "problems" / problem), source(solution), slot):
        match event:
            case TestFinished(result) if result.verdict is not Verdict.ACCEPTED:
                found = (result.verdict, result.message)
                break  # the first failure is the verdict; no need to wait for the other tests
            case Finished(outcome):
                found = (outcome.verdict, outcome.message)
            case _:
                pass
    assert found is not None
    assert found[0] is expected, found
