"""What to run, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECOND = 1_000_000_000
MIB = 1024 * 1024

BASE_ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/work",
    "LANG": "C.UTF-8",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Each counts the whole process tree of the run."""

    cpu_ns: int = 10 * SECOND
    wall_ns: int = 21 * SECOND
    memory_bytes: int = 512 * MIB  # swap included
    processes: int = 64  # threads count, as the kernel counts them
    output_bytes: int = 64 * MIB  # captured stdout and stderr together
    disk_bytes: int = 64 * MIB  # sum of the file lengths in the workspace
    files: int = 1000  # everything in the workspace that is not a folder

    def __post_init__(self) -> None:
        for name in ("cpu_ns", "wall_ns", "memory_bytes", "processes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"limit {name} must be positive, not {getattr(self, name)}")
        for name in ("output_bytes", "disk_bytes", "files"):
            if getattr(self, name) < 0:
                raise ValueError(f"limit {name} must not be negative, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Command:
    """`argv[0]` is a path, or a name looked up in PATH of the command's environment.

    Of a file as `stdin` the program gets a sealed copy, from where the descriptor stands; all else
    (a pipe) is handed over as it is. `stdout` and `stderr` are files that receive what
    the program writes; the program itself sees a pipe. None reads nothing, and discards what is
    written but counts it. The same descriptor for both keeps the order of what is written.
    With `direct`, stdout is handed over as it is (a pipe to another program) and not counted.
    """

    argv: tuple[str, ...]
    limits: Limits = Limits()
    env: Mapping[str, str] = field(default_factory=dict)  # added to BASE_ENVIRONMENT
    cwd: str = "/work"
    stdin: int | None = None
    stdout: int | None = None
    stderr: int | None = None
    keep_workspace: bool = False  # False: the workspace is emptied before this run
    direct: bool = False

    def __post_init__(self) -> None:
        if not self.argv or not self.argv[0]:
            raise ValueError("a command needs a program to run")


@dataclass(frozen=True, slots=True)
class Mount:
    """`source` on the host, shown at `target` in the box."""

    source: Path
    target: str
    writable: bool = False
