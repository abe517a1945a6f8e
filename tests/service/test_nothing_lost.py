"""What was accepted with 201 gets exactly one verdict, whatever dies in between.

cases.md, "Queue, caps, rejudge": each line, with real kills.
"""

import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
import requests

from judge.model import State, Verdict
from tests.service.conftest import ECHO, SLEEP, Live, live, wait_until

if TYPE_CHECKING:
    from conftest import Cluster


def all_judged_once(judge: Live, numbers: list[int], seconds: float = 120) -> None:
    """Until all are accepted; then none of them was judged twice."""
    wait_until(
        lambda: all(one.state is State.FINISHED for one in judge.judgings(*numbers)),
        seconds=seconds,
    )
    judgings = judge.judgings(*numbers)
    assert [one.submission_id for one in judgings] == sorted(numbers)
    assert Counter(one.verdict for one in judgings) == {Verdict.ACCEPTED: len(numbers)}


def test_redis_forgets_everything(sturdy_judge: Live) -> None:
    judge = sturdy_judge
    running = [judge.submit(SLEEP) for _ in range(2)]
    for number in running:
        judge.wait_for(number, "judging")
    queued = [judge.submit() for _ in range(50)]

    judge.redis().flushall()

    all_judged_once(judge, running + queued)
    assert {one.attempt for one in judge.judgings(*running, *queued)} == {1}


def test_redis_is_killed(sturdy_judge: Live) -> None:
    judge = sturdy_judge
    running = [judge.submit(SLEEP) for _ in range(2)]
    for number in running:
        judge.wait_for(number, "judging")
    queued = [judge.submit() for _ in range(25)]

    judge.children("redis-server")[0].kill()
    queued += [judge.submit() for _ in range(25)]

    all_judged_once(judge, running + queued)
    assert {one.attempt for one in judge.judgings(*running, *queued)} == {1}


def test_the_judge_is_told_to_stop_in_the_middle(tmp_path: Path, echo_package: Path) -> None:
    with live(tmp_path, echo_package) as judge:
        running = [judge.submit(SLEEP) for _ in range(2)]
        for number in running:
            judge.wait_for(number, "judging")
        queued = [judge.submit() for _ in range(5)]
        assert judge.stop(signal.SIGTERM) == 0
        assert all(one.lease_token is None for one in judge.judgings())

    with live(tmp_path, echo_package) as judge:
        all_judged_once(judge, running + queued)
        assert {one.attempt for one in judge.judgings()} == {1}


def test_postgresql_restarts(tmp_path: Path, echo_package: Path, own_postgresql: "Cluster") -> None:
    with live(tmp_path, echo_package, ADJUDGE_DATABASE_URL=own_postgresql.create()) as judge:
        running = [judge.submit(SLEEP) for _ in range(2)]
        for number in running:
            judge.wait_for(number, "judging")
        queued = [judge.submit() for _ in range(10)]

        own_postgresql.stop("immediate")
        with pytest.raises((AssertionError, requests.RequestException)):
            judge.submit()
        own_postgresql.start()

        all_judged_once(judge, running + queued)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_the_disk_is_full(tmp_path: Path, echo_package: Path) -> None:
    with small_disk(tmp_path / "disk", "48M") as disk, live(disk, echo_package) as judge:
        running = [judge.submit(SLEEP) for _ in range(2)]
        for number in running:
            judge.wait_for(number, "judging")

        filler = disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        refusals = [judge.call("POST", f"problem/{judge.problem}/submit", language="python",
                               code="x" * 100_000) for _ in range(3)]  # fmt: skip
        taken = [answer.json()["id"] for answer in refusals if answer.status_code == 201]
        assert {answer.status_code for answer in refusals} <= {201, 503}
        filler.unlink()

        wait_until(lambda: all(one.state is State.FINISHED for one in judge.judgings()), 120)
        assert judge.submit() > 0
        for number in running:
            judge.wait_for(number, "accepted")
        for number in taken:
            judge.wait_for(number, "runtime_error", "compile_error")


def test_aborts_at_any_moment_leave_nothing_stuck(sturdy_judge: Live) -> None:
    judge = sturdy_judge

    def submit_and_abort(seed: int) -> list[int]:
        dice = random.Random(seed)
        numbers = []
        for _ in range(50 if judge.db.is_sqlite else 15):
            number = judge.submit(ECHO)
            numbers.append(number)
            time.sleep(dice.random() * 0.2)  # any moment: no event is waited for
            answer = judge.call("POST", f"submission/{number}/abort")
            assert answer.status_code in {204, 403}
            if answer.status_code == 204:
                assert judge.status(number) == "aborted"
        return numbers

    with ThreadPoolExecutor(4) as pool:
        numbers = [number for some in pool.map(submit_and_abort, range(4)) for number in some]

    wait_until(lambda: all(one.state is State.FINISHED for one in judge.judgings(*numbers)))
    statuses = Counter(judge.status(number) for number in numbers)
    assert set(statuses) <= {"aborted", "accepted"}
    assert statuses["aborted"] > len(numbers) / 10


def test_many_workers_write_while_pages_poll(tmp_path: Path, echo_package: Path) -> None:
    with live(tmp_path, echo_package, workers=8) as judge:
        codes: Counter[int] = Counter()
        stop = threading.Event()

        def poll() -> None:
            while not stop.is_set():
                for path in ("submission/", f"problem/{judge.problem}", "submission/1"):
                    codes[judge.call("GET", path).status_code] += 1

        judge.submit()
        pollers = [threading.Thread(target=poll) for _ in range(4)]
        for poller in pollers:
            poller.start()
        numbers = [1] + [judge.submit() for _ in range(60)]
        all_judged_once(judge, numbers)
        stop.set()
        for poller in pollers:
            poller.join()

        assert set(codes) == {200}


def test_an_abort_ends_the_processes_within_a_second(sturdy_judge: Live) -> None:
    judge = sturdy_judge
    number = judge.submit(SLEEP)
    judge.wait_for(number, "judging")
    wait_until(lambda: _programs(judge))

    assert judge.call("POST", f"submission/{number}/abort").status_code == 204
    wait_until(lambda: not _programs(judge), seconds=1.5)
    assert judge.status(number) == "aborted"


def test_what_dies_is_started_again(sturdy_judge: Live) -> None:
    judge = sturdy_judge
    for word in ("worker", "judge.cli.server", "redis-server"):
        victim = judge.children(word)[0]
        helpers = victim.children(recursive=True)
        victim.kill()
        wait_until(lambda word=word, pid=victim.pid: _others(judge, word, pid))
        # Those of a dead web server take a request for a moment still, and drop it.
        _, alive = psutil.wait_procs(helpers, timeout=60)
        assert alive == []

    judge.wait_for(judge.submit(), "accepted")


def _others(judge: Live, word: str, dead: int) -> bool:
    expected = 2 if word == "worker" else 1
    pids = [child.pid for child in judge.children(word)]
    return len(pids) == expected and dead not in pids


def _programs(judge: Live) -> list[psutil.Process]:
    """Processes of submissions: the only ones below the judge that are not root's."""
    found = []
    for child in judge.process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if child.uids().real != 0:
                found.append(child)
    return found
