"""A solution of a package as a submission."""

from dataclasses import replace

from judge.cli.judge import Unusable, check_offered, check_size, read_source
from judge.grading import Source, SourceFiles, SourceText
from judge.model import Problem, filled, language_of
from judge.packages import Solution


def solution_source(problem: Problem, solution: Solution) -> Source:
    """What a solution holds, with the problem's constants in place. Unusable where the problem does
    not take it."""
    if solution.path.is_dir() and solution.language is not None:
        return _files(problem, solution, solution.language)
    if solution.path.is_file() and (solution.language or language_of(solution.path.name)) is None:
        raise Unusable(f"{solution.path.name} is in no language that the judge knows")
    source = read_source(problem, solution.path, solution.language, None)
    if isinstance(source, SourceText):
        return replace(source, text=filled(source.text, problem.constants))
    return source


def _files(problem: Problem, solution: Solution, language: str) -> SourceFiles:
    check_offered(problem, language)
    paths = [path for path in sorted(solution.path.iterdir()) if not path.name.startswith(".")]
    for path in paths:
        if not path.is_file():
            raise Unusable(
                f"{path} is no file: sources that are compiled together lie in one folder"
            )
    files = [(path.name, filled(path.read_bytes(), problem.constants)) for path in paths]
    check_size(problem, solution.path, sum(len(text) for _, text in files))
    return SourceFiles(language, tuple(files))
