"""What a program can see, reach, ask for, and hand on: nothing. Cases of the section Sandbox."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox import Box, Command, Mount, Report, Runner
from tests.sandbox.conftest import run_shell

Shell = Callable[..., tuple[Report, str]]
Compiled = Callable[[str], str]


def test_nothing_is_handed_to_the_next_run(shell: Shell, compiled: Compiled) -> None:
    assert shell(compiled("channels.c"), "leave")[1] == "left\n"
    assert shell(compiled("channels.c"), "find")[1] == ""


def test_nothing_is_handed_to_another_box(
    runner: Runner, box: Box, programs: Path, compiled: Compiled
) -> None:
    """While the first still runs."""
    program = compiled("channels.c")
    read, write = os.pipe()
    with (
        runner.open(mounts=[Mount(programs, "/programs")]) as other,
        os.fdopen(read) as said,
    ):
        script = f"{program} leave; exec sleep 1000"
        command = Command(("sh", "-c", script), stdout=write, direct=True)
        first = threading.Thread(target=other.run, args=(command,))
        first.start()
        assert said.readline() == "left\n"
        assert run_shell(box, program, "find")[1] == ""
        other.kill()
        first.join()
        os.close(write)


def test_others_cannot_be_seen(shell: Shell, compiled: Compiled) -> None:
    _, text = shell(compiled("look_around.c"))
    seen = set(text.split())
    assert not {line for line in seen if line.startswith("/proc/")}
    assert seen <= {
        *(".", "..", "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32"),
        *("proc", "programs", "sbin", "tmp", "usr", "work"),
    }


@pytest.mark.parametrize("path", ["/root", "/home", "/var", "/srv", "/sys", "/boot", "/mnt"])
def test_the_host_is_not_there(shell: Shell, path: str) -> None:
    assert shell("test", "-e", path)[0].exit_code == 1


@pytest.mark.parametrize("path", ["/etc/shadow", "/etc/ssh", "/etc/hostname", "/etc/hosts"])
def test_the_hosts_settings_are_not_there(shell: Shell, path: str) -> None:
    assert shell("cat", path)[0].exit_code == 1


def test_links_to_the_host_lead_nowhere(runner: Runner, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("host")
    script = f"ln -s {secret} link; cat link; ln -sf /proc/1/environ env; cat env"
    work = tmp_path / "work"
    work.mkdir()
    with runner.open(workspace=work) as box:
        report, text = run_shell(box, "sh", "-c", script)
    assert "host" not in text.replace(str(secret), "")
    assert (report.exit_code, report.disk_bytes, report.files) == (1, 0, 2)


@pytest.mark.parametrize(
    "path", ["/file", "/usr/file", "/etc/file", "/dev/file", "/proc/file", "/work/../file"]
)
def test_nothing_but_the_workspace_can_be_written(shell: Shell, path: str) -> None:
    report, _ = shell("touch", path)
    assert report.exit_code == 1
    assert not Path("/usr/file").exists()


def test_forbidden_system_calls(shell: Shell, compiled: Compiled) -> None:
    assert shell(compiled("forbidden.c"))[1] == "done\n"


@pytest.mark.parametrize("abi", ["32", "x32"])
def test_foreign_system_calls_end_the_program(shell: Shell, compiled: Compiled, abi: str) -> None:
    report, text = shell(compiled("foreign_abi.c"), abi)
    assert (report.signal_name, text) == ("SIGSYS", "")


def test_no_network(shell: Shell, compiled: Compiled) -> None:
    assert shell(compiled("network.c"))[1] == "done\n"
    assert shell("getent", "hosts", "localhost.example.org")[0].exit_code != 0


def test_a_box_with_a_network_has_the_hosts(runner: Runner) -> None:
    hosts = str(Path("/proc/self/ns/net").readlink())
    with runner.open(network=True) as box:
        assert run_shell(box, "readlink", "/proc/self/ns/net")[1].strip() == hosts
        assert run_shell(box, "test", "-e", "/etc/resolv.conf")[0].exit_code in (0, 1)
    with runner.open() as box:
        assert run_shell(box, "readlink", "/proc/self/ns/net")[1].strip() != hosts


def test_no_right_is_left(shell: Shell) -> None:
    _, text = shell("cat", "/proc/self/status")
    fields = dict(line.split(":\t", 1) for line in text.splitlines())
    assert {fields[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
    assert "0" not in fields["Uid"].split() + fields["Gid"].split()


def test_descriptors_are_the_three(shell: Shell) -> None:
    _, text = shell("sh", "-c", "echo /proc/self/fd/*")
    assert [path.rpartition("/")[2] for path in text.split()] == ["0", "1", "2", "3"]  # 3: the glob
    _, text = shell("readlink", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2")
    assert text.splitlines()[0] == "/dev/null"
    assert all(line.startswith("pipe:") for line in text.splitlines()[1:])


def test_a_file_as_input_is_a_sealed_copy(box: Box, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden.in"
    hidden.write_text("skipped\nfirst\nsecond\n")
    hidden.chmod(0o666)
    script = """
        readlink /proc/self/fd/0
        cat /dev/stdin
        { echo changed > /proc/self/fd/0; } 2>/dev/null || echo refused
        { true > /proc/self/fd/0; } 2>/dev/null
        cat
    """
    out = tmp_path / "out"
    with hidden.open("rb") as source, out.open("wb") as sink:
        os.lseek(source.fileno(), len("skipped\n"), os.SEEK_SET)
        box.run(Command(("sh", "-c", script), stdin=source.fileno(), stdout=sink.fileno()))
    assert out.read_text() == "/memfd:stdin (deleted)\nfirst\nsecond\nrefused\nfirst\nsecond\n"
    assert hidden.read_text() == "skipped\nfirst\nsecond\n"


def test_a_pipe_as_input_can_be_opened_again(box: Box) -> None:
    read, write = os.pipe()
    os.write(write, b"hello\n")
    os.close(write)
    report = box.run(Command(("grep", "-q", "hello", "/dev/stdin"), stdin=read))
    os.close(read)
    assert report.ok


def test_the_program_cannot_reach_the_file_behind_its_output(shell: Shell) -> None:
    _, text = shell("sh", "-c", "echo one; : > /dev/stdout; echo two > /dev/stdout")
    assert text == "one\ntwo\n"


def test_a_signal_state_of_our_own_is_not_inherited(shell: Shell) -> None:
    _, text = shell("grep", "^Sig[BI]", "/proc/self/status")
    assert {line.split()[1] for line in text.splitlines()} == {"0" * 16}
