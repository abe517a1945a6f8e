"""A changed package is served without a restart, and what runs goes on with its own version."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli.main import adjudge
from tests.service.conftest import Live, live

SLOW = "import time; print(input(), flush=True); time.sleep(1.5)"


@pytest.fixture
def judge(tmp_path: Path, echo_package: Path) -> Iterator[Live]:
    with live(tmp_path / "home", echo_package) as judge:
        yield judge


def call(judge: Live, *words: object) -> str:
    env = {"ADJUDGE_HOME": str(judge.settings.home)}
    done = CliRunner().invoke(adjudge, [str(word) for word in words], env=env)
    assert done.exit_code == 0, done.output
    return done.stdout


def points(judge: Live, number: int) -> list[str]:
    details = judge.submission(number)["details"]
    return [point["result"] for group in details["groups"] for point in group["testpoints"]]


def test_a_new_version_is_served_while_an_old_one_is_judged(
    judge: Live, echo_package: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(echo_package.parents[1], changed)
    (changed / "data" / "echo" / "2.ans").write_text("something else\n")

    running = judge.submit(SLOW)
    judge.wait_for(running, "judging")
    said = call(judge, "problem", "add", changed / "problems" / "echo")
    assert judge.status(running) == "judging"
    later = judge.submit()

    judge.wait_for(later, "wrong_answer")
    judge.wait_for(running, "accepted")
    assert points(judge, later) == ["accepted", "wrong_answer", "accepted"]
    assert points(judge, running) == ["accepted"] * 3
    old, new = (judging.package for judging in judge.judgings())
    assert said.rstrip().endswith(f"version {new[:12]}")

    again = ("rejudge", "start", "--submission", later, "--problem", "echo", "--apply")
    call(judge, *again, "--version", old[:12])
    judge.wait_for(later, "accepted")
    call(judge, *again)
    judge.wait_for(later, "wrong_answer")
