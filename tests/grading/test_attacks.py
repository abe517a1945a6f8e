"""Attacks at build time, through the whole road: makefiles, CMake and compilers that mean harm.

After each of them nothing of it is left on this machine, and the next submission is judged as ever.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from judge.grading import Slot, Source, SourceText, SourceTree
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]
Tree = Callable[[Mapping[str, str]], SourceTree]

MARK = "98765.4321"
"""Seconds that only processes of these attacks sleep."""

PROGRAM = '#include <cstdio>\nint main() { std::puts("7"); }\n'
GOOD = SourceText("python", b"print(input())")
SHORT = '[build]\ntime = "1s"\nmemory = "256MiB"'


def makefile(*lines: str) -> dict[str, str]:
    """A repository whose makefile does these things, and then builds the program."""
    recipe = "".join(f"\t{line}\n" for line in (*lines, "g++ -o code main.cpp"))
    return {"main.cpp": PROGRAM, "Makefile": f"code: main.cpp\n{recipe}"}


def cmake(*commands: str) -> dict[str, str]:
    """The same, done while CMake configures."""
    head = "cmake_minimum_required(VERSION 3.10)\nproject(attack CXX)\n"
    done = "".join(f"execute_process(COMMAND sh -c [==[{command}]==])\n" for command in commands)
    return {"main.cpp": PROGRAM, "CMakeLists.txt": f"{head}{done}add_executable(code main.cpp)\n"}


@pytest.fixture(autouse=True)
def harmless(slot: Slot, judge: Judge, make: Make) -> Iterator[None]:
    """Holds after every test here."""
    yield
    assert not list(_processes_with(MARK))
    runner = slot._runner
    assert runner is not None
    assert not list(runner._folder.iterdir())
    assert judge(make(), GOOD).verdict is Verdict.ACCEPTED


def _processes_with(word: str) -> Iterator[str]:
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if word in words:
            yield words


LEAVE = (
    f"sleep {MARK} > /dev/null 2>&1 &",
    f"(setsid sleep {MARK} > /dev/null 2>&1 &)",
    f"trap '' HUP TERM; nohup sh -c 'sleep {MARK}; touch /work/late' > /dev/null 2>&1 &",
)


@pytest.mark.parametrize(
    "files", [makefile(f"sleep {MARK} &", *LEAVE), cmake(*LEAVE)], ids=["make", "CMake"]
)
def test_what_a_build_leaves_running_is_ended(
    judge: Judge, make: Make, tree: Tree, files: dict[str, str]
) -> None:
    outcome = judge(make(), tree(files))
    assert outcome.verdict is Verdict.ACCEPTED, outcome.message


PLACES = ("/usr/evil", "/etc/evil", "/evil", "/work/../evil", "/dev/evil", "/proc/evil", "/program")
WRITE = [f"if touch {place} || mkdir {place}; then exit 9; fi" for place in PLACES]


@pytest.mark.parametrize("files", [makefile(*WRITE), cmake(*WRITE)], ids=["make", "CMake"])
def test_a_build_writes_nowhere_but_in_its_workspace(
    judge: Judge, make: Make, tree: Tree, files: dict[str, str]
) -> None:
    assert judge(make(), tree(files)).verdict is Verdict.ACCEPTED
    assert not any(os.path.lexists(place) for place in ("/usr/evil", "/etc/evil", "/evil"))


def test_what_a_build_leaves_in_memory_is_out_of_reach(
    judge: Judge, make: Make, tree: Tree
) -> None:
    """Of the program that it built, and of the next build."""
    leave = ("echo x > /tmp/message", "echo x > /dev/shm/message", "mkfifo /tmp/pipe")
    look = "find /tmp /dev/shm -mindepth 1"
    script = f"#!/bin/sh\\n{look}\\nls /work\\n"
    files = {"Makefile": f"code:\n\ttest -z \"$$({look})\"\n\tprintf '{script}' > code\n"}
    files["Makefile"] += "".join(f"\t{line}\n" for line in leave)
    problem = make("", [("", "")])
    for _ in range(2):
        outcome = judge(problem, tree(files))
        assert outcome.verdict is Verdict.ACCEPTED, outcome


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bomb() { bomb | bomb & }; bomb; while :; do :; done", "make: More CPU time than 1 s."),
        ("tail /dev/zero", "Killed"),
        (f"sleep {MARK}", "make: More wall time than 3 s."),
        ("yes >&2", "make: More output than"),
        ("yes", "make: More output than"),
        ("truncate -s 1T huge", "File size limit exceeded"),
        ("i=0; while :; do i=$$((i + 1)); mkdir -p d$$i; : > d$$i/f; done", "make: "),
        ("kill -9 -1; sleep 1", "Died of SIGKILL"),
        ("mknod code c 1 5", "Operation not permitted"),
        ("ln /etc/passwd code", "cross-device"),
        ("unshare -r true", "Operation not permitted"),
        ("mount -t tmpfs none /tmp", "must be superuser"),
    ],
)
def test_a_makefile_that_wants_too_much(
    judge: Judge, make: Make, tree: Tree, line: str, sentence: str
) -> None:
    outcome = judge(make(SHORT), tree(makefile(line)))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert sentence in outcome.message
    assert len(outcome.message.encode()) <= 4096


HIDE = """d=.; for i in 1 2 3 4 5 6 7 8 9; do mkdir $$d/n; d=$$d/n; done; touch $$d/f; chmod 0 n
mkdir 'a\tb' ' ' '*'; touch 'a\tb/-rf' "$$(printf 'line\\nline')"; chmod 0 ' '
python3 -c 'import os; [(os.mkdir("deep"), os.chdir("deep")) for _ in range(2000)]'
ln -s / root; ln -s . self; mkfifo pipe
cp main.cpp code.cpp; chmod 0 code.cpp
"""


def test_a_workspace_that_does_not_want_to_go(judge: Judge, make: Make, tree: Tree) -> None:
    outcome = judge(make(), tree(makefile(*HIDE.splitlines())))
    assert outcome.verdict is Verdict.ACCEPTED, outcome.message


def test_set_uid_programs_are_none(judge: Judge, make: Make, tree: Tree) -> None:
    """The build makes its program set-uid; who runs it is who always runs them."""
    files = makefile()
    files["main.cpp"] = "#include <cstdio>\n#include <unistd.h>\nint main() {"
    files["main.cpp"] += ' std::puts(geteuid() == getuid() && getuid() ? "7" : "0"); }\n'
    files["Makefile"] += "\tchmod 6777 code\n"
    assert judge(make(), tree(files)).verdict is Verdict.ACCEPTED


CALL = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
except OSError:
    sys.exit(0)
sys.exit(1)
"""


def test_a_build_reaches_no_server(judge: Judge, make: Make, tree: Tree) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        files = {"call.py": CALL, **makefile(f"python3 call.py {port}")}
        outcome = judge(make(), tree(files))
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert outcome.verdict is Verdict.ACCEPTED, outcome.message


def test_a_build_sees_an_environment_of_ours(
    judge: Judge, make: Make, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEKRET", "swordfish")
    outcome = judge(make(), tree(makefile("env >&2", "cat /proc/*/environ >&2", "false")))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert "ONLINE_JUDGE=true" in outcome.message
    assert "swordfish" not in outcome.message


def test_a_package_is_the_same_after_a_build_that_changed_its_copy(
    judge: Judge, make: Make, tree: Tree
) -> None:
    """Who rewrites the overlay rewrites a copy of his own."""
    problem = make(files={"overlay/rule.h": "#define RULE 1\n"})
    overlay = problem.build.overlay
    assert overlay is not None
    change = ("chmod u+w rule.h; echo '#define RULE 2' > rule.h", "rm rule.h; ln -s /etc rule.h")
    assert judge(problem, tree(makefile(*change))).verdict is Verdict.ACCEPTED
    assert (overlay / "rule.h").read_text() == "#define RULE 1\n"
