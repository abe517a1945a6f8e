"""A worker's parts, on a real queue, database and sandbox."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.grading import Slot
from judge.store import (
    Database,
    Judging,
    Problem,
    Submission,
    TestRow,
    User,
    problems,
    results,
    submissions,
    users,
)
from judge.store.submissions import View
from judge.work import Bell, Shelf
from judge.work.judging import Bench
from judge.work.stock import LocalStock

ECHO = b"print(input())"
SLEEP = b"import time; print(input(), flush=True); time.sleep(9)"


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Looks until it holds. For what another process or thread does, and tells nobody."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(0.01)


@dataclass(frozen=True)
class Workplace:
    """What a worker has, and a user who submits to a problem with a cap of 5."""

    db: Database
    shelf: Shelf
    bell: Bell
    bench: Bench
    user: User
    problem: Problem

    def admit(self, text: bytes = ECHO) -> tuple[Submission, Judging]:
        source = submissions.Text(text)
        return submissions.admit(self.db, self.user, self.problem, "python", source)

    def view(self, submission: Submission) -> View:
        return submissions.get(self.db, submission.id)

    def tests(self, judging: Judging) -> list[TestRow]:
        return results.of(self.db, judging.id)[0]


@pytest.fixture
def bell(redis_url: str) -> Iterator[Bell]:
    bell = Bell(redis_url)
    bell.redis.flushall()
    yield bell
    bell.close()


@pytest.fixture
def place(db: Database, bell: Bell, slot: Slot, tmp_path: Path, echo_package: Path) -> Workplace:
    shelf = Shelf(tmp_path / "packages")
    name, package = shelf.put(echo_package)
    return Workplace(
        db=db,
        shelf=shelf,
        bell=bell,
        bench=Bench(db, LocalStock(shelf, tmp_path / "git"), slot, "the test"),
        user=users.add(db, "mina"),
        problem=problems.put(db, package, name, cap=5),
    )
