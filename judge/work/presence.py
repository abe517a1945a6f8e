"""A worker reports itself every few seconds."""

import logging
import os
import platform
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import psutil

from judge.store import Database, Unavailable, Worker, workers
from judge.store.tables import utc_now

INTERVAL_S = 5.0

log = logging.getLogger(__name__)


class Presence(threading.Thread):
    """Says how this worker is, until `stop` is set; then that it goes."""

    def __init__(
        self,
        db: Database,
        name: str,
        core: int | None,
        groups: Sequence[str],
        languages: Sequence[str],
        stop: threading.Event,
        judging: Callable[[], int | None],
    ) -> None:
        super().__init__(name="presence", daemon=True)
        self._db = db
        self._name = name
        self._core = core
        self._groups = groups
        self._languages = languages
        self._stopping = stop
        self._judging = judging
        self._hardware = _hardware()
        self._version = version("adjudge")
        self._started_at = utc_now()

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                workers.report(self._db, self._state())
            except Unavailable as error:
                log.warning("cannot report this worker: %s", error.detail)
            except Exception:
                log.exception("reporting this worker failed")
            self._stopping.wait(INTERVAL_S)

    def _state(self) -> Worker:
        return Worker(
            name=self._name,
            host=platform.node(),
            core=self._core,
            groups=list(self._groups),
            languages=list(self._languages),
            version=self._version,
            hardware=self._hardware,
            load=os.getloadavg()[0],
            memory_free_bytes=psutil.virtual_memory().available,
            judging_id=self._judging(),
            started_at=self._started_at,
        )


def _hardware() -> str:
    """The processor's name and number of cores, as Linux tells them (proc_cpuinfo(5))."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"
