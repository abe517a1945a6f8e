from collections.abc import Callable
from pathlib import Path

import pytest
from rq import Queue
from rq.serializers import JSONSerializer

from judge.store import Judging, Priority, Unavailable
from judge.work import Bell
from judge.work.queue import JUDGE, queues
from judge.work.worker import Listener, judging_job


def listener(bell: Bell, judge: Callable[[int], None]) -> Listener:
    return Listener(
        [Queue("q", connection=bell.redis, serializer=JSONSerializer), *queues(bell.redis)],
        connection=bell.redis,
        serializer=JSONSerializer,
        job_class=judging_job(judge),
    )


def listen_once(bell: Bell) -> list[int]:
    """Runs all jobs that are queued, with a judge that notes their numbers."""
    judged: list[int] = []
    listener(bell, judged.append).work(burst=True, logging_level="CRITICAL")
    return judged


def test_a_worker_judges_what_is_called_for(bell: Bell) -> None:
    queue = Queue("q", connection=bell.redis, serializer=JSONSerializer)
    queue.enqueue_call(JUDGE, args=(7,), timeout=-1, result_ttl=0)

    assert listen_once(bell) == [7]
    assert list(bell.redis.scan_iter("rq:job:*")) == []


@pytest.mark.parametrize("name", ["os.system", "judge.work.worker.work", "nonsense", ""])
def test_a_worker_runs_nothing_else(bell: Bell, name: str, tmp_path: Path) -> None:
    queue = Queue("q", connection=bell.redis, serializer=JSONSerializer)
    queue.enqueue_call(name, args=(f"touch {tmp_path}/ran",), timeout=-1)

    assert listen_once(bell) == []
    assert not (tmp_path / "ran").exists()


def test_a_callback_of_a_job_is_not_run(bell: Bell) -> None:
    queue = Queue("q", connection=bell.redis, serializer=JSONSerializer)
    job = queue.enqueue_call(JUDGE, args=(7,), timeout=-1)
    bell.redis.hset(job.key, "success_callback_name", "os.system")

    assert listen_once(bell) == [7]


def test_a_pickle_is_not_opened(bell: Bell) -> None:
    Queue("q", connection=bell.redis).enqueue_call(JUDGE, args=(7,), timeout=-1)

    assert listen_once(bell) == []


def test_rq_keeps_no_books_of_it(bell: Bell) -> None:
    """Not even while it is judged: a worker that is killed then leaves nothing in Redis."""
    bell.ring(Judging(id=7, priority=Priority.INTERACTIVE))
    books = ("rq:job:*", "rq:exec*", "rq:wip:*", "rq:failed:*", "rq:finished:*", "rq:results:*")
    found: list[list[bytes]] = []

    def judge(_: int) -> None:
        found.append([key for book in books for key in bell.redis.scan_iter(book)])

    listener(bell, judge).work(burst=True, logging_level="CRITICAL")
    assert found == [[]]


def test_a_judging_that_cannot_begin_does_not_end_the_worker(bell: Bell) -> None:
    """As where the database is away: the reaper rings again when it is back."""
    for number in (7, 8):
        bell.ring(Judging(id=number, priority=Priority.INTERACTIVE))
    judged: list[int] = []

    def judge(number: int) -> None:
        if number == 7:
            raise Unavailable("away")
        judged.append(number)

    listener(bell, judge).work(burst=True, logging_level="CRITICAL")

    assert judged == [8]
    assert bell.queued() == set()


def test_participants_go_before_rejudges(bell: Bell) -> None:
    for number, priority in (
        (7, Priority.REJUDGE),
        (8, Priority.REJUDGE),
        (9, Priority.INTERACTIVE),
    ):
        bell.ring(Judging(id=number, priority=priority))

    assert listen_once(bell) == [9, 7, 8]
