"""kill -9 of a worker while it builds, runs, checks, saves: exactly one verdict, charged once.

cases.md, "Queue, caps, rejudge".
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from sqlmodel import select

from judge.model import Verdict
from judge.store import Judging, caps, problems, users
from judge.work import Shelf
from tests.service.conftest import Live, pid_of, wait_until

PACKAGE = {
    "problem.toml": """
title = "Slow"
languages = ["c", "cpp"]
[limits]
time = "10s"
[check]
program = "check.py"
[[group]]
points = 100
tests = ["1"]
""",
    "statement.md": "Print the number.\n",
    "judge/check.py": "import time\ntime.sleep(1)\n",
}
PROGRAM = """
#include <stdio.h>
#include <unistd.h>
int main(void) { puts("1"); return sleep(1); }
"""
LONG_TO_BUILD = f'#include <regex>\nstd::regex used("1");\n{PROGRAM.replace("void", "")}'


@pytest.fixture
def slow(judge: Live, tmp_path: Path) -> int:
    """The id of a problem whose submissions take a second to run, and one to check."""
    package, data = tmp_path / "problems" / "slow", tmp_path / "data" / "slow"
    data.mkdir(parents=True)
    for name, text in PACKAGE.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    for name in ("1.in", "1.ans"):
        (data / name).write_text("1\n")
    name, content = Shelf(judge.settings.packages).put(package, data)
    return problems.put(judge.db, content, name, cap=5).id


def in_boxes(judge: Live) -> list[str]:
    """The command lines of what runs in boxes: all below the judge that is not root's."""
    found = []
    for child in judge.process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if child.uids().real != 0:
                found.append(" ".join(child.cmdline()))
    return found


@contextmanager
def nothing_can_be_written(judge: Live) -> Iterator[None]:
    with judge.db.write() as session:
        session.exec(select(Judging).with_for_update()).all()
        yield


def kill_its_worker(judge: Live, number: int) -> None:
    judging = next(one for one in judge.judgings() if one.submission_id == number)
    psutil.Process(pid_of(judging.lease_owner or "")).kill()


def kill_at(judge: Live, number: int, moment: str) -> None:
    """Waits for the moment of that submission, and kills its worker."""
    match moment:
        case "building":
            judge.wait_for(number, "compiling")
        case "running":
            wait_until(lambda: any("/program/code" in line for line in in_boxes(judge)))
        case "checking" | "saving":
            wait_until(lambda: any("check" in line for line in in_boxes(judge)))
    if moment == "saving":
        with nothing_can_be_written(judge):
            wait_until(lambda: not in_boxes(judge))
            kill_its_worker(judge, number)
    else:
        kill_its_worker(judge, number)


def test_a_worker_is_killed(judge: Live, slow: int) -> None:
    moments = ("building", "running", "checking", "saving")
    for moment in moments if judge.db.is_sqlite else moments[-2:]:
        text, language = (LONG_TO_BUILD, "cpp") if moment == "building" else (PROGRAM, "c")
        number = judge.submit(text, to=slow, language=language)
        kill_at(judge, number, moment)
        judge.wait_for(number, "accepted", seconds=60)

    assert {(one.generation, one.attempt) for one in judge.judgings()} == {(1, 2)}
    assert {one.verdict for one in judge.judgings()} == {Verdict.ACCEPTED}
    quota = caps.quota(judge.db, users.find(judge.db, "mina").id, slow)
    assert quota is not None
    assert quota.used == len(judge.judgings())
    assert judge.stop() == 0
    assert list(judge.temporary.iterdir()) == [], "what the killed ones left is swept"
