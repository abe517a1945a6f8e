from pathlib import Path

from judge.store import Priority
from judge.work import Bell
from judge.work.queue import queues


def test_a_judging_rung_for_is_queued(bell: Bell) -> None:
    assert bell.ring(7)
    assert bell.ring(8, Priority.REJUDGE)

    assert bell.queued() == {7, 8}


def test_ringing_twice_does_no_harm(bell: Bell) -> None:
    bell.ring(7)
    bell.ring(7)

    assert bell.queued() == {7}


def test_a_job_carries_nothing_but_the_number(bell: Bell) -> None:
    bell.ring(7)

    [job] = queues(bell.redis)[0].get_jobs()
    assert (job.func_name, job.args, job.kwargs) == ("judge.work.worker.judge", [7], {})
    assert b"pickle" not in job.data
    assert job.data.startswith(b"[")


def test_without_redis_the_bell_stays_silent(tmp_path: Path) -> None:
    assert not Bell(f"unix://{tmp_path / 'nothing.sock'}").ring(7)
