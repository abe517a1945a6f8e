"""What the sandbox needs of a machine, each checked by doing it."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from sandbox import cgroups
from sandbox.boxes import Runner
from sandbox.build import runner_program
from sandbox.command import MIB, SECOND, Command, Limits
from sandbox.errors import SandboxError
from sandbox.report import Stop

OLDEST_KERNEL = (5, 14)


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Check:
    """`found` says what is there; `mend`, empty where all is well, says what to do about it."""

    name: str
    state: State
    found: str
    mend: str = ""

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def run_checks() -> list[Check]:
    """All checks. What needs a box is left out where there can be none. Takes under two seconds."""
    ground = [_kernel(), _compiler(), _cgroups()]
    boxed = [] if failures(ground) else [_box(), _cpu_limit(), _memory_limit()]
    return [*ground, *boxed, _swap(), _workspace(), _boost(), _threads_per_core()]


def failures(checks: Iterable[Check]) -> list[Check]:
    """Those of the checks that failed."""
    return [check for check in checks if check.state is State.FAILURE]


def _kernel() -> Check:
    release = platform.release()
    version = tuple(int(part) for part in release.split("-")[0].split(".")[:2])
    if version < OLDEST_KERNEL:
        return Check("kernel", State.FAILURE, f"Linux {release}", "Linux 5.14 or newer is needed")
    return Check("kernel", State.OK, f"Linux {release}")


def _compiler() -> Check:
    try:
        return Check("runner", State.OK, str(runner_program()))
    except SandboxError as error:
        return Check("runner", State.FAILURE, "the runner cannot be built", str(error))


def _cgroups() -> Check:
    try:
        hierarchy = cgroups.find_hierarchy()
    except SandboxError as error:
        return Check("cgroups", State.FAILURE, str(error), "mount or delegate the controllers")
    found = f"version {hierarchy.version}: {', '.join(sorted(hierarchy.folders))}"
    if "cpuset" not in hierarchy:
        return Check(
            "cgroups",
            State.WARNING,
            found,
            "without the cpuset controller programs may move off their core",
        )
    return Check("cgroups", State.OK, found)


def _swap() -> Check:
    swaps = Path("/proc/swaps").read_text().splitlines()[1:]
    if not swaps:
        return Check("swap", State.OK, "none")
    return Check(
        "swap",
        State.WARNING,
        f"{len(swaps)} in use",
        "programs are kept out of swap, but a machine that swaps measures badly: swapoff -a",
    )


def _in_box(name: str, judge: Callable[[Runner], Check]) -> Check:
    try:
        with Runner() as runner:
            return judge(runner)
    except SandboxError as error:
        return Check(name, State.FAILURE, str(error), "see docs/sandbox.md, section Requirements")


def _box() -> Check:
    def judge(runner: Runner) -> Check:
        with runner.open() as box:
            report = box.run(Command(("/bin/true",)))
        if not report.ok:
            return Check("box", State.FAILURE, f"/bin/true failed: {report}", "report this")
        return Check("box", State.OK, "namespaces, seccomp and limits work")

    return _in_box("box", judge)


def _cpu_limit() -> Check:
    def judge(runner: Runner) -> Check:
        limits = Limits(cpu_ns=SECOND // 10, wall_ns=5 * SECOND)
        with runner.open() as box:
            report = box.run(Command(("sh", "-c", "while :; do :; done"), limits))
        if report.stop is not Stop.CPU:
            return Check(
                "cpu limit", State.FAILURE, f"not kept: {report}", "is the machine overloaded?"
            )
        over = (report.cpu_ns - limits.cpu_ns) / 1e6
        return Check("cpu limit", State.OK, f"kept, {over:.1f} ms over 100 ms")

    return _in_box("cpu limit", judge)


def _memory_limit() -> Check:
    def judge(runner: Runner) -> Check:
        limits = Limits(memory_bytes=16 * MIB)
        with runner.open() as box:
            report = box.run(Command(("sh", "-c", "head -c 64M /dev/zero | tail"), limits))
        if not report.memory_exceeded:
            return Check(
                "memory limit",
                State.FAILURE,
                f"not kept: {report}",
                "boot with the memory controller (cgroup_enable=memory)",
            )
        return Check("memory limit", State.OK, "kept, and reported by the kernel")

    return _in_box("memory limit", judge)


def _workspace() -> Check:
    folder = Path(os.environ.get("ADJUDGE_BOXES") or "/var/tmp")  # noqa: S108 - as Runner
    kind = _file_system(folder)
    space = os.statvfs(folder)
    free = space.f_bavail * space.f_frsize
    found = f"{folder}: {kind}, {free // MIB} MiB free"
    if kind == "tmpfs":
        return Check(
            "workspace",
            State.WARNING,
            found,
            "files there count as memory of the program: set ADJUDGE_BOXES to a folder on disk",
        )
    if free < 1024 * MIB:
        return Check("workspace", State.WARNING, found, "free some space, or set ADJUDGE_BOXES")
    return Check("workspace", State.OK, found)


def _file_system(folder: Path) -> str:
    """The kind of the mount that holds `folder`."""
    best, kind = -1, "unknown"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        point = left.split()[4]
        if folder.resolve().is_relative_to(point) and len(point) >= best:
            best, kind = len(point), right.split()[0]
    return kind


def _boost() -> Check:
    governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    if not governor.exists():
        return Check("cpu governor", State.OK, "none to set")
    found = governor.read_text().strip()
    if found == "performance":
        return Check("cpu governor", State.OK, found)
    return Check(
        "cpu governor",
        State.WARNING,
        found,
        "times vary less with: cpupower frequency-set -g performance",
    )


def _threads_per_core() -> Check:
    siblings = Path("/sys/devices/system/cpu/smt/active")
    if not siblings.exists() or siblings.read_text().strip() != "1":
        return Check("smt", State.OK, "off")
    return Check(
        "smt",
        State.WARNING,
        "on: two slots may share a core",
        "for exact times use one slot per core, or switch SMT off",
    )
