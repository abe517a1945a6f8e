"""`adjudge problem new`, `import` and `export`: how packages come and go."""

from pathlib import Path

import click

from judge.cli.judge import Unusable
from judge.cli.problem_timing import timed
from judge.grading import GradingError, Slot
from judge.packages import PackageError
from judge.packages.scaffold import KINDS, scaffold
from judge.packages.transfer import export_package, import_package, is_name

problems_option = click.option(
    "--problems",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("problems"),
    show_default=True,
    help="Folder of the packages.",
)
data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data"),
    show_default=True,
    help="Folder of their hidden tests.",
)


@click.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), default=KINDS[0], show_default=True)
@click.option("--title", help="Title (default: NAME).")
@problems_option
@data_option
def new(name: str, kind: str, title: str | None, problems: Path, data: Path) -> None:
    """Begin a package NAME of a kind: small, sound, ready to be changed.

    \b
    Example:  adjudge problem new guess --kind interactive
              adjudge problem verify problems/guess
    """
    if not is_name(name):
        raise Unusable(f'"{name}" is no name for a problem: use letters, digits, ".", "_" and "-"')
    try:
        scaffold(kind, title or name, problems / name, data / name)
    except FileExistsError as error:
        raise Unusable(f"{error.filename} is there already") from error
    click.echo(f"{problems / name} and {data / name}")


@click.command(name="import")
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--name", help="Name of the new package (default: that of SOURCE).")
@problems_option
@data_option
def import_(source: Path, name: str | None, problems: Path, data: Path) -> None:
    """Turn SOURCE (an ACMOJ, ICPC or native package, a folder or a zip) into a native package.

    Where SOURCE leaves the time limit to its solutions, they are judged to find it.

    \b
    Example:  adjudge problem import 1234.zip --name sorting
              adjudge problem verify problems/sorting
    """
    try:
        with Slot() as slot:
            package, tests = import_package(
                source, problems, data, name, lambda problem, found: timed(problem, found, slot)
            )
    except PackageError as error:
        raise Unusable("\n".join(str(fault) for fault in error.faults)) from error
    except GradingError as error:
        raise Unusable(f"the judge failed: {error}") from error
    click.echo(f"{package} and {tests}")


@click.command()
@click.argument("package", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("archive", type=click.Path(path_type=Path))
@click.option("--tests", type=click.Path(path_type=Path, exists=True, file_okay=False))
def export(package: Path, archive: Path, tests: Path | None) -> None:
    """Write PACKAGE and its tests into the new zip ARCHIVE, which `import` reads.

    \b
    Example:  adjudge problem export problems/sum sum.zip
    """
    try:
        export_package(package, tests, archive)
    except PackageError as error:
        raise Unusable("\n".join(str(fault) for fault in error.faults)) from error
    click.echo(str(archive))
