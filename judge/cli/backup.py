"""`adjudge backup`: everything in one file."""

import os
import tarfile
import tempfile
from pathlib import Path

import click

from judge.cli.console import json_option, open_database, print_json
from judge.store import Settings, StoreError
from judge.store.dump import dump
from judge.web.backend import LONGEST_SECONDS
from judge.web.locks import locked
from judge.web.repositories import PUSH_LOCK

TABLES = "tables"
FOLDERS = ("packages", "git")
"""What a home keeps beside the database, that cannot be made again."""


@click.command(name="backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def command(file: Path, as_json: bool) -> None:
    """Write users, problems, submissions, results and repositories into FILE, a tar archive.

    The judge may be up meanwhile. The file holds hidden tests: it is readable by its owner alone.

    \b
    Example:  adjudge backup judge-$(date +%F).tar
              adjudge restore --home /srv/judge judge-2031-05-01.tar
    """
    settings = Settings()
    db = open_database(settings)
    with tempfile.TemporaryDirectory() as folder:
        # The database first: what it speaks of is in the folders then, and stays there.
        counts = dump(db, Path(folder))
        partial = file.with_name(f".{file.name}.part")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as tar:
            tar.add(folder, TABLES)
            _add_packages(tar, settings.packages)
            _add_repositories(tar, settings.git)
        partial.rename(file)
    say(file, counts, "written", as_json=as_json)


def _add_packages(tar: tarfile.TarFile, folder: Path) -> None:
    """Those that are there whole; what is being put beside them comes and goes."""
    for package in sorted(folder.glob("[!.]*")):
        tar.add(package, f"packages/{package.name}")


def _add_repositories(tar: tarfile.TarFile, folder: Path) -> None:
    """One after the other, each while nobody pushes to it: git would move objects under our hands.
    StoreError where a push takes too long."""
    for repository in sorted(folder.glob("*/*.git")):
        name = repository.relative_to(folder)
        try:
            with locked(repository / PUSH_LOCK, LONGEST_SECONDS):
                tar.add(repository, f"git/{name}")
        except TimeoutError:
            raise StoreError(f"somebody pushes to {name} without end; try again") from None


def say(file: Path, counts: dict[str, int], deed: str, *, as_json: bool) -> None:
    """Tells what was done with the file."""
    if as_json:
        print_json({"file": str(file), "rows": counts})
    else:
        click.echo(
            f"{file} {deed}: {counts['user']} users, {counts['problem']} problems,"
            f" {counts['submission']} submissions"
        )
