"""`python -m sandbox`, as an operator or a script uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.conftest import not_in_the_machine


def sandbox(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sandbox", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_run_prints_one_json_report(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("1\n2\n")
    done = sandbox("run", "--stdin", str(tmp_path / "in"), "--", "sh", "-c", "wc -l; echo no >&2")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["exit_code"] == 0
    assert (report["stdout"], report["stderr"]) == ("2\n", "no\n")


@not_in_the_machine
def test_the_exit_code_tells_about_the_report_not_the_program(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = sandbox("run", "--stdout", str(out), "--", "sh", "-c", "echo bye; exit 3")
    assert done.returncode == 0
    assert json.loads(done.stdout)["exit_code"] == 3
    assert out.read_text() == "bye\n"


@not_in_the_machine
def test_limits_have_units() -> None:
    done = sandbox("run", "--memory", "64MiB", "--", "python3", "-c", "a=bytearray(10**9)")
    assert json.loads(done.stdout)["memory_exceeded"]
    done = sandbox("run", "--cpu", "200ms", "--", "sh", "-c", "while :; do :; done")
    assert json.loads(done.stdout)["stop"] == "cpu"


@not_in_the_machine
def test_a_workspace_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("before")
    sandbox("run", "--workspace", str(tmp_path), "--", "cp", "a", "b")
    assert (tmp_path / "b").read_text() == "before"


@not_in_the_machine
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--memory", "64MB5", "--", "true"), "'64MB5' is not a size such as 64MiB"),
        (("--cpu", "soon", "--", "true"), "'soon' is not a time such as 1.5s"),
        (("--processes", "0", "--", "true"), "limit processes must be positive, not 0"),
        (("--env", "X", "--", "true"), "--env takes NAME=VALUE, not 'X'"),
        (("--core", "9999", "--", "true"), "core 9999 is not one of"),
        (("--", "absent"), "the command cannot be executed: No such file or directory"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = sandbox("run", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@not_in_the_machine
def test_a_missing_controller_is_named(tmp_path: Path) -> None:
    done = sandbox("run", "--", "true", ADJUDGE_CGROUP_ROOT=str(tmp_path))
    assert done.returncode == 2
    assert "cgroup controller missing: memory, cpuacct, pids" in done.stderr


def test_checks_are_done_by_doing() -> None:
    done = sandbox("check", "--json")
    states = {check["name"]: check["state"] for check in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert states["box"] == states["memory limit"] == "ok"


@not_in_the_machine
def test_a_failed_check_says_how_to_mend_it(tmp_path: Path) -> None:
    done = sandbox("check", ADJUDGE_CGROUP_ROOT=str(tmp_path))
    assert done.returncode == 2
    assert "failure  cgroups: cgroup controller missing: memory, cpuacct, pids" in done.stdout
