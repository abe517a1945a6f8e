"""Disk: limits, and trees that will not go."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import MIB, SECOND, Box, Command, Limits, Mount, Report, Runner, Stop
from tests.sandbox.conftest import not_in_the_machine, once_in_the_machine, run_shell

Shell = Callable[..., tuple[Report, str]]
Compiled = Callable[[str], str]

LONG = Limits(cpu_ns=100 * SECOND, wall_ns=200 * SECOND, disk_bytes=8 * MIB, files=100)


def test_a_hostile_tree_is_measured_and_removed(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(
        compiled("hostile_tree.c"), limits=Limits(cpu_ns=60 * SECOND, wall_ns=120 * SECOND)
    )
    assert (report.exit_code, report.files, report.disk_bytes) == (0, 10, 0)


def test_a_hostile_tree_is_removed_between_runs(box: Box, compiled: Compiled) -> None:
    run_shell(box, compiled("hostile_tree.c"), limits=LONG)
    assert any(box.workspace.iterdir())
    box.empty()
    assert not any(box.workspace.iterdir())
    assert run_shell(box, "ls", keep_workspace=True)[1] == ""


@not_in_the_machine
def test_a_hostile_tree_goes_with_its_box(
    runner: Runner, programs: Path, compiled: Compiled
) -> None:
    with runner.open(mounts=[Mount(programs, "/programs")]) as box:
        run_shell(box, compiled("hostile_tree.c"))
        workspace = box.workspace
        assert workspace.exists()
    assert not workspace.exists()


@not_in_the_machine
def test_temporary_files_are_swept(shell: Shell, compiled: Compiled) -> None:
    for folder in ("/tmp", "/dev/shm"):
        report, _ = shell("sh", "-c", f"cd {folder} && exec {compiled('hostile_tree.c')}")
        assert report.exit_code == 0


def test_a_full_temporary_disk(runner: Runner) -> None:
    with runner.open(tmp_bytes=MIB) as box:
        for _ in range(2):
            report, text = run_shell(box, "sh", "-c", "head -c 2M /dev/zero > /tmp/full")
            assert report.exit_code != 0
            assert "No space left" in text


@once_in_the_machine
@pytest.mark.parametrize(
    "script",
    [
        "while :; do head -c 1000000 /dev/zero > $((i = i + 1)); done",
        "while :; do : > $((i = i + 1)); done",
        "mkdir -p a/b/c; while :; do head -c 1000000 /dev/zero >> a/b/c/file; done",
    ],
    ids=["bytes", "files", "one file that grows"],
)
def test_a_runaway_is_stopped_while_it_runs(shell: Shell, script: str) -> None:
    report, _ = shell("sh", "-c", script, limits=LONG)
    assert report.disk_exceeded
    assert report.stop in (Stop.DISK, None)


def test_files_without_a_name_count(shell: Shell, compiled: Compiled) -> None:
    report, _ = shell(compiled("unlinked.c"), limits=LONG)
    assert (report.signal, report.stop) == (9, Stop.DISK)


@pytest.mark.parametrize(
    ("script", "kept"),
    [
        ("printf 12345678 > file", True),
        ("printf 123456789 > file", False),
        ("mkdir d; printf 1234 > d/a; printf 12345 > b", False),
    ],
)
def test_the_byte_limit_is_exact(shell: Shell, script: str, kept: bool) -> None:
    report, _ = shell("sh", "-c", script, limits=Limits(disk_bytes=8))
    assert report.disk_exceeded is not kept


@pytest.mark.parametrize(("count", "kept"), [(3, True), (4, False)])
def test_the_file_limit_is_exact(shell: Shell, count: int, kept: bool) -> None:
    script = f"mkdir -p d/e; i=0; while [ $i -lt {count} ]; do : > d/e/$((i = i + 1)); done"
    report, _ = shell("sh", "-c", script, limits=Limits(files=3))
    assert report.files == count
    assert report.disk_exceeded is not kept


GIVES_UP = """
import os
file = open("file", "wb", buffering=0)
while file.write(bytes(10**6)) == 10**6:
    pass
os.abort()
"""


def test_who_gives_up_at_the_limit_is_over_it(shell: Shell) -> None:
    """Python ignores SIGXFSZ and sees a short write, so its own end is no evidence of the limit."""
    limits = Limits(memory_bytes=16 * MIB, disk_bytes=32 * MIB)
    report, _ = shell("python3", "-c", GIVES_UP, limits=limits)
    assert report.signal == signal.SIGABRT
    assert report.disk_exceeded


def test_a_sparse_giant(shell: Shell) -> None:
    report, _ = shell("truncate", "-s", "1T", "file", limits=LONG)
    assert report.disk_exceeded


def test_output_and_error_output_are_limited_together(box: Box, tmp_path: Path) -> None:
    script = "while :; do echo out; echo error >&2; done"
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        report = box.run(
            Command(
                ("sh", "-c", script),
                Limits(output_bytes=10_000),
                stdout=out.fileno(),
                stderr=err.fileno(),
            )
        )
    assert report.stop is Stop.OUTPUT
    assert sum((tmp_path / name).stat().st_size for name in ("out", "err")) == 10_000
