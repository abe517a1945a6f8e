"""What a run may use, and what it used."""

from dataclasses import dataclass

NS_PER_SECOND = 1_000_000_000
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one run may use; each limit counts the whole process tree.

    `files` and `disk_bytes` speak of what is in the workspace, `output_bytes` of standard output
    and standard error together.
    """

    cpu_ns: int
    wall_ns: int
    memory_bytes: int
    processes: int
    output_bytes: int
    disk_bytes: int
    files: int

    def __post_init__(self) -> None:
        for name in ("cpu_ns", "wall_ns", "memory_bytes", "processes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)}")
        for name in ("output_bytes", "disk_bytes", "files"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, not {getattr(self, name)}")


def default_wall_ns(cpu_ns: int) -> int:
    """The wall limit where a problem names none: it catches sleepers and spares a busy machine."""
    return 2 * cpu_ns + NS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run used: CPU of the whole tree, peak of anonymous and shared memory without page
    cache, and what it left in its workspace."""

    cpu_ns: int
    wall_ns: int
    memory_bytes: int
    disk_bytes: int
    files: int
