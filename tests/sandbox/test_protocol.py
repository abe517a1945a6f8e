"""The runner believes nothing: its parser is fuzzed, and its sockets are fed nonsense."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox import Box, Command, Limits, Report, Runner, SandboxError, protocol
from sandbox.build import SOURCES
from tests.sandbox.conftest import IS_EMULATED, not_in_the_machine

FUZZ = Path(__file__).parent / "fuzz"
ROUNDS = 100_000
EXAMPLES = 5 if IS_EMULATED else 50


@not_in_the_machine
def test_the_parser_survives_mutated_messages(tmp_path: Path) -> None:
    program = tmp_path / "fuzz"
    sanitizers = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    sources = [str(FUZZ / "fuzz_request.c"), str(SOURCES / "request.c")]
    subprocess.run(
        [
            *("gcc", "-std=c11", "-D_GNU_SOURCE", *sanitizers, f"-I{SOURCES}"),
            *("-o", str(program), *sources),
        ],
        check=True,
    )
    corpus = sorted(str(path) for path in (FUZZ / "corpus").iterdir())
    done = subprocess.run(
        [program, str(ROUNDS), "1", *corpus], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(nonsense=st.binary(min_size=1, max_size=2000))
def test_a_keeper_answers_nonsense_with_a_fault(box: Box, nonsense: bytes) -> None:
    box._connection.send(nonsense)
    with pytest.raises(SandboxError) as caught:
        protocol.unpack(box._connection.recv(protocol.MESSAGE_BYTES))
    assert (caught.value.step, caught.value.errno) == ("request", errno.EPROTO)


@settings(max_examples=EXAMPLES, deadline=None)
@given(nonsense=st.binary(min_size=1, max_size=2000))
def test_a_runner_answers_nonsense_with_a_fault(runner: Runner, nonsense: bytes) -> None:
    runner._socket.send(nonsense)
    with pytest.raises(SandboxError) as caught:
        protocol.unpack(runner._socket.recv(protocol.MESSAGE_BYTES))
    assert (caught.value.step, caught.value.errno) == ("request", errno.EPROTO)


TEXT = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=40)


@not_in_the_machine
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(arguments=st.lists(TEXT, max_size=6))
def test_arguments_arrive_as_they_are(
    shell: Callable[..., tuple[Report, str]], arguments: list[str]
) -> None:
    report, text = shell("printf", "%s|", "x", *arguments)
    assert report.ok
    assert text == "".join(f"{argument}|" for argument in ["x", *arguments])


def test_a_message_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than"):
        protocol.pack_run(Command(("true", "x" * protocol.MESSAGE_BYTES)))


def test_long_arguments_arrive(shell: Callable[..., tuple[Report, str]]) -> None:
    _, text = shell("sh", "-c", 'printf %s "$1" | wc -c', "sh", "x" * 100_000)
    assert text.strip() == "100000"


@pytest.mark.parametrize("name", ["cpu_ns", "wall_ns", "memory_bytes", "processes"])
def test_limits_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"limit {name} must be positive, not 0"):
        Limits(**{name: 0})


@pytest.mark.skipif("ADJUDGE_SANITIZE" in os.environ, reason="this run is the sanitized one")
@not_in_the_machine
def test_the_runner_is_clean_under_the_sanitizers() -> None:
    """The same tests against a runner built with them: an error ends it, and so the test."""
    tests = ["test_run.py", "test_protocol.py", "test_workspace.py", "test_life.py"]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"),
            *(str(Path(__file__).parent / name) for name in tests),
        ],
        env={**os.environ, "ADJUDGE_SANITIZE": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stdout[-4000:]
