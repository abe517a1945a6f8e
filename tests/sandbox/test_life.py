"""Who dies with whom, and what is left: nothing."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import BoxClosedError, Command, Mount, Runner, SandboxError, cgroups, owner
from tests.sandbox.conftest import once_in_the_machine, run_shell

SCRIPT = """
import os, sys
from sandbox import Command, Runner
runner = Runner()
box = runner.open()
print(os.getpid(), runner.pid, box.workspace, flush=True)
script = "echo 1 > file; echo started; exec sleep 1000"
box.run(Command(("sh", "-c", script), stdout=1, direct=True))
"""


@pytest.fixture
def victim() -> Iterator[tuple[subprocess.Popen[str], int, Path]]:
    """A Python process in the middle of a run, its runner and its workspace."""
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    _, runner, workspace = process.stdout.readline().split()
    assert process.stdout.readline() == "started\n"
    yield process, int(runner), Path(workspace)
    process.kill()
    process.wait()
    process.stdout.close()


def gone(pid: int) -> None:
    """Waits for the end of a process that is not ours; a test that hangs here has failed."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    assert select.select([descriptor], [], [], 30)[0], f"{pid} lives on"
    os.close(descriptor)


def groups_of(pid: int) -> list[Path]:
    return [
        path
        for folder in set(cgroups.find_hierarchy().folders.values())
        for path in folder.glob(f"{owner.PREFIX}.*.{pid}.*")
    ]


def test_a_killed_python_takes_everything_with_it(
    victim: tuple[subprocess.Popen[str], int, Path],
) -> None:
    process, runner, workspace = victim
    process.kill()
    process.wait()
    gone(runner)
    assert process.stdout is not None
    assert process.stdout.read() == ""  # the program held this pipe
    assert not workspace.exists()
    with Runner() as another, another.open() as box:
        assert box.run(Command(("/bin/true",))).ok
    assert not groups_of(process.pid)
    assert not workspace.parent.exists()


def test_a_killed_runner_is_noticed_and_swept(
    victim: tuple[subprocess.Popen[str], int, Path],
) -> None:
    process, runner, workspace = victim
    os.kill(runner, signal.SIGKILL)
    assert process.wait() != 0  # BoxClosedError
    assert process.stdout is not None
    assert process.stdout.read() == ""
    with Runner() as another, another.open() as box:
        assert box.run(Command(("/bin/true",))).ok
    assert not groups_of(process.pid)
    assert not workspace.exists()


def test_the_loss_of_a_runner_is_an_error_of_its_own() -> None:
    with Runner() as runner:
        box = runner.open()
        assert runner.alive
        runner._process.kill()
        runner._process.wait()
        with pytest.raises(BoxClosedError):
            box.run(Command(("/bin/true",)))
        assert not runner.alive
        with pytest.raises(BoxClosedError):
            runner.open()
        box.close()


def test_a_closed_box_stays_closed() -> None:
    with Runner() as runner:
        box = runner.open()
        workspace = box.workspace
        box.close()
        box.close()
        box.kill()
        assert not workspace.exists()
        with pytest.raises(SandboxError):
            box.run(Command(("/bin/true",)))


def test_closing_a_box_ends_its_run() -> None:
    with Runner() as runner:
        box = runner.open()
        read, write = os.pipe()
        errors: list[SandboxError] = []

        def run() -> None:
            try:
                script = "echo started; exec sleep 1000"
                box.run(Command(("sh", "-c", script), stdout=write, direct=True))
            except SandboxError as error:
                errors.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        with os.fdopen(read) as said:
            assert said.readline() == "started\n"
            box.close()
            thread.join()
            os.close(write)
            assert said.read() == ""
        assert [type(error) for error in errors] == [BoxClosedError]


class Interrupted(Exception):
    pass


def test_an_interrupted_run_does_not_answer_the_next() -> None:
    """A signal handler that raises, as job queues use for time limits, leaves a box in between."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with Runner() as runner:
            box = runner.open()
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(Interrupted):
                box.run(Command(("sleep", "1000")))
            with pytest.raises(SandboxError):
                box.run(Command(("/bin/true",)))
            with runner.open() as another:
                assert another.run(Command(("sh", "-c", "exit 7"))).exit_code == 7
    finally:
        signal.signal(signal.SIGALRM, before)


@once_in_the_machine
def test_many_boxes_at_once() -> None:
    with Runner() as runner:
        boxes = [runner.open() for _ in range(10)]
        for number, box in enumerate(boxes):
            assert run_shell(box, "sh", "-c", f"echo {number} > file")[0].ok
        for number, box in enumerate(boxes):
            assert run_shell(box, "cat", "file", keep_workspace=True)[1] == f"{number}\n"


def test_a_fault_while_opening_leaves_the_runner_well() -> None:
    with Runner() as runner:
        with pytest.raises(SandboxError) as caught:
            runner.open(mounts=[Mount(Path("/absent"), "/absent")])
        assert caught.value.step == "/absent"
        with pytest.raises(SandboxError):
            runner.open(workspace=Path("/absent"))
        with runner.open() as box:
            assert box.run(Command(("/bin/true",))).ok


def test_names_tell_whether_their_owner_lives() -> None:
    name = owner.new_name()
    assert not owner.is_stale(name)
    prefix, namespace, pid, start, serial = name.split(".")
    assert owner.is_stale(".".join((prefix, namespace, pid, str(int(start) + 1), serial)))
    assert not owner.is_stale(".".join((prefix, "1", pid, str(int(start) + 1), serial)))
    assert not owner.is_stale("somebody-elses")


def without(controller: str, tmp_path: Path) -> Path:
    """A folder of links to this machine's controllers, but one."""
    for name, folder in cgroups.find_hierarchy().folders.items():
        if name != controller:
            (tmp_path / name).symlink_to(folder)
    return tmp_path


@pytest.mark.parametrize("controller", ["memory", "cpuacct", "pids"])
def test_a_missing_controller_is_named(
    controller: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cgroups.find_hierarchy().version == 2:
        tmp_path.joinpath("cgroup.controllers").write_text("cpu memory")
        controller = "pids"
        monkeypatch.setenv("ADJUDGE_CGROUP_ROOT", str(tmp_path))
    else:
        monkeypatch.setenv("ADJUDGE_CGROUP_ROOT", str(without(controller, tmp_path)))
    with pytest.raises(SandboxError, match=f"cgroup controller missing: .*{controller}"):
        Runner()


def test_without_cpuset_a_runner_is_pinned_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cgroups.find_hierarchy().version == 2:
        pytest.skip("on version 2 controllers cannot be hidden one by one")
    monkeypatch.setenv("ADJUDGE_CGROUP_ROOT", str(without("cpuset", tmp_path)))
    core = max(os.sched_getaffinity(0))
    with Runner(core) as runner, runner.open() as box:
        script = f"grep Cpus_allowed_list /proc/self/status | grep -w {core}"
        assert run_shell(box, "sh", "-c", script)[0].ok


def test_a_read_only_cgroup_file_system() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to mount")
    script = """
        for mount in $(awk '$3 ~ /^cgroup/ {print $2}' /proc/mounts); do
            mount -o remount,bind,ro $mount || exit 3
        done
        exec "$@"
    """
    command = [sys.executable, "-m", "sandbox", "run", "--", "true"]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2
    assert "cannot use cgroups at /sys/fs/cgroup/" in done.stderr
    assert "Read-only file system" in done.stderr
