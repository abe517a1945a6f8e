"""`adjudge review`: rules and criteria on the repositories of a benchmark."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from judge.cli.console import json_option, open_database, print_json, show
from judge.grading import GradingError, Slot, SourceCommit, SourceTree
from judge.results.errors import ResultsError
from judge.results.files.reviews import ReviewFile, load_reviews, write_review
from judge.results.review.agreement import agreement as measure_agreement
from judge.results.review.agreement import load_pairs
from judge.results.review.cache import RatingCache
from judge.results.review.definition import Definition, load_definition
from judge.results.review.desk import ReviewFailed
from judge.results.review.reviewer import make_reviewer
from judge.results.review.session import Rater, Reviewed, Subject, review_repository
from judge.results.review.settings import ReviewSettings
from judge.results.scoring.review_score import review as score_review
from judge.results.scoring.rows import Participant
from judge.results.stored import find_benchmark, last_commits
from judge.store import Settings

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_cache = click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of ratings that were paid for (default: review-cache in the judge's home).",
)
_model = click.option(
    "--model/--no-model",
    "with_model",
    default=True,
    show_default=True,
    help="Have the criteria rated by the model of ADJUDGE_REVIEW_MODEL.",
)


@click.group(name="review")
def command() -> None:
    """Review repositories by rules and by a model.

    \b
    The model is set by ADJUDGE_REVIEW_PROVIDER (openai or anthropic protocol),
    ADJUDGE_REVIEW_BASE_URL, ADJUDGE_REVIEW_API_KEY and ADJUDGE_REVIEW_MODEL.
    """


@command.command()
@click.argument("repository", type=_FOLDER)
@click.option("--rules", type=_FILE, required=True, help="Definition: .toml, or cr_list.json.")
@click.option("--commit", help="This commit (default: HEAD of a git repository).")
@click.option("--agent", default="unknown", help="Whose it is, for the file of the review.")
@click.option("--model-name", default="unknown", help="With which model it was written.")
@click.option("--round", "round_", default="1", help="In which round.")
@click.option("--problem", default="unknown", help="For which problem of a benchmark.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Keep it here.")
@_model
@_cache
@json_option
def repo(
    repository: Path,
    rules: Path,
    commit: str | None,
    agent: str,
    model_name: str,
    round_: str,
    problem: str,
    out: Path | None,
    with_model: bool,
    cache: Path | None,
    as_json: bool,
) -> None:
    """Review one REPOSITORY: a git repository, or a plain folder.

    Exit code: 0 if every rule passes, 1 if not.

    \b
    Example:  adjudge review repo ./my-vector --rules 009.toml --no-model
    """
    definition = load_definition(rules)
    subject = Subject(Participant(agent, model_name, round_), problem)
    rater = _rater(with_model, cache, [definition])
    with Slot() as slot:
        source = _source(repository, commit)
        reviewed = _reviewing(source, definition, subject, slot, rater)
    if out:
        write_review(out, reviewed.file)
    if as_json:
        print_json(reviewed.file.model_dump(mode="json"))
    else:
        _print_review(reviewed)
    passed = all(rule.passed for rule in reviewed.file.rules)
    raise click.exceptions.Exit(0 if passed else 1)


@command.command()
@click.option("--benchmark", required=True, help="Review what was submitted to this benchmark.")
@click.option(
    "--definitions",
    type=_FOLDER,
    required=True,
    help="Folder with KEY.toml, or KEY/cr_list.json, for each entry.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reviews"),
    show_default=True,
    help="Folder to write the reviews into.",
)
@_model
@_cache
@json_option
def run(
    benchmark: str,
    definitions: Path,
    out: Path,
    with_model: bool,
    cache: Path | None,
    as_json: bool,
) -> None:
    """Review every participant's last repository in each entry of a benchmark.

    A repository that cannot be reviewed is named and left out; run again to go on, ratings that
    are in the cache are not asked for again.

    \b
    Example:  adjudge review run --benchmark projdevbench --definitions reviews.d --out reviews/
    """
    settings = Settings()
    db = open_database(settings)
    stored = find_benchmark(db, benchmark)
    known = dict(_definitions(definitions, [entry.key for entry in stored.benchmark.entries]))
    rater = _rater(with_model, cache, list(known.values()))
    rows: list[dict[str, Any]] = []
    with Slot() as slot:
        for found in last_commits(db, stored):
            who = found.participant
            row: dict[str, Any] = {
                "agent": who.agent,
                "model": who.model,
                "round": who.round,
                "problem": found.problem,
                "score": None,
                "note": "",
            }
            rows.append(row)
            if found.problem not in known:
                row["note"] = f"no definition in {definitions}"
                continue
            if found.commit is None:
                row["note"] = "no repository was submitted; see adjudge review repo"
                continue
            subject = Subject(who, found.problem, found.url)
            source = SourceCommit(settings.git / found.repository, found.commit)
            try:
                reviewed = _reviewing(source, known[found.problem], subject, slot, rater)
            except (ReviewFailed, GradingError) as error:
                row["note"] = str(error)
                continue
            write_review(out, reviewed.file)
            row["score"] = score_review(reviewed.file.result())
            row["note"] = _note(reviewed)
    if as_json:
        print_json(rows)
    else:
        show(rows, as_json=False, empty="no participant has submitted a repository to it yet")


@command.command()
@click.argument("human", type=_FILE)
@click.option("--reviews", type=_FOLDER, help="Folder of reviews to compare with.")
@json_option
def agreement(human: Path, reviews: Path | None, as_json: bool) -> None:
    """Compare a model's ratings with people's: Pearson, Spearman and Cohen's kappa.

    The CSV file HUMAN has the columns human and model_rating; with --reviews, the columns agent,
    model, problem, criterion and human (and round).

    \b
    Example:  adjudge review agreement human.csv --reviews reviews/
    """
    pairs = load_pairs(human, load_reviews(reviews) if reviews else None)
    found = measure_agreement(pairs[0], pairs[1])
    row = asdict(found) | {"not_compared": pairs[2]}
    if as_json:
        print_json(row)
        return
    shown = {
        key: f"{value:.3f}" if isinstance(value, float) else value for key, value in row.items()
    }
    show([shown], as_json=False, empty="")


def _rater(with_model: bool, cache: Path | None, definitions: list[Definition]) -> Rater | None:
    if not with_model or not any(definition.criteria for definition in definitions):
        return None
    settings = ReviewSettings()
    folder = cache or Settings().home / "review-cache"
    return Rater(make_reviewer(settings), settings, RatingCache(folder))


def _reviewing(
    source: SourceCommit | SourceTree,
    definition: Definition,
    subject: Subject,
    slot: Slot,
    rater: Rater | None,
) -> Reviewed:
    name = f"{subject.participant.name}, {subject.problem}"
    with Console(stderr=True).status(f"reviewing {name}") as status:
        return review_repository(
            source,
            definition,
            subject,
            slot,
            rater,
            lambda done: status.update(f"reviewing {name}: {done} answers"),
        )


def _source(path: Path, commit: str | None) -> SourceCommit | SourceTree:
    is_git = (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())
    if not is_git:
        if commit:
            raise ResultsError(f"{path} is not a git repository, so it has no commit {commit}")
        return SourceTree(path)
    asked = f"{commit or 'HEAD'}^{{commit}}"
    found = subprocess.run(
        ["git", "-C", path, "rev-parse", "--verify", "--quiet", "--end-of-options", asked],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        raise ResultsError(f"{path} has no commit {commit or 'HEAD'}")
    return SourceCommit(path, found.stdout.strip())


def _definitions(folder: Path, keys: list[str]) -> Iterator[tuple[str, Definition]]:
    for key in keys:
        for path in (folder / f"{key}.toml", folder / key / "cr_list.json"):
            if path.is_file():
                yield key, load_definition(path)
                break


def _note(reviewed: Reviewed) -> str:
    file = reviewed.file
    failed = [rule.name for rule in file.rules if not rule.passed]
    missing = [one.name for one in file.criteria if one.rating is None]
    parts = []
    if failed:
        parts.append(f"rules failed: {', '.join(failed)}")
    if missing:
        parts.append(f"not rated: {', '.join(missing)}")
    parts += list(dict.fromkeys(reviewed.faults))[:2]
    if reviewed.cached:
        parts.append("ratings from the cache")
    return "; ".join(parts)


def _print_review(reviewed: Reviewed) -> None:
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False)
    file: ReviewFile = reviewed.file
    for rule in file.rules:
        console.print(f"{'pass' if rule.passed else 'FAIL'}  {rule.name}")
        for one in rule.findings:
            place = f"{one.file}:{one.line}" if one.line else one.file or "repository"
            console.print(f"      {place}: {one.message}")
    for criterion in file.criteria:
        rating = "-" if criterion.rating is None else f"{criterion.rating:g}"
        console.print(f"{rating:>4}  {criterion.name}  {criterion.reason}".rstrip())
    for fault in reviewed.faults:
        console.print(f"      {fault}")
    score = score_review(file.result())
    commits = "" if file.commits is None else f", {file.commits} commits"
    shown = "missing" if score is None else f"{score:.2f}"
    console.print(f"score {shown}{commits}")
