"""How busy a machine was with other things than the run that is looked at."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from judge.model.limits import NS_PER_SECOND

MUCH = 0.25
"""The part of one core's time that others may take before a machine counts as busy."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a machine had done by a moment: `idle_ns` is the sum over all of its cores, of which the
    kernel tells hundredths of a second."""

    at_ns: int
    idle_ns: int
    cores: int


def load_now() -> Load:
    """This machine's load. /proc/uptime, since it costs a third of what /proc/stat does."""
    idle = Path("/proc/uptime").read_text().split()[1]
    return Load(time.monotonic_ns(), int(float(idle) * NS_PER_SECOND), os.cpu_count() or 1)


def was_busy(before: Load, after: Load, own_cpu_ns: int) -> bool:
    """Whether others had much of a core while a run used `own_cpu_ns` of CPU time. What the host of
    a virtual machine took away (steal) counts as theirs."""
    elapsed_ns = after.at_ns - before.at_ns
    used_ns = elapsed_ns * after.cores - (after.idle_ns - before.idle_ns)
    return used_ns - own_cpu_ns > MUCH * elapsed_ns
