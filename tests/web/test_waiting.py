"""Waiting for a verdict without asking again and again."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from judge.model import Verdict
from judge.store import Feedback
from tests.conftest import Caller, ServedJudge


def test_wait_answers_as_soon_as_it_is_final(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(caller.get, f"/submission/{number}?wait=30")
        served.finish(number)
        finished = time.monotonic()
        found = waiting.result(timeout=20).json()
    assert found["status"] == "accepted"
    assert time.monotonic() - finished < 20


def test_wait_ends_with_its_time(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    began = time.monotonic()
    assert caller.get(f"/submission/{number}?wait=0.2").json()["status"] == "pending"
    assert time.monotonic() - began >= 0.2


def test_what_is_final_is_not_waited_for(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    caller.post(f"/submission/{number}/abort")
    began = time.monotonic()
    assert caller.get(f"/submission/{number}?wait=60").json()["status"] == "aborted"
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("seconds", ["x", "-1", "nan", "inf", "1_0", "%201", ""])
def test_a_wait_that_is_no_time(served: ServedJudge, seconds: str) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    assert caller.get(f"/submission/{number}?wait={seconds}").status_code == 400


def stream(caller: Caller, number: int) -> Iterator[tuple[str, dict[str, object]]]:
    answer = caller.get(f"/submission/{number}/events", stream=True)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    kind = ""
    for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        if line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


def test_events_tell_each_step_and_end_with_the_whole(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    events = stream(caller, number)
    assert next(events) == ("progress", {"id": number, "status": "pending", "tests": 0})
    lease = served.begin(number)
    served.record(lease, "001", Verdict.ACCEPTED)
    seen = next(events)
    while seen[1]["status"] != "judging" or seen[1]["tests"] != 1:
        seen = next(events)
    caller.post(f"/submission/{number}/abort")
    kind, found = next(events)
    assert (kind, found["status"]) == ("final", "aborted")
    assert found.keys() == caller.submission(number).keys()
    assert next(events, None) is None


def test_events_hide_how_many_tests_ran_where_results_are_hidden(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem(cap=5, feedback=Feedback.FINAL))
    lease = served.begin(number)
    served.record(lease, "001", Verdict.ACCEPTED)
    events = stream(caller, number)
    assert next(events)[1] == {"id": number, "status": "judging", "tests": None}
    # Not even by an event of its own.
    served.record(lease, "002", Verdict.ACCEPTED)
    caller.post(f"/submission/{number}/abort")
    assert next(events)[0] == "final"


def test_events_of_others_do_not_exist(served: ServedJudge) -> None:
    number = served.caller().submit(served.problem())
    assert served.caller().get(f"/submission/{number}/events").status_code == 404
    answer = requests.get(f"{served.address}/api/v1/submission/{number}/events", timeout=10)
    assert answer.status_code == 401


def test_nobody_looks_when_nobody_waits(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    caller.get(f"/submission/{number}?wait=0.05")
    for thread in threading.enumerate():
        if thread.name == "watch":
            thread.join(timeout=20)
            assert not thread.is_alive()
