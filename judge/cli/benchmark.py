"""`adjudge benchmark`: sets of problems that share caps, as a registry has them."""

import json
from pathlib import Path
from typing import Any

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.results.errors import ResultsError
from judge.results.stored import StoredBenchmark, find_benchmark, import_registry
from judge.store import AbortPolicy, Database, Feedback, Settings, benchmarks, problems
from judge.store.benchmarks import Policy


@click.group(name="benchmark")
def command() -> None:
    """Import and show benchmarks, and say who judges them."""


@command.command(name="import")
@click.argument("registry", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", help="How to call it here (default: the name of the file).")
@click.option("--title", default="", help="Its title on pages.")
@click.option(
    "--serve",
    multiple=True,
    metavar="ID=SLUG",
    help="A judge id of the registry that the problem SLUG serves; may be given again.",
)
@click.option(
    "--categories",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help='JSON: {"001": "Algorithm"} or {"001": {"category": "Algorithm"}}.',
)
@click.option(
    "--feedback",
    type=click.Choice([one.value for one in Feedback]),
    help="When participants see results of tests (default for a new entry: final).",
)
@click.option(
    "--abort",
    type=click.Choice([one.value for one in AbortPolicy]),
    help="Until when they may abort (default for a new entry: until_finished).",
)
@json_option
def import_(
    registry: Path,
    name: str | None,
    title: str,
    serve: tuple[str, ...],
    categories: Path | None,
    feedback: str | None,
    abort: str | None,
    as_json: bool,
) -> None:
    """Make a benchmark of REGISTRY, or renew the one of that name.

    A judge id is served by the problem that has that number, or that slug. Ids that nothing serves
    are named; import again after adding their problems.

    \b
    Example:  adjudge benchmark import registry.json --name projdevbench --serve 2510=basic
    """
    db = open_database(Settings())
    stored = import_registry(
        db,
        registry,
        name=name or registry.stem,
        title=title,
        serve=_parse_serve(serve),
        categories=_read_categories(categories) if categories else None,
        policy=Policy(
            Feedback(feedback) if feedback else None, AbortPolicy(abort) if abort else None
        ),
    )
    _print_benchmark(db, stored, as_json=as_json)


@command.command()
@click.argument("name")
@click.option(
    "--group", required=True, help='The workers that judge it: those of this group; "" for any.'
)
@json_option
def bind(name: str, group: str, as_json: bool) -> None:
    """Give all problems of the benchmark NAME to the workers of one group.

    What waits already is judged by those it was given to. Problems that are added to the benchmark
    later are not bound.

    \b
    Example:  adjudge benchmark bind projdevbench --group fast
              adjudge worker --group fast
    """
    db = open_database(Settings())
    bound = benchmarks.bind(db, name, group, None)
    if as_json:
        _print_benchmark(db, find_benchmark(db, name), as_json=True)
    else:
        whose = f"of the group {group}" if group else "of no group"
        click.echo(f"{name}: {bound} problems are judged by workers {whose}")


@command.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the benchmarks."""
    db = open_database(Settings())
    rows = []
    for record in benchmarks.all_benchmarks(db):
        stored = find_benchmark(db, record.name)
        ids = [problem.id for entry in stored.benchmark.entries for problem in entry.problems]
        rows.append(
            {
                "name": record.name,
                "title": record.title,
                "entries": len(stored.benchmark.entries),
                "problems": len(ids),
                "served": len(stored.served),
                "created_at": record.created_at,
            }
        )
    show(
        rows,
        as_json=as_json,
        empty="no benchmarks yet; import one: adjudge benchmark import registry.json",
    )


@command.command(name="show")
@click.argument("name")
@json_option
def show_(name: str, as_json: bool) -> None:
    """Show the entries of the benchmark NAME, and which of their problems are served."""
    db = open_database(Settings())
    _print_benchmark(db, find_benchmark(db, name), as_json=as_json)


def _print_benchmark(db: Database, stored: StoredBenchmark, *, as_json: bool) -> None:
    own = {problem.id: problem for problem in problems.all_problems(db)}
    rows: list[dict[str, Any]] = []
    for entry in stored.benchmark.entries:
        ids = [problem.id for problem in entry.problems]
        served = {id_: own[stored.served[id_]] for id_ in ids if id_ in stored.served}
        rows.append(
            {
                "entry": entry.key,
                "name": entry.name,
                "cap": entry.cap,
                "language": entry.language,
                "category": entry.category or None,
                "judge_ids": ids,
                "served": {id_: problem.slug for id_, problem in served.items()},
                "groups": sorted({problem.worker_group for problem in served.values()} - {""}),
                "missing": list(stored.missing(entry)),
            }
        )
    name = stored.benchmark.name
    if as_json:
        print_json({"name": name, "title": stored.title, "entries": rows})
        return
    shown = [
        row | {"served": [f"{id_}={slug}" for id_, slug in row["served"].items()]} for row in rows
    ]
    show(shown, as_json=False, empty="")
    missing = sum(len(row["missing"]) for row in rows)
    click.echo(
        f"\n{name}: {len(rows)} entries; {len(stored.served)} of their judge ids are served here, "
        f"{missing} are not"
    )


def _parse_serve(words: tuple[str, ...]) -> dict[int, str]:
    served = {}
    for word in words:
        judge_id, _, slug = word.partition("=")
        if not (judge_id.isascii() and judge_id.isdigit() and slug):
            raise click.BadParameter(f"{word!r} is not ID=SLUG", param_hint="--serve")
        served[int(judge_id)] = slug
    return served


def _read_categories(path: Path) -> dict[str, str]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path.name}: cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise ResultsError(f"{path.name}: must be an object in braces")
    categories = {}
    for key, value in data.items():
        category = value.get("category") if isinstance(value, dict) else value
        if not isinstance(category, str):
            raise ResultsError(f"{path.name}: {key}: there is no category in it")
        categories[key] = category
    return categories
