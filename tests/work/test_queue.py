from datetime import UTC, datetime
from pathlib import Path

from judge.store import Judging, Priority
from judge.work import Bell
from judge.work.queue import queues


def judging(number: int, priority: Priority = Priority.INTERACTIVE, group: str = "") -> Judging:
    return Judging(id=number, priority=priority, worker_group=group)


def test_a_judging_rung_for_is_queued(bell: Bell) -> None:
    assert bell.ring(judging(7))
    assert bell.ring(judging(8, Priority.REJUDGE))
    assert bell.ring(judging(9, group="gpu"))

    assert bell.queued() == {7, 8, 9}


def test_ringing_twice_does_no_harm(bell: Bell) -> None:
    bell.ring(judging(7))
    bell.ring(judging(7))

    assert bell.queued() == {7}


def test_what_was_interrupted_does_not_queue_up_again(bell: Bell) -> None:
    bell.ring(judging(7))
    interrupted = judging(8)
    interrupted.started_at = datetime.now(UTC)
    bell.ring(interrupted)

    assert [job.args for job in queues(bell.redis)[0].get_jobs()] == [[8], [7]]


def test_a_job_carries_nothing_but_the_number(bell: Bell) -> None:
    bell.ring(judging(7))

    [job] = queues(bell.redis)[0].get_jobs()
    assert (job.func_name, job.args, job.kwargs) == ("judge.work.worker.judge", [7], {})
    assert b"pickle" not in job.data
    assert job.data.startswith(b"[")


def test_without_redis_the_bell_stays_silent(tmp_path: Path) -> None:
    assert not Bell(f"unix://{tmp_path / 'nothing.sock'}").ring(judging(7))


def test_a_worker_takes_what_is_of_its_groups_and_participants_first(bell: Bell) -> None:
    names = [queue.name for queue in queues(bell.redis, ("", "gpu"))]

    assert names == [
        "adjudge-default-interactive",
        "adjudge-gpu-interactive",
        "adjudge-default-rejudge",
        "adjudge-gpu-rejudge",
    ]


def test_each_group_has_its_own_queue(bell: Bell) -> None:
    bell.ring(judging(7))
    bell.ring(judging(8, group="gpu"))

    assert queues(bell.redis, ["gpu"])[0].get_job_ids()[0].startswith("judging-8-")
    assert len(queues(bell.redis)[0].get_job_ids()) == 1
