"""The limits of a native package."""

from judge.model import Limits, default_wall_ns
from judge.model.limits import MIB, NS_PER_SECOND
from judge.packages.fields import Fields

ANY_NUMBER_OF_FILES = 1 << 31
FILES_ON_DISK = 1000
RUN = Limits(
    cpu_ns=NS_PER_SECOND,
    wall_ns=default_wall_ns(NS_PER_SECOND),
    memory_bytes=256 * MIB,
    processes=32,
    output_bytes=64 * MIB,
    disk_bytes=0,
    files=ANY_NUMBER_OF_FILES,
)
BUILD = Limits(
    cpu_ns=30 * NS_PER_SECOND,
    wall_ns=default_wall_ns(30 * NS_PER_SECOND),
    memory_bytes=1024 * MIB,
    processes=256,
    output_bytes=64 * MIB,
    disk_bytes=1024 * MIB,
    files=100_000,
)


def read_limits(fields: Fields, default: Limits) -> Limits:
    """The limits of a table; what it does not name is as in `default`.

    A new time limit takes its wall limit along, a new disk limit its number of files.
    """
    cpu_ns = fields.duration("time", default.cpu_ns)
    disk_bytes = fields.size("disk", default.disk_bytes)
    wall_ns = default.wall_ns if cpu_ns == default.cpu_ns else default_wall_ns(cpu_ns)
    files = default.files
    if disk_bytes != default.disk_bytes:
        files = FILES_ON_DISK if disk_bytes else ANY_NUMBER_OF_FILES
    return Limits(
        cpu_ns=cpu_ns,
        wall_ns=fields.duration("wall", wall_ns),
        memory_bytes=read_memory(fields, default.memory_bytes),
        processes=fields.count("processes", default.processes) or default.processes,
        output_bytes=fields.size("output", default.output_bytes),
        disk_bytes=disk_bytes,
        files=fields.count("files", files),
    )


def read_memory(fields: Fields, default: int) -> int:
    """The key `memory`, in bytes."""
    size = fields.size("memory", default)
    if size < MIB:
        fields.fault("memory", "must be 1MiB or more")
        return default
    return size
