"""`adjudge serve`: the web server."""

from typing import Any

import click
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

from judge.cli.console import open_database
from judge.store import Settings
from judge.web import create_app
from judge.work import Bell, Shelf


@click.command(name="serve")
@click.option("--listen", help="HOST:PORT, or fd://N for a socket that is open already.")
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=16, show_default=True)
def command(listen: str | None, processes: int, threads: int) -> None:
    """Serve the API and git over HTTP, without Redis and workers of its own.

    \b
    Example:  ADJUDGE_DATABASE_URL=postgresql://judge@db/judge \\
              ADJUDGE_REDIS_URL=redis://queue:6379/0 adjudge serve --listen 0.0.0.0:8080
    """
    settings = Settings()
    open_database(settings).close()
    Server(
        settings,
        {
            "bind": listen or settings.listen,
            "workers": processes,
            "threads": threads,
            "worker_class": "gthread",
            "graceful_timeout": 5,
            "proc_name": "adjudge-web",
            "loglevel": "warning",
            "control_socket_disable": True,
        },
    ).run()


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn around the application; each of its processes makes one of its own."""

    def __init__(self, settings: Settings, options: dict[str, Any]) -> None:
        self._settings = settings
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for key, value in self._options.items():
            if key in self.cfg.settings:
                self.cfg.set(key, value)

    def load(self) -> object:
        return create_app(
            self._settings,
            ring=Bell(self._settings.redis).ring,
            load=Shelf(self._settings.packages).get,
        )
