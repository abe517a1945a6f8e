"""What the judge needs of a machine, each thing checked by doing it.

`adjudge doctor` prints the checks; a worker makes the same ones and refuses to start on a failure,
in the same words.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from judge.grading import Slot
from judge.grading.tools import tool_checks
from judge.store import Database, Settings, Unavailable
from judge.work.languages import default_cache, tried_languages
from sandbox.checks import Check, State, failures, run_checks

_LEAST_SPACE_BYTES = 1 << 30
_CLOCKSOURCE = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
_SLOW_CLOCKS = frozenset({"hpet", "acpi_pm", "jiffies", "refined-jiffies"})


class Unfit(Exception):
    """This machine cannot judge; `failures` say what is wrong and how to mend it."""

    def __init__(self, failures: Sequence[Check]) -> None:
        super().__init__(failures)
        self.failures = tuple(failures)

    def __str__(self) -> str:
        return "; ".join(sentence(check) for check in self.failures)


def sentence(check: Check) -> str:
    """What a check found, and what to do about it, in one line."""
    return f"{check.name}: {check.found}" + (f" ({check.mend})" if check.mend else "")


def examine(settings: Settings) -> list[Check]:
    """All checks of this machine with these settings. Takes a few seconds."""
    sandbox = run_checks()
    tools = [] if failures(sandbox) else tool_checks()
    return [
        *sandbox,
        *tools,
        *service_checks(settings),
        _space(settings.home),
        _clock(),
    ]


def refuse_unfit(settings: Settings) -> None:
    """Raises Unfit where a check fails; warnings pass."""
    failed = failures(examine(settings))
    if failed:
        raise Unfit(failed)


def languages_check() -> Check:
    """Which languages a worker of this machine would offer. Takes seconds, once per boot."""
    with Slot() as slot:
        tried = tried_languages(slot, default_cache())
    found = ", ".join(entry.language.id for entry in tried if entry.works)
    lacking = [f"{entry.language.id}: {entry.reason}" for entry in tried if not entry.works]
    if lacking:
        mend = "; ".join(lacking) + " (docs/languages.md names what each needs)"
        return Check("languages", State.WARNING, found, mend)
    return Check("languages", State.OK, found)


def service_checks(settings: Settings) -> Iterator[Check]:
    """Whether the database and Redis answer; of a private Redis, whether it could be started."""
    db = Database(settings.database)
    try:
        with db.read() as session:
            session.connection()
        yield Check("database", State.OK, "SQLite" if db.is_sqlite else "PostgreSQL")
    except Unavailable as error:
        reason = error.detail.strip().splitlines()[0]
        yield Check("database", State.FAILURE, reason, "see ADJUDGE_DATABASE_URL")
    finally:
        db.close()
    yield _redis_elsewhere(settings.redis_url) if settings.redis_url else _redis_server()


def _redis_server() -> Check:
    program = shutil.which("redis-server")
    mend = "apt-get install redis-server, or set ADJUDGE_REDIS_URL"
    if program is None:
        return Check("redis-server", State.FAILURE, "not installed", mend)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if done.returncode:
        return Check("redis-server", State.FAILURE, done.stderr.strip() or "does not start", mend)
    return Check("redis-server", State.OK, " ".join(done.stdout.split()[:3]))


def _redis_elsewhere(url: str) -> Check:
    redis = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)
    try:
        redis.ping()
    except (RedisError, OSError) as error:
        return Check("redis", State.FAILURE, str(error), "see ADJUDGE_REDIS_URL")
    finally:
        redis.close()
    return Check("redis", State.OK, "answers")


def _space(home: Path) -> Check:
    home.mkdir(parents=True, exist_ok=True)
    space = os.statvfs(home)
    free = space.f_bavail * space.f_frsize
    found = f"{free >> 20} MiB free in {home.absolute()}"
    if free < _LEAST_SPACE_BYTES:
        return Check("disk space", State.WARNING, found, "free some space, or set ADJUDGE_HOME")
    return Check("disk space", State.OK, found)


def _clock() -> Check:
    """The wall limit and all times come from the monotonic clock: it must be fine and quick."""
    resolution_ns = int(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9)
    source = _CLOCKSOURCE.read_text().strip() if _CLOCKSOURCE.exists() else "unknown"
    found = f"{source}, {resolution_ns} ns"
    if resolution_ns > 1_000_000:
        return Check("clock", State.FAILURE, found, "boot a kernel with high-resolution timers")
    if source in _SLOW_CLOCKS:
        return Check("clock", State.WARNING, found, f"prefer tsc or kvm-clock: {_CLOCKSOURCE}")
    return Check("clock", State.OK, found)
