"""`adjudge serve`: the web server."""

import os
import sys

import click

from judge.cli.console import open_database
from judge.store import Settings


@click.command(name="serve")
@click.option("--listen", help="HOST:PORT, or fd://N for a socket that is open already.")
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True)
def command(listen: str | None, processes: int) -> None:
    """Serve the API and git over HTTP, without Redis and workers of its own.

    \b
    Example:  ADJUDGE_DATABASE_URL=postgresql://judge@db/judge \\
              ADJUDGE_REDIS_URL=redis://queue:6379/0 adjudge serve --listen 0.0.0.0:8080
    """
    settings = Settings()
    bind = listen or settings.listen
    _refuse_no_address(bind)
    open_database(settings).close()
    # In a new program: see judge/cli/server.py.
    os.execv(  # noqa: S606  (itself, and a list, never a shell)
        sys.executable, [sys.executable, "-m", "judge.cli.server", bind, str(processes)]
    )


def _refuse_no_address(bind: str) -> None:
    host, _, port = bind.rpartition(":")
    is_port = port.isascii() and port.isdigit() and int(port) < 1 << 16
    if not bind.startswith("fd://") and not (host and is_port):
        raise click.BadParameter(f"{bind!r} is not HOST:PORT", param_hint="--listen")
