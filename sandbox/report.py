"""What a run did."""

from __future__ import annotations

import json
import signal
from dataclasses import asdict, dataclass
from enum import StrEnum


class Stop(StrEnum):
    """Why the sandbox stopped a run."""

    CPU = "cpu"
    WALL = "wall"
    OUTPUT = "output"
    DISK = "disk"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Report:
    """Figures of the whole process tree; set-up before the program starts is not in them."""

    exit_code: int | None  # exactly one of exit_code and signal is set
    signal: int | None
    stop: Stop | None  # None where the run ended by itself
    cpu_ns: int
    wall_ns: int  # monotonic, until the main process ended
    memory_bytes: int  # peak of anonymous and shared memory, never page cache
    memory_exceeded: bool  # evidence, not a guess: the kernel killed, or a sample was at the limit
    oom_kills: int
    output_bytes: int  # written to captured streams; above the limit only where stop is OUTPUT
    disk_bytes: int  # left in the workspace
    files: int
    disk_exceeded: bool
    ended_ns: int = 0  # when the main process ended, by the monotonic clock: orders two reports

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself, with exit code 0, within its limits."""
        return (
            self.exit_code == 0
            and self.stop is None
            and not self.memory_exceeded
            and not self.disk_exceeded
        )

    @property
    def signal_name(self) -> str | None:
        if self.signal is None:
            return None
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"SIG{self.signal}"

    def as_dict(self) -> dict[str, int | str | bool | None]:
        return asdict(self)

    def to_json(self) -> str:
        return json.dumps(self.as_dict())
