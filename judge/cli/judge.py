"""`adjudge judge`: the way of a submission in one process, without server, queue or database."""

import json
import subprocess
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from judge.cli.report import as_object, show
from judge.grading import (
    Compiling,
    Finished,
    GradingError,
    Judging,
    Slot,
    Source,
    SourceCommit,
    SourceText,
    SourceTree,
    TestFinished,
    grade,
)
from judge.model import Outcome, Problem, Verdict, language_of
from judge.packages import PackageError, load

ACCEPTED, NOT_ACCEPTED = 0, 1


class Unusable(click.ClickException):
    """A fault of ours, or a call that makes no sense: exit code 2."""

    exit_code = 2


@click.command(name="judge")
@click.argument("package", type=click.Path(path_type=Path))
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the hidden tests (default: ../../data/NAME beside the package).",
)
@click.option("--language", help="Language of a source file (default: by its extension).")
@click.option(
    "--commit",
    help="Judge this commit of the git repository SOURCE (default for a "
    "bare repository: HEAD). A folder is judged with the files that are in it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    package: Path,
    source: Path,
    tests: Path | None,
    language: str | None,
    commit: str | None,
    as_json: bool,
) -> None:
    """Judge SOURCE (a file, a folder or a git repository) on the problem of the folder PACKAGE.

    Exit code: 0 accepted, 1 not accepted, 2 the judge could not do its work.

    \b
    Example:  adjudge judge problems/sum solution.cpp
              adjudge judge problems/basic my-interpreter --tests ../hidden/basic --json
    """
    try:
        problem = load(package, tests)
    except PackageError as error:
        raise Unusable("\n".join(str(fault) for fault in error.faults)) from error
    submitted = read_source(problem, source, language, commit)
    try:
        outcome = judge(problem, submitted, quiet=as_json)
    except GradingError as error:
        raise Unusable(f"the judge failed: {error}") from error
    if as_json:
        click.echo(json.dumps(as_object(problem, outcome), indent=2, ensure_ascii=False))
    else:
        show(Console(width=None if sys.stdout.isatty() else 160), problem, outcome)
    accepted = outcome.verdict is Verdict.ACCEPTED
    raise click.exceptions.Exit(ACCEPTED if accepted else NOT_ACCEPTED)


def judge(problem: Problem, source: Source, *, quiet: bool) -> Outcome:
    """Grade, with progress on standard error where that is a terminal. GradingError."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet or not sys.stderr.isatty(),
    )
    with progress, Slot() as slot:
        bar = progress.add_task("waiting", total=len(problem.tests))
        for event in grade(problem, source, slot):
            match event:
                case Compiling():
                    progress.update(bar, description="compiling")
                case Judging():
                    progress.update(bar, description="judging")
                case TestFinished():
                    progress.advance(bar)
                case Finished(outcome):
                    return outcome
    raise GradingError("grade", "it ended without an outcome")


def read_source(
    problem: Problem, path: Path, language_id: str | None, commit: str | None
) -> Source:
    """What a path holds, as a submission that the problem takes. Unusable."""
    if path.is_dir():
        if language_id not in (None, "git"):
            raise Unusable(f'{path} is a folder: its language is "git", not "{language_id}"')
        check_offered(problem, "git")
        is_bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
        if commit or is_bare:
            return SourceCommit(path, _resolve(path, commit or "HEAD"))
        return SourceTree(path)
    if not path.is_file():
        raise Unusable(f"{path}: there is no such file or folder")
    if commit:
        raise Unusable(f"{path} is a file: --commit is for repositories")
    if language_id is None:
        known = language_of(path.name)
        if known is None:
            raise Unusable(f"{path}: cannot tell its language by its name: use --language")
        language_id = known.id
    check_offered(problem, language_id)
    if language_id == "git":
        raise Unusable(f'{path} is a file: language "git" wants a folder or a repository')
    text = path.read_bytes()
    check_size(problem, path, len(text))
    return SourceText(language_id, text)


def check_size(problem: Problem, path: Path, size_bytes: int) -> None:
    """Unusable where a source at that path is larger than the problem takes."""
    if size_bytes > problem.source_bytes:
        raise Unusable(f"{path} has {size_bytes} bytes: the problem takes {problem.source_bytes}")


def check_offered(problem: Problem, language_id: str) -> None:
    """Unusable where the problem does not take that language."""
    if language_id not in problem.languages:
        offered = ", ".join(problem.languages)
        raise Unusable(f'problem {problem.slug} does not take "{language_id}": it takes {offered}')


def _resolve(repository: Path, revision: str) -> str:
    """The full hash of a revision. Unusable where there is none."""
    git = ("git", "-C", str(repository), "rev-parse", "--verify", "--quiet", "--end-of-options")
    found = subprocess.run((*git, f"{revision}^{{commit}}"), capture_output=True, text=True)
    if found.returncode != 0:
        raise Unusable(f'{repository}: there is no commit "{revision}"')
    return found.stdout.strip()
