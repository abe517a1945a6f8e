"""Between the sandbox's figures and the judge's evidence."""

from judge.grading.tree import Size
from judge.model import Limits, Run, Usage
from sandbox import Limits as SandboxLimits
from sandbox import Report, Stop

_NOTHING = Size()


def sandbox_limits(limits: Limits, beside: Size = _NOTHING) -> SandboxLimits:
    """The limits of a test or a step of a build, as the sandbox keeps them, with room for what lies
    `beside` the program's own in its workspace."""
    return SandboxLimits(
        cpu_ns=limits.cpu_ns,
        wall_ns=limits.wall_ns,
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        output_bytes=limits.output_bytes,
        disk_bytes=limits.disk_bytes + beside.bytes,
        files=limits.files + beside.files,
    )


def measured(report: Report, limits: Limits, beside: Size = _NOTHING) -> Run:
    """What was seen of a run, without what lay `beside` the program's own in its workspace. A run
    that was stopped at a time limit counts as over it."""
    cpu_ns, wall_ns = report.cpu_ns, report.wall_ns
    if report.stop is Stop.CPU:
        cpu_ns = max(cpu_ns, limits.cpu_ns + 1)
    if report.stop is Stop.WALL:
        wall_ns = max(wall_ns, limits.wall_ns + 1)
    return Run(
        usage=Usage(
            cpu_ns=cpu_ns,
            wall_ns=wall_ns,
            memory_bytes=report.memory_bytes,
            disk_bytes=max(0, report.disk_bytes - beside.bytes),
            files=max(0, report.files - beside.files),
        ),
        exit_code=report.exit_code,
        signal=report.signal,
        memory_exceeded=report.memory_exceeded,
        output_exceeded=report.stop is Stop.OUTPUT,
        disk_exceeded=report.disk_exceeded,
    )
