"""What a run reports, limit by limit."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import (
    MIB,
    SECOND,
    Box,
    Command,
    ExecError,
    Limits,
    Mount,
    Report,
    Runner,
    SandboxError,
    Stop,
)
from tests.sandbox.conftest import IS_EMULATED, not_in_the_machine

MILLISECOND = 1_000_000
Shell = Callable[..., tuple[Report, str]]


def test_a_program_that_ends_well(box: Box) -> None:
    report = box.run(Command(("/bin/true",)))
    assert report.exit_code == 0
    assert report.signal is None
    assert report.stop is None
    assert report.ok
    assert 0 < report.cpu_ns < SECOND
    assert 0 < report.wall_ns < 10 * SECOND
    assert 0 < report.memory_bytes < 8 * MIB


def test_exit_codes_and_signals_are_told_apart(box: Box) -> None:
    assert box.run(Command(("sh", "-c", "exit 9"))).exit_code == 9
    report = box.run(Command(("sh", "-c", "kill -SEGV $$")))
    assert (report.exit_code, report.signal, report.signal_name) == (None, 11, "SIGSEGV")


def test_output_goes_to_the_files(box: Box, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+b") as out, (tmp_path / "err").open("w+b") as err:
        report = box.run(
            Command(
                ("sh", "-c", "echo hello; echo trouble >&2"),
                stdout=out.fileno(),
                stderr=err.fileno(),
            )
        )
    assert (tmp_path / "out").read_text() == "hello\n"
    assert (tmp_path / "err").read_text() == "trouble\n"
    assert report.output_bytes == len("hello\ntrouble\n")


def test_one_file_for_both_keeps_the_order(shell: Shell) -> None:
    _, text = shell("sh", "-c", "echo 1; echo 2 >&2; echo 3")
    assert text == "1\n2\n3\n"


def test_input_is_read(box: Box, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("41\n")
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as out:
        box.run(Command(("awk", "{print $1 + 1}"), stdin=source.fileno(), stdout=out.fileno()))
    assert (tmp_path / "out").read_text() == "42\n"


def test_cpu_limit(box: Box) -> None:
    report = box.run(Command(("sh", "-c", "while :; do :; done"), Limits(cpu_ns=SECOND // 5)))
    assert (report.signal, report.stop) == (9, Stop.CPU)
    slack = (200 if IS_EMULATED else 50) * MILLISECOND
    assert SECOND // 5 <= report.cpu_ns < SECOND // 5 + slack


def test_wall_limit(box: Box) -> None:
    report = box.run(Command(("sleep", "100"), Limits(wall_ns=2 * SECOND)))
    assert (report.signal, report.stop) == (9, Stop.WALL)
    assert 2 * SECOND <= report.wall_ns < 3 * SECOND
    assert report.cpu_ns < SECOND


def test_memory_limit_is_told_by_the_kernel(box: Box) -> None:
    hungry = Command(("python3", "-c", "bytearray(10**9)"), Limits(memory_bytes=64 * MIB))
    report = box.run(hungry)
    assert report.signal == 9
    assert report.stop is None
    assert report.memory_exceeded
    assert report.oom_kills == 1


@pytest.mark.parametrize("limit", [0, 1, 1000, 65536, 100_001])
def test_output_is_cut_exactly_at_the_limit(box: Box, tmp_path: Path, limit: int) -> None:
    with (tmp_path / "out").open("wb") as out:
        report = box.run(Command(("yes",), Limits(output_bytes=limit), stdout=out.fileno()))
    assert report.stop is Stop.OUTPUT
    assert report.output_bytes > limit
    assert (tmp_path / "out").stat().st_size == limit


def test_output_that_fills_the_limit_is_within_it(box: Box) -> None:
    report = box.run(Command(("printf", "12345678"), Limits(output_bytes=8)))
    assert (report.exit_code, report.stop, report.output_bytes) == (0, None, 8)


def test_process_limit(shell: Shell) -> None:
    _, text = shell(
        "python3",
        "-c",
        """
import os, time
for n in range(100):
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError as error:
        print(n, error.errno)
        break
""",
        limits=Limits(processes=8),
    )
    assert text == f"7 {errno.EAGAIN}\n"


@not_in_the_machine
def test_disk_limit_stops_a_running_program(box: Box) -> None:
    script = "while :; do head -c 1000000 /dev/zero > $((i = i + 1)); done"
    report = box.run(
        Command(
            ("sh", "-c", script),
            Limits(cpu_ns=100 * SECOND, wall_ns=200 * SECOND, disk_bytes=20 * MIB),
        )
    )
    assert report.stop is Stop.DISK
    assert report.disk_exceeded


def test_disk_figures(box: Box) -> None:
    script = "mkdir d; printf 12345 > d/a; printf 123 > b; ln -s / link"
    report = box.run(Command(("sh", "-c", script)))
    assert (report.disk_bytes, report.files, report.disk_exceeded) == (8, 3, False)


def test_too_many_files_at_the_end(box: Box) -> None:
    report = box.run(Command(("touch", "1", "2", "3"), Limits(files=2)))
    assert report.disk_exceeded


def test_a_file_larger_than_any_limit(box: Box) -> None:
    report = box.run(
        Command(("truncate", "-s", "1T", "huge"), Limits(disk_bytes=MIB, memory_bytes=64 * MIB))
    )
    assert report.disk_exceeded


def test_the_workspace_is_emptied_unless_kept(shell: Shell) -> None:
    shell("sh", "-c", "echo kept > file")
    assert shell("cat", "file", keep_workspace=True)[1] == "kept\n"
    assert shell("ls")[1] == ""


def test_a_given_workspace_stays(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "input").write_text("1")
    with runner.open(workspace=tmp_path) as box:
        command = ("sh", "-c", "cp sub/input sub/output")
        assert box.run(Command(command, keep_workspace=True)).ok
    assert (tmp_path / "sub" / "output").read_text() == "1"


def test_mounts_are_read_only_unless_writable(runner: Runner, tmp_path: Path) -> None:
    for name in ("fixed", "open"):
        (tmp_path / name).mkdir(mode=0o777)
        (tmp_path / name).chmod(0o777)
    (tmp_path / "file").write_text("text")
    mounts = [
        Mount(tmp_path / "fixed", "/fixed"),
        Mount(tmp_path / "open", "/deep/open", writable=True),
        Mount(tmp_path / "file", "/deep/file"),
    ]
    with runner.open(mounts=mounts) as box:
        assert box.run(Command(("touch", "/fixed/a"))).exit_code == 1
        assert box.run(Command(("touch", "/deep/open/a"))).ok
        assert box.run(Command(("grep", "text", "/deep/file"))).ok
    assert [path.name for path in tmp_path.rglob("a")] == ["a"]


def test_environment_and_folder(shell: Shell) -> None:
    _, text = shell("sh", "-c", "env | grep -v ^PWD | sort; pwd")
    assert text == "HOME=/work\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\n/work\n"


@pytest.mark.parametrize(
    ("program", "reason"), [("absent", errno.ENOENT), ("/etc/passwd", errno.EACCES)]
)
def test_what_cannot_be_executed(box: Box, program: str, reason: int) -> None:
    with pytest.raises(ExecError) as caught:
        box.run(Command((program,)))
    assert caught.value.errno == reason
    assert box.run(Command(("/bin/true",))).ok


def test_a_program_that_is_still_being_written(runner: Runner, tmp_path: Path) -> None:
    """Another thread may fork while a program is written, and hold it open for a moment."""
    program = tmp_path / "program"
    program.write_bytes(Path("/bin/true").read_bytes())
    program.chmod(0o755)
    with runner.open(workspace=tmp_path) as box, program.open("ab") as held:
        command = Command(("/work/program",), keep_workspace=True)
        with pytest.raises(ExecError) as caught:
            box.run(command)
        assert caught.value.errno == errno.ETXTBSY
        box.start(command)
        held.close()
        assert box.wait().ok


def test_a_faulty_request_is_ours_and_does_no_harm(box: Box) -> None:
    with pytest.raises(SandboxError) as caught:
        box.run(Command(("/bin/true",), cwd="/absent"))
    assert (caught.value.step, caught.value.errno) == ("cwd", errno.ENOENT)
    with pytest.raises(ValueError, match="NUL"):
        box.run(Command(("/bin/true", "a\0b")))
    assert box.run(Command(("/bin/true",))).ok


def test_kill_from_another_thread(box: Box) -> None:
    read, write = os.pipe()
    out = os.fdopen(read)

    def kill_when_started() -> None:
        out.readline()
        box.kill()

    killer = threading.Thread(target=kill_when_started)
    killer.start()
    report = box.run(Command(("sh", "-c", "echo started; sleep 100"), stdout=write, direct=True))
    killer.join()
    os.close(write)
    out.close()
    assert (report.signal, report.stop) == (9, Stop.KILLED)
    box.kill()
    assert box.run(Command(("/bin/true",))).ok
