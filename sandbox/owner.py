"""Names that tell who owns a folder, so that what a killed process left can be swept."""

from __future__ import annotations

import itertools
import os
from functools import cache
from pathlib import Path

PREFIX = "adjudge"
_serial = itertools.count()


def new_name() -> str:
    """`adjudge.<pid namespace>.<pid>.<start time>.<serial>`, different each time."""
    return f"{PREFIX}.{_pid_namespace()}.{os.getpid()}.{_start_time(os.getpid())}.{next(_serial)}"


def is_stale(name: str) -> bool:
    """Whether `name` is of a process that is gone. What another pid namespace owns is left alone:
    from here nobody can tell whether that process lives."""
    match name.split("."):
        case [prefix, namespace, pid, start, _] if prefix == PREFIX:
            return namespace == _pid_namespace() and _start_time(int(pid)) != start
        case _:
            return False


def _pid_namespace() -> str:
    return str(_namespace_inode("/proc/self/ns/pid"))


@cache
def _namespace_inode(path: str) -> int:
    return Path(path).stat().st_ino


def _start_time(pid: int) -> str | None:
    """In clock ticks since boot: with it a process id is never taken for a later one (proc(5))."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return stat.rpartition(b")")[2].split()[19].decode()
