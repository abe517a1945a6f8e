"""Finds the cgroup hierarchy, version 1 or 2, and gives each runner its folders in it.

Sources: cgroups(7); Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst of the kernel.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sandbox import owner
from sandbox.errors import SandboxError

_SUPERVISOR = "adjudge-supervisor"
_ATTEMPTS = 10
_NEEDED = {1: ("memory", "cpuacct", "pids"), 2: ("memory", "pids")}
_DELEGATE = (
    "run it where a cgroup is delegated to you, for example by "
    "`systemd-run --user --scope -p Delegate=yes COMMAND`"
)
_NEEDS_ROOT = "on cgroup v1 the sandbox needs root"


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Where this process may make groups. On version 2 all controllers share one folder."""

    version: int
    folders: dict[str, Path]

    def __contains__(self, controller: str) -> bool:
        return controller in self.folders


@dataclass(frozen=True, slots=True)
class _Mounted:
    point: Path
    root: str  # the part of the hierarchy that the mount shows
    kind: str
    options: frozenset[str]


def find_hierarchy() -> Hierarchy:
    """The hierarchy to use. SandboxError("cgroup") naming what is missing.

    ADJUDGE_CGROUP_ROOT names another folder than the kernel's mounts to look in.
    """
    override = os.environ.get("ADJUDGE_CGROUP_ROOT")
    version1, version2 = _below(Path(override)) if override else _mounted()
    where = override or "the mounts of this machine"
    if "memory" in version1:
        missing = [name for name in _NEEDED[1] if name not in version1]
        if missing:
            raise _missing(missing, where)
        return Hierarchy(1, version1)
    if version2 is None:
        raise _missing(_NEEDED[1], where)
    controllers = (version2 / "cgroup.controllers").read_text().split()
    missing = [name for name in _NEEDED[2] if name not in controllers]
    if missing:
        advice = "" if os.geteuid() == 0 else f"; {_DELEGATE}"
        raise _missing(missing, f"{version2}{advice}")
    return Hierarchy(2, dict.fromkeys(controllers, version2))


def _missing(controllers: list[str] | tuple[str, ...], where: object) -> SandboxError:
    names = ", ".join(controllers)
    return SandboxError("cgroup", advice=f"cgroup controller missing: {names} (looked in {where})")


def _below(folder: Path) -> tuple[dict[str, Path], Path | None]:
    if (folder / "cgroup.controllers").exists():
        return {}, folder
    names = {path.name: path for path in folder.glob("*") if (path / "tasks").exists()}
    return names, None


def _mounted() -> tuple[dict[str, Path], Path | None]:
    own = dict(_own_groups())
    version1: dict[str, Path] = {}
    version2 = None
    for mount in _mounts():
        if mount.kind == "cgroup2":
            version2 = _version2_base(mount, own.get("", "/"))
        for controller in mount.options & own.keys():
            version1[controller] = _own_folder(mount, own[controller])
    return version1, version2


def _own_groups() -> Iterator[tuple[str, str]]:
    """Controller (empty for version 2) and path of this process's group."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _mounts() -> Iterator[_Mounted]:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            root, point = left.split()[3:5]
            yield _Mounted(Path(point), root, kind, frozenset(options.split(",")))


def _own_folder(mount: _Mounted, path: str) -> Path:
    """In a container the path may be the host's: then the mount itself is ours."""
    folder = mount.point / path.removeprefix(mount.root).lstrip("/")
    return folder if folder.is_dir() else mount.point


def _version2_base(mount: _Mounted, path: str) -> Path:
    own = _own_folder(mount, path)
    if own.name == _SUPERVISOR:
        own = own.parent
    is_true_root = not (mount.point / "cgroup.type").exists()
    if os.geteuid() == 0 and is_true_root and not _is_delegated(own):
        return mount.point
    return own


def _is_delegated(folder: Path) -> bool:
    """systemd marks what it delegates (systemd.resource-control(5), Delegate=)."""
    for attribute in ("trusted.delegate", "user.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, attribute) == b"1":
                return True
    return False


class Groups:
    """The groups of one runner; `settings` is what the runner's command line says of them."""

    def __init__(self, hierarchy: Hierarchy, name: str, core: int | None) -> None:
        self._name = name
        self._hierarchy = hierarchy
        self._folders: list[Path] = []
        self._homes: list[Path] = []
        self.settings: list[str] = []
        self.pins = core is not None and "cpuset" in hierarchy
        try:
            if hierarchy.version == 1:
                self._make_version1(core)
            else:
                self._make_version2(core)
        except OSError as error:
            self.remove()
            advice = f"cannot use cgroups at {error.filename}: {error.strerror}"
            if os.geteuid() != 0:
                advice += f"; {_DELEGATE if hierarchy.version == 2 else _NEEDS_ROOT}"
            raise SandboxError("cgroup", error.errno or 0, advice) from error

    def _make_version1(self, core: int | None) -> None:
        for controller in _NEEDED[1]:
            group = self._make(self._hierarchy.folders[controller])
            self._homes.append(group)  # the runner stands in it, so that nobody finds it empty
            self.settings.append(f"{controller}={group}")
        if core is not None and self.pins:
            parent = self._hierarchy.folders["cpuset"]
            group = self._make(parent)
            (group / "cpuset.mems").write_text((parent / "cpuset.mems").read_text())
            (group / "cpuset.cpus").write_text(str(core))
            self._homes.append(group)

    def _make_version2(self, core: int | None) -> None:
        base = self._hierarchy.folders["memory"]
        controllers = [name for name in ("memory", "pids", "cpuset") if name in self._hierarchy]
        _enable(base, controllers)
        group = self._make(base)
        if core is not None and self.pins:
            (group / "cpuset.cpus").write_text(str(core))
        _enable(group, ["memory", "pids"])
        home = group / "runner"  # a group with controllers may not hold processes itself
        home.mkdir()
        self._homes.append(home)
        self.settings.append(f"unified={group}")

    def _make(self, parent: Path) -> Path:
        folder = parent / self._name
        folder.mkdir()
        self._folders.append(folder)
        return folder

    def admit(self, pid: int) -> None:
        """Moves the runner into its groups; its boxes are born there."""
        for home in self._homes:
            (home / "cgroup.procs").write_text(str(pid))

    def remove(self) -> None:
        """Once the runner is gone."""
        for folder in self._folders:
            _remove(folder)


def _enable(group: Path, controllers: list[str]) -> None:
    """Hands controllers to the groups below `group`, which may then hold no process itself, unless
    it is the root ("no internal processes")."""
    control = group / "cgroup.subtree_control"
    missing = set(controllers) - set(control.read_text().split())
    order = " ".join(f"+{name}" for name in sorted(missing))
    for left in reversed(range(_ATTEMPTS if missing else 0)):
        if (group / "cgroup.type").exists():
            _clear(group)
        try:
            control.write_text(order)
        except OSError as error:
            if error.errno != errno.EBUSY or not left:
                raise
            continue  # a process was born in it meanwhile
        return


def _clear(group: Path) -> None:
    """Moves the processes of `group` into the supervisor's group below it."""
    supervisor = group / _SUPERVISOR
    for pid in (group / "cgroup.procs").read_text().split():
        supervisor.mkdir(exist_ok=True)
        with contextlib.suppress(ProcessLookupError):
            (supervisor / "cgroup.procs").write_text(pid)


def sweep(hierarchy: Hierarchy) -> None:
    """Removes the groups of runners whose owner is gone, with whatever still runs in them."""
    for parent in set(hierarchy.folders.values()):
        for folder in parent.glob(f"{owner.PREFIX}.*"):
            if owner.is_stale(folder.name):
                _remove(folder)


def _remove(folder: Path, patience: float = 5.0) -> None:
    """Kills what is in the group and removes it, which works a moment after its last process."""
    end = time.monotonic() + patience
    while folder.exists():
        for group in [*sorted(folder.rglob("*/"), reverse=True), folder]:
            with contextlib.suppress(OSError):
                for pid in (group / "cgroup.procs").read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
            with contextlib.suppress(OSError):
                group.rmdir()
        if time.monotonic() > end:
            return
        if folder.exists():
            time.sleep(0.005)
