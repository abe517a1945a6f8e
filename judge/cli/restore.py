"""`adjudge restore`: everything back from one file."""

import tempfile
from pathlib import Path

import click
from backports import tarfile  # type: ignore[import-untyped]

from judge.cli.backup import FOLDERS, TABLES, say
from judge.cli.console import json_option
from judge.store import Database, Settings, StoreError
from judge.store.dump import load


@click.command(name="restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--home", type=click.Path(path_type=Path, file_okay=False), help="Default: $ADJUDGE_HOME."
)
@json_option
def command(file: Path, home: Path | None, as_json: bool) -> None:
    """Fill an empty home and an empty database (of either kind) from FILE.

    Submissions that were waiting or being judged are judged once the judge is up.
    """
    settings = Settings() if home is None else Settings(home=home)
    for name in FOLDERS:
        if (settings.home / name).exists() and any((settings.home / name).iterdir()):
            raise StoreError(f"{settings.home / name} is not empty; restore into a new home")
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.home) as folder:
        try:
            with tarfile.open(file) as tar:
                tar.extractall(folder, filter="data")
        except tarfile.TarError as error:
            raise StoreError(f"{file} is no whole backup: {str(error).splitlines()[0]}") from error
        if not (Path(folder) / TABLES).is_dir():
            raise StoreError(f"{file} is no backup of a judge: it has no {TABLES} in it")
        counts = load(Database(settings.database), Path(folder) / TABLES)
        for name in FOLDERS:
            if (Path(folder) / name).is_dir():
                (Path(folder) / name).rename(settings.home / name)
    say(file, counts, "restored", as_json=as_json)
