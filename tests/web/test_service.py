"""What keeps the service in order: rate limit, bounded queue, health, figures, logs."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import requests

from judge.model import Verdict
from judge.store import Role, Worker, workers
from tests.conftest import ServedJudge, serve

if TYPE_CHECKING:
    from conftest import Cluster


def test_a_token_that_runs_wild_is_told_how_long_to_wait(tmp_path: Path, redis_url: str) -> None:
    with serve(tmp_path, redis_url=redis_url, requests_per_minute=20) as judge:
        caller, other = judge.caller(), judge.caller()
        # The minute may turn in between, and then it begins anew.
        answers = [caller.get("/user/profile") for _ in range(50)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert "20 a minute" in refused[0].json()["message"]
        assert 0 < int(refused[0].headers["Retry-After"]) <= 60
        assert other.get("/user/profile").status_code == 200


def test_git_counts_as_well(tmp_path: Path, redis_url: str) -> None:
    with serve(tmp_path, redis_url=redis_url, requests_per_minute=20) as judge:
        refs = f"{judge.caller().git_url('answer.git')}/info/refs?service=git-receive-pack"
        # The minute may turn in between, and then it begins anew.
        answers = [requests.get(refs, timeout=10) for _ in range(50)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert "20 a minute" in refused[0].text
        assert int(refused[0].headers["Retry-After"]) > 0


def test_a_full_queue_puts_submissions_off(tmp_path: Path, redis_url: str) -> None:
    with serve(tmp_path, redis_url=redis_url, queue_limit=2) as judge:
        problem, caller = judge.problem(cap=5), judge.caller()
        for _ in range(2):
            caller.submit(problem)
        form = {"language": "python", "code": "pass"}
        answer = caller.post(f"/problem/{problem.id}/submit", data=form)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert caller.get(f"/problem/{problem.id}").json()["quota"]["used"] == 2


def test_without_redis_submissions_are_taken(tmp_path: Path) -> None:
    with serve(tmp_path, redis_url="unix:///nowhere/redis.sock") as judge:
        caller = judge.caller()
        number = caller.submit(judge.problem())
        assert caller.submission(number)["status"] == "pending"
        health = requests.get(f"{judge.address}/healthz", timeout=10)
        assert (health.status_code, health.json()) == (200, {"database": "ok", "queue": "away"})


def test_without_its_database_the_judge_asks_for_patience(
    tmp_path: Path, redis_url: str, own_postgresql: "Cluster"
) -> None:
    url = own_postgresql.create()
    with serve(tmp_path, redis_url=redis_url, database_url=url) as judge:
        caller = judge.caller()
        own_postgresql.stop("immediate")
        away = caller.get("/user/profile")
        assert away.status_code == 503
        assert int(away.headers["Retry-After"]) > 0
        assert "database" in away.json()["message"]
        assert requests.get(f"{judge.address}/healthz", timeout=30).status_code == 503
        own_postgresql.start()
        assert caller.get("/user/profile").status_code == 200


def test_health(served: ServedJudge) -> None:
    health = requests.get(f"{served.address}/healthz", timeout=10)
    assert (health.status_code, health.json()) == (200, {"database": "ok", "queue": "ok"})


def test_figures_for_operators(served: ServedJudge) -> None:
    caller, operator = served.caller(), served.caller(Role.OPERATOR)
    problem = served.problem()
    served.finish(caller.submit(problem), Verdict.WRONG_ANSWER)
    caller.submit(problem)
    assert caller.get("/metrics", prefix="").status_code == 403
    assert requests.get(f"{served.address}/metrics", timeout=10).status_code == 401
    answer = operator.get("/metrics", prefix="")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert 'adjudge_submissions{status="wrong_answer"} 1.0' in answer.text
    assert "adjudge_judgings_waiting 1.0" in answer.text


def test_workers_are_shown_as_runners(served: ServedJudge) -> None:
    for number, judging in ((1, None), (2, 5)):
        worker = Worker(
            name=f"w{number}",
            host="box",
            core=number,
            version="1",
            hardware="2 cores",
            load=0.5,
            memory_free_bytes=1,
            judging_id=judging,
        )
        workers.report(served.db, worker)
    found = served.caller().get("/meta/runner-status").json()
    assert [(one["name"], one["status"]) for one in found] == [
        ("w1", {"name": "Idle", "color": "blue"}),
        ("w2", {"name": "Busy", "color": "orange"}),
    ]
    assert found[0].keys() == {
        *("id", "name", "hardware", "provider", "status", "message", "last_seen")
    }


def test_requests_are_logged_with_their_submission_and_no_secret(
    served: ServedJudge, caplog: pytest.LogCaptureFixture
) -> None:
    caller = served.caller()
    with caplog.at_level(logging.INFO, "judge.web.requests"):
        number = caller.submit(served.problem(), code="SEKRET")
        caller.get(f"/submission/{number}?wait=0&x=SEKRET")
    records = [record for record in caplog.records if record.name == "judge.web.requests"]
    assert [record.submission for record in records] == [number, number]
    assert {record.user for record in records} == {caller.user.name}
    assert {record.status for record in records} == {200, 201}
    texts = " ".join(str(vars(record)) for record in records)
    assert "SEKRET" not in texts
    assert caller.token not in texts
