"""The whole judge on one machine: Redis, web server, workers."""

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from redis.exceptions import RedisError

from judge.store import Settings, StoreError
from judge.work.children import Child
from judge.work.home import Home
from judge.work.queue import Bell
from judge.work.scratch import sweep

_WEB_PROCESSES = 2
_LOOK_S = 0.1
_START_S = 120.0
"""Workers try their languages when they start for the first time, on however slow a machine."""
_WORKER_END_S = 15.0
_END_S = 10.0


@contextmanager
def running(settings: Settings, home: Home, cores: Sequence[int]) -> Iterator["Judge"]:
    """Everything, from its start to its clean end; SIGTERM and SIGINT set `Judge.stop`."""
    judge = Judge(settings, home, cores)
    with _signals(judge.stop):
        try:
            judge.start()
            yield judge
        finally:
            judge.end()


class Judge:
    """The processes of a judge; a worker for each core of `cores`."""

    def __init__(self, settings: Settings, home: Home, cores: Sequence[int]) -> None:
        self._settings = settings
        self.stop = threading.Event()
        env = os.environ | {
            "ADJUDGE_HOME": str(settings.home.absolute()),
            "ADJUDGE_DATABASE_URL": settings.database_url,
            "ADJUDGE_REDIS_URL": settings.redis_url,
        }
        port = home.listener.fileno()
        self._redis = [] if settings.redis_url else [_redis(settings, home)]
        python = (sys.executable, "-m")
        # Not `adjudge serve`, which would only load itself to become this.
        self._web = Child(
            "web",
            (*python, "judge.cli.server", f"fd://{port}", str(_WEB_PROCESSES)),
            env,
            (port, *home.descriptors),
        )
        worker = (*python, "judge.cli", "worker", "--examined", "--core")
        self._workers = [
            Child(f"worker {number}", (*worker, str(core)), env, home.descriptors)
            for number, core in enumerate(cores)
        ]

    def watch(self) -> None:
        """Keeps everything running until SIGTERM or SIGINT."""
        while not self.stop.wait(_LOOK_S):
            for child in (*self._redis, self._web, *self._workers):
                child.tend()

    def start(self) -> None:
        """Returns when everything runs. Raises StoreError where something does not."""
        bell = Bell(self._settings.redis)
        self._tend_until("Redis", self._redis, lambda: _answers(bell))
        self._tend_until(
            "the workers",
            [self._web, *self._workers],
            lambda: {child.pid for child in self._workers} <= bell.worker_pids(),
        )
        bell.close()

    def _tend_until(self, what: str, children: Sequence[Child], ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _START_S
        while not self.stop.is_set():
            for child in children:
                child.tend()
            if ready():
                return
            if time.monotonic() > deadline:
                raise StoreError(f"{what} did not start within {_START_S:g} s")
            self.stop.wait(_LOOK_S)

    def end(self) -> None:
        """Ends the web server and the workers, which finish or hand back, and Redis last. What a
        worker that was killed left is swept."""
        for child in (self._web, *self._workers):
            child.terminate()
        for child in (self._web, *self._workers):
            child.wait(_WORKER_END_S)
        sweep(Path(tempfile.gettempdir()))
        for child in self._redis:
            child.terminate()
            child.wait(_END_S)


def _redis(settings: Settings, home: Home) -> Child:
    """A private Redis on a unix socket. Its file spares the workers a rebuilding of the queue."""
    folder = settings.home.absolute() / "redis"
    folder.mkdir(exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(settings.redis_socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "save": "",
        "logfile": str(folder / "redis.log"),
        "loglevel": "notice",
        "daemonize": "no",
    }
    argv = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Child("redis-server", ("redis-server", *argv), os.environ, home.descriptors)


def _answers(bell: Bell) -> bool:
    try:
        return bool(bell.redis.ping())
    except (RedisError, OSError):
        return False


@contextmanager
def _signals(stop: threading.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set the event."""
    before = {
        number: signal.signal(number, lambda *_: stop.set())
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
