"""Worker groups: a problem bound to one is judged by its workers alone."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from judge.store import problems, workers
from judge.work import Shelf
from tests.service.conftest import ROOT, Live, live, wait_until


@pytest.fixture
def judge(tmp_path: Path, echo_package: Path) -> Iterator[Live]:
    """A judge without workers."""
    with live(tmp_path / "home", echo_package, workers=0) as judge:
        yield judge


@contextmanager
def worker(judge: Live, *groups: str) -> Iterator[None]:
    """A worker of those groups beside the judge, as long as it is entered."""
    named = [word for group in groups for word in ("--group", group)]
    before = len(workers.all_workers(judge.db))
    with subprocess.Popen(
        [sys.executable, "-m", "judge.cli", "worker", *named],
        env={
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "ADJUDGE_HOME": str(judge.settings.home),
            "TMPDIR": str(judge.temporary),
        },
        cwd=ROOT,
    ) as process:
        wait_until(lambda: len(workers.all_workers(judge.db)) == before + 1)
        yield
        process.terminate()


def test_a_problem_of_a_group_waits_for_its_workers(judge: Live) -> None:
    stored = problems.get(judge.db, judge.problem)
    package = replace(Shelf(judge.settings.packages).get(stored.package), slug="echo-gpu")
    bound = problems.put(judge.db, package, stored.package, worker_group="gpu")

    with worker(judge):
        for_gpu, for_anybody = judge.submit(to=bound.id), judge.submit()
        judge.wait_for(for_anybody, "accepted")
        assert judge.status(for_gpu) == "pending"

    with worker(judge, "gpu"):
        for_anybody = judge.submit()
        judge.wait_for(for_gpu, "accepted")
        judge.wait_for(judge.submit(to=bound.id), "accepted")
        assert judge.status(for_anybody) == "pending"
        [(there, _)] = workers.all_workers(judge.db)
        assert there.groups == ["gpu"]

        with worker(judge):
            judge.wait_for(for_anybody, "accepted")
