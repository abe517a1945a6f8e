"""The languages that a worker offers: those that pass their self-test on this machine.

The tests take seconds, so what passed is kept until the machine boots anew or one of its tools
changes. Workers that start together wait for the first of them.
"""

import fcntl
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from judge.grading import Slot, Tried, try_languages
from judge.model import LANGUAGES, Language
from sandbox.command import BASE_ENVIRONMENT

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

log = logging.getLogger(__name__)


def languages_offered(
    slot: Slot, cache: Path, table: Sequence[Language] = LANGUAGES
) -> tuple[str, ...]:
    """The ids of the languages that work here, in the order of the table; why others do not is
    logged. As `tried_languages`."""
    tried = tried_languages(slot, cache, table)
    for entry in tried:
        if not entry.works:
            log.warning("%s is not offered: %s", entry.language.id, entry.reason)
    return tuple(entry.language.id for entry in tried if entry.works)


def tried_languages(
    slot: Slot, cache: Path, table: Sequence[Language] = LANGUAGES
) -> tuple[Tried, ...]:
    """How the self-test of each language ended, in the order of the table.

    `cache` is a folder that is kept. What did not work is tried again each time. GradingError where
    the machine cannot judge at all.
    """
    keys = {entry.id: _key(entry) for entry in table}
    with _kept(cache) as passed:
        passed.intersection_update(keys.values())
        untried = [entry for entry in table if keys[entry.id] not in passed]
        new = {tried.language.id: tried for tried in try_languages(slot, untried)}
        passed.update(keys[id_] for id_, tried in new.items() if tried.works)
    return tuple(new.get(entry.id, Tried(entry)) for entry in table)


def default_cache() -> Path:
    """The folder of this user for what may be lost."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "adjudge"


@contextmanager
def _kept(cache: Path) -> Iterator[set[str]]:
    """The keys of what passed, held by one process at a time and written back at the end; nothing
    is kept where the folder cannot be written."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(cache / "languages", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    except OSError:
        yield set()
        return
    with os.fdopen(descriptor, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        passed = set(file.read().split())
        before = frozenset(passed)
        yield passed
        if passed != before:
            file.seek(0)
            file.truncate()
            file.write("\n".join(sorted(passed)))


def _key(language: Language) -> str:
    """Changes with all that the result of a self-test can depend on."""
    digest = hashlib.sha256()
    for part in (_BOOT_ID.read_text(), version("adjudge"), repr(language)):
        digest.update(part.encode() + b"\0")
    for word in (*language.compile, *language.run):
        digest.update(_tool(word).encode() + b"\0")
    return digest.hexdigest()


def _tool(word: str) -> str:
    """Which file a word of a command names, and when it was changed; empty where it names none."""
    found = shutil.which(word, path=BASE_ENVIRONMENT["PATH"])
    if found is None:
        return ""
    file = Path(found).resolve()
    return f"{file} {file.stat().st_mtime_ns}"
