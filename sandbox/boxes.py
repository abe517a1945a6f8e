"""Runners and boxes: the Python end of the runner's sockets."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import socket
import stat
import subprocess
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Self, final

from sandbox import cgroups, owner, protocol
from sandbox.build import runner_program
from sandbox.command import MIB, Command, Mount
from sandbox.errors import BoxClosedError, SandboxError
from sandbox.report import Report
from sandbox.toolchain import network_mounts, toolchain_mounts

FIRST_UID = 60000
_NO_CORE = 999
_PATIENCE = 30  # seconds that a runner may take to clean up
_DEFAULT_FOLDER = "/var/tmp"  # noqa: S108 - workspaces go into a folder of ours below it


@final
class Runner:
    """One C process, which keeps boxes. One per slot: `core` is the processor it is pinned to.

    `folder` is where workspaces are made (default: ADJUDGE_BOXES or /var/tmp); it should be on a
    disk, because a tmpfs would count the workspace as memory of the program. `without` names files
    of cgroups that shall not be used, as if the kernel had none ("memory.peak", "cgroup.kill").
    """

    def __init__(
        self,
        core: int | None = None,
        *,
        folder: Path | None = None,
        uid: int | None = None,
        without: Collection[str] = (),
    ) -> None:
        usable = os.sched_getaffinity(0)
        if core is not None and core not in usable:
            raise SandboxError("core", advice=f"core {core} is not one of {sorted(usable)}")
        program = runner_program(sanitize="ADJUDGE_SANITIZE" in os.environ)
        hierarchy = cgroups.find_hierarchy()
        cgroups.sweep(hierarchy)
        name = owner.new_name()
        if uid is None:
            uid = FIRST_UID + (_NO_CORE if core is None else core)
        self._uid = uid
        self._rootless = os.geteuid() != 0
        settings = [
            f"uid={uid}",
            f"cores={len(usable) if core is None else 1}",
            f"rootless={int(self._rootless)}",
            f"without={' '.join(without)}",
        ]
        self._lock = threading.Lock()
        self._serial = itertools.count()
        self._boxes: set[Box] = set()
        self._folder = _workspaces(folder, name)
        self._groups = cgroups.Groups(hierarchy, name, core)
        self._socket, theirs = _socket_pair()
        with theirs:
            self._process = subprocess.Popen(
                [program, *settings, *self._groups.settings],
                stdin=theirs.fileno(),
                env={},
                cwd="/",
                start_new_session=True,
            )
        try:
            if core is not None and not self._groups.pins:
                os.sched_setaffinity(self._process.pid, {core})
            self._groups.admit(self._process.pid)
            _receive(self._socket, "start of the runner")
        except BaseException:
            self.close()
            raise

    def open(
        self,
        *,
        workspace: Path | None = None,
        mounts: Sequence[Mount] = (),
        network: bool = False,
        tmp_bytes: int = 256 * MIB,
    ) -> Box:
        """A new box with the host's toolchain and `mounts`.

        `workspace` is the host's folder seen as /work; everything in it is given to the box's
        user. Without one the box makes its own, which goes with it. /tmp and /dev/shm of the box
        hold `tmp_bytes` each, and what is in them counts as memory of the run.
        """
        own = workspace is None
        path = self._folder / str(next(self._serial)) if workspace is None else workspace.resolve()
        if own:
            path.mkdir(mode=0o700)
        shown = [*toolchain_mounts(), *(network_mounts() if network else ()), *mounts]
        message = protocol.pack_open(str(path), own, shown, network, tmp_bytes)
        keeper, connection = self._ask_for_box(message)
        try:
            if self._rootless:
                _map_user(keeper, self._uid)
                _send(connection, protocol.pack("mapped"), [], "open")
            _receive(connection, "open")
        except BaseException:
            connection.close()
            raise
        box = Box(self, path, connection)
        self._boxes.add(box)
        return box

    def _ask_for_box(self, message: bytes) -> tuple[int, socket.socket]:
        """The keeper's process id and our end of its socket."""
        with self._lock:
            _send(self._socket, message, [], "open")
            try:
                data, descriptors, _, _ = socket.recv_fds(
                    self._socket, protocol.MESSAGE_BYTES, 1, socket.MSG_CMSG_CLOEXEC
                )
            except ConnectionError as error:
                raise BoxClosedError("open") from error
            except BaseException:
                # Interrupted: the answer would be taken for that to the next question.
                self._process.kill()
                raise
        if not data:
            raise BoxClosedError("open")
        keeper = int(protocol.unpack(data)[1]["pid"])
        return keeper, socket.socket(fileno=descriptors[0])

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def forget(self, box: Box) -> None:
        self._boxes.discard(box)

    def close(self) -> None:
        for box in list(self._boxes):
            box.close()
        self._socket.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._groups.remove()
        _remove_tree(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@final
class Box:
    """A closed room with its own root, in which commands run one after the other."""

    def __init__(self, runner: Runner, workspace: Path, connection: socket.socket) -> None:
        self.workspace = workspace
        self._runner = runner
        self._connection = connection
        self._lock = threading.Lock()

    def run(self, command: Command) -> Report:
        """Runs the command to its end. SandboxError for faults of ours alone; ExecError where the
        command cannot be executed; ValueError for a command that no kernel could take."""
        with self._lock:
            self.start(command)
            return self.wait()

    def start(self, command: Command) -> None:
        """Begins a run that `wait` ends: for two boxes at once. The box has its own copies of the
        command's descriptors when this returns, so the caller may close its own."""
        message, descriptors = protocol.pack_run(command)
        _send(self._connection, message, descriptors, "run")

    def wait(self) -> Report:
        """The report of the run that `start` began; raises as `run` does."""
        try:
            fields = _receive(self._connection, "run")
        except SandboxError:
            raise
        except BaseException:
            # Interrupted, say by a signal handler: the report would be taken for the next run's.
            self.close()
            raise
        return protocol.report_of(fields)

    def empty(self) -> None:
        """Removes all that is in the workspace, however deep. SandboxError. Between runs."""
        with self._lock:
            _send(self._connection, protocol.pack("empty"), [], "empty")
            _receive(self._connection, "empty")

    def kill(self) -> None:
        """Ends the current run with Stop.KILLED, from any thread. Does nothing between runs."""
        with contextlib.suppress(BrokenPipeError, ConnectionError, OSError):
            self._connection.send(protocol.pack("kill"))

    def close(self) -> None:
        """Ends what runs and removes the box. A second call does nothing."""
        if self._connection.fileno() < 0:
            return
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            # The keeper hangs up when it is done cleaning.
            while self._connection.recv(protocol.MESSAGE_BYTES):
                pass
        self._connection.close()
        self._runner.forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _map_user(pid: int, uid: int) -> None:
    """In the new user namespace of `pid`, `uid` is who we are outside, and there is nobody else."""
    process = Path(f"/proc/{pid}")
    try:
        (process / "setgroups").write_text("deny")
        (process / "uid_map").write_text(f"{uid} {os.geteuid()} 1")
        (process / "gid_map").write_text(f"{uid} {os.getegid()} 1")
    except OSError as error:
        raise SandboxError("user namespace", error.errno or 0) from error


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def _send(connection: socket.socket, message: bytes, descriptors: list[int], step: str) -> None:
    try:
        if descriptors:
            socket.send_fds(connection, [message], descriptors)
        else:
            connection.send(message)
    except OSError as error:
        if _is_closed(error):
            raise BoxClosedError(step) from error
        raise SandboxError(step, error.errno or 0) from error


def _receive(connection: socket.socket, step: str) -> dict[str, str]:
    try:
        data = connection.recv(protocol.MESSAGE_BYTES)
    except OSError as error:
        if _is_closed(error):
            raise BoxClosedError(step) from error
        raise
    if not data:
        raise BoxClosedError(step)
    return protocol.unpack(data)[1]


def _is_closed(error: OSError) -> bool:
    """By the other side, or by another thread of ours."""
    return isinstance(error, ConnectionError) or error.errno == errno.EBADF


def _workspaces(folder: Path | None, name: str) -> Path:
    """A folder for this runner's workspaces, after those of dead runners are swept."""
    base = folder or Path(os.environ.get("ADJUDGE_BOXES") or _DEFAULT_FOLDER)
    home = base / f"{owner.PREFIX}-boxes-{os.geteuid()}"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = home.lstat()  # the folder above may be anybody's
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise SandboxError("workspace", advice=f"{home} is not a folder of ours: remove it")
    for stale in home.iterdir():
        if owner.is_stale(stale.name):
            _remove_tree(stale)
    mine = home / name
    mine.mkdir()
    return mine


def _remove_tree(folder: Path) -> None:
    """By the runner, whose removal no hostile tree can stop."""
    subprocess.run([runner_program(), f"remove={folder}"], env={}, check=False)
