"""The process behind `adjudge serve`: gunicorn with green threads, so that a client that waits, or
pushes slowly, costs no worker.

`python -m judge.cli.server BIND PROCESSES`. It is a program of its own because gevent must replace
the blocking calls of the standard library before anything else is loaded.
"""

# ruff: noqa: E402
from gevent import monkey  # type: ignore[import-untyped]

monkey.patch_all()

import gc
import resource
import sys
from typing import Any

from flask.typing import ResponseReturnValue
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]

from judge.cli.logs import log_as_json
from judge.cli.web_worker import WebWorker
from judge.store import Settings
from judge.web import create_app
from judge.web.errors import ApiError, refuse
from judge.work import Bell, Chimes, Shelf

CONNECTIONS = 4000


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn around the application; each of its processes makes one of its own."""

    def __init__(self, settings: Settings, options: dict[str, Any]) -> None:
        self._settings = settings
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for key, value in self._options.items():
            self.cfg.set(key, value)

    def load(self) -> object:
        app = create_app(
            self._settings,
            ring=Bell(self._settings.redis).ring,
            chimes=Chimes(self._settings.redis),
            shelf=Shelf(self._settings.packages),
        )
        app.register_error_handler(ParseException, _refuse_body)
        gc.freeze()  # what is loaded now stays: it need not be looked through again and again
        return app


def _refuse_body(_error: Exception) -> ResponseReturnValue:
    """Gunicorn reads a body when the application asks for it, and finds out then."""
    return refuse(ApiError(400, "the body of the request is malformed, or breaks off"))


def main(bind: str, processes: int) -> None:
    """Serve until SIGTERM or SIGINT."""
    log_as_json()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    options = {
        "bind": bind,
        "workers": processes,
        "worker_class": WebWorker,
        "worker_connections": CONNECTIONS,
        "graceful_timeout": 5,
        "proc_name": "adjudge-web",
        "loglevel": "warning",
        "control_socket_disable": True,
    }
    Server(Settings(), options).run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
