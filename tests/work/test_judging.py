import threading
from pathlib import Path

import pytest

from judge.grading import Slot
from judge.model import Verdict
from judge.store import Judging, Submission, caps, judgings, submissions
from judge.store.judgings import ATTEMPTS
from judge.work.judging import OUR_FAULT, Bench
from judge.work.stock import LocalStock
from tests.work.conftest import SLEEP, Workplace, wait_until


def judge_in_background(place: Workplace, judging: Judging) -> threading.Thread:
    thread = threading.Thread(target=place.bench.judge, args=(judging.id,))
    thread.start()
    return thread


def wait_until_it_runs(place: Workplace, submission: Submission) -> None:
    wait_until(lambda: place.view(submission).submission.status == "judging")


def test_a_submission_gets_its_verdict(place: Workplace) -> None:
    submission, judging = place.admit()

    place.bench.judge(judging.id)

    view = place.view(submission)
    assert (view.submission.status, view.judging.score) == ("accepted", 100)
    assert [(test.test, test.verdict) for test in place.tests(judging)] == [
        (number, Verdict.ACCEPTED) for number in "123"
    ]
    assert all(test.cpu_ns and test.memory_bytes for test in place.tests(judging))


def test_who_waits_is_told_when_something_is_written_down(
    place: Workplace, slot: Slot, tmp_path: Path
) -> None:
    told: list[tuple[int, str]] = []

    def strike(number: int) -> None:
        told.append((number, submissions.get(place.db, number).submission.status))

    stock = LocalStock(place.shelf, tmp_path / "git")
    bench = Bench(place.db, stock, slot, "the test", strike=strike)
    submission, judging = place.admit(b"import time; time.sleep(0.3); print(input())")

    bench.judge(judging.id)

    assert told[0] == (submission.id, "judging"), "a judging that takes a while shows how far it is"
    assert told[-1] == (submission.id, "accepted")


def test_what_is_judged_or_unknown_is_left_alone(place: Workplace) -> None:
    submission, judging = place.admit()
    place.bench.judge(judging.id)
    first = place.view(submission).judging

    place.bench.judge(judging.id)
    place.bench.judge(99)

    assert place.view(submission).judging == first


def test_an_abort_stops_the_run_within_a_second(place: Workplace) -> None:
    submission, judging = place.admit(SLEEP)
    thread = judge_in_background(place, judging)
    wait_until_it_runs(place, submission)

    judgings.abort(place.db, submission.id, place.user)
    assert place.view(submission).submission.status == "aborted"

    thread.join(2)
    assert not thread.is_alive()
    assert place.view(submission).judging.verdict is Verdict.ABORTED


def test_a_worker_that_is_stopped_hands_back(place: Workplace) -> None:
    submission, judging = place.admit(SLEEP)
    thread = judge_in_background(place, judging)
    wait_until_it_runs(place, submission)

    place.bench.stop()
    thread.join(2)

    assert not thread.is_alive()
    view = place.view(submission)
    assert (view.submission.status, view.judging.attempt) == ("pending", 0)


def test_a_stopped_worker_takes_nothing_up(place: Workplace) -> None:
    submission, judging = place.admit()
    place.bench.stop()

    place.bench.judge(judging.id)

    assert (place.view(submission).submission.status, place.view(submission).judging.attempt) == (
        "pending",
        0,
    )


def test_a_fault_of_ours_is_tried_again_and_then_shown(place: Workplace, tmp_path: Path) -> None:
    submission, judging = place.admit()
    folder = place.shelf.folder(place.problem.package)
    hidden = folder.rename(tmp_path / "hidden")
    statuses = []
    for _ in range(ATTEMPTS):
        place.bench.judge(judging.id)
        statuses.append(place.view(submission).submission.status)

    assert statuses == ["pending", "pending", "system_error"]
    assert place.view(submission).judging.message == OUR_FAULT
    quota = caps.quota(place.db, place.user.id, place.problem.id)
    assert quota is not None
    assert quota.used == 0
    hidden.rename(folder)


@pytest.mark.parametrize("text", [b"\xff\0", b"raise SystemExit(3)", b"\xed\xa0\x80"])
def test_bytes_that_are_no_text_reach_a_verdict(place: Workplace, text: bytes) -> None:
    submission, judging = place.admit(text)

    place.bench.judge(judging.id)

    assert place.view(submission).submission.status in {"runtime_error", "compile_error"}


def test_two_workers_ring_for_one_judging(place: Workplace, tmp_path: Path) -> None:
    submission, judging = place.admit()
    with Slot() as slot:
        other = Bench(place.db, LocalStock(place.shelf, tmp_path / "git"), slot, "another")
        threads = [
            threading.Thread(target=bench.judge, args=(judging.id,))
            for bench in (place.bench, other)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    view = place.view(submission)
    assert (view.submission.status, view.judging.attempt) == ("accepted", 1)
