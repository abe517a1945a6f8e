"""`adjudge up`: the whole judge on this machine."""

import os
from pathlib import Path

import click

from judge.cli.console import open_database
from judge.store import Database, Role, Settings, tokens, users
from judge.work.doctor import refuse_unfit
from judge.work.home import Home
from judge.work.up import running


@click.command(name="up")
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of everything the judge keeps (default: $ADJUDGE_HOME, or ./var).",
)
@click.option("--listen", help="HOST:PORT (default: $ADJUDGE_LISTEN, or 127.0.0.1:8080).")
@click.option("--workers", type=click.IntRange(min=0), help="Default: one per core.")
def command(home: Path | None, listen: str | None, workers: int | None) -> None:
    """Start the judge: web server, queue and workers. Ctrl-C stops it all; nothing is lost.

    \b
    Example:  adjudge up --listen 127.0.0.1:9000
    """
    given = {"home": home, "listen": listen}
    settings = Settings.model_validate(
        Settings().model_dump() | {key: value for key, value in given.items() if value is not None}
    )
    cores = sorted(os.sched_getaffinity(0))
    count = len(cores) if workers is None else workers
    with Home(settings) as place:
        db = open_database(settings)
        if count:
            refuse_unfit(settings)
        token = _first_admin(db, settings)
        db.close()
        chosen = [cores[number % len(cores)] for number in range(count)]
        with running(settings, place, chosen) as judge:
            click.echo(
                f"Adjudge is up.\n"
                f"  address  {place.address}\n"
                f"  home     {settings.home.absolute()}\n"
                f"  workers  {count}\n"
                + (f"  token    {token} holds a token of an admin\n" if token else "")
                + f"  stop     Ctrl-C, or: kill {os.getpid()}"
            )
            judge.watch()
            click.echo("stopping ...", err=True)


def _first_admin(db: Database, settings: Settings) -> Path | None:
    """Makes the user `admin` where there is no admin, and writes a token into the home where the
    first admin has none. Returns the file that holds it, if it is there."""
    file = settings.home.absolute() / "admin-token"
    admins = [user for user in users.all_users(db) if user.role is Role.ADMIN]
    admin = admins[0] if admins else users.add(db, "admin", Role.ADMIN)
    if not tokens.all_tokens(db, admin):
        _, secret = tokens.create(db, admin, "first start")
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(f"{secret}\n")
    return file if file.is_file() else None
