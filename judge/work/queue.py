"""The bell: tells workers that a judging waits.

RQ on Redis carries nothing but ids of judgings. The database is the truth: everything in Redis may
be lost at any moment, and the reaper rings again for what waits.
"""

import secrets
import socket
from collections.abc import Iterable, Sequence

from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from rq import Queue, Worker
from rq.serializers import JSONSerializer
from rq.utils import as_text

from judge.store import Judging, Priority

JUDGE = "judge.work.worker.judge"
"""The name under which a judging is called for; a worker runs nothing else."""

_PREFIX = "adjudge"

ORDER = (Priority.INTERACTIVE, Priority.REJUDGE)
"""What a worker takes first."""


class Bell:
    """Rings for judgings at the Redis of that URL. Safe to share between threads."""

    def __init__(self, redis_url: str) -> None:
        self.redis = connect(redis_url)

    def ring(self, judging: Judging, language: str = "") -> bool:
        """Queues a judging, in front if it was taken up before; with a language, for those workers
        alone that offer it. Twice does no harm: it is claimed once. False where Redis cannot be
        reached: nothing is lost, the reaper rings later.
        """
        try:
            queue(self.redis, judging.worker_group, judging.priority, language).enqueue_call(
                JUDGE,
                args=(judging.id,),
                job_id=f"judging-{judging.id}-{secrets.token_hex(4)}",
                description=f"judging {judging.id}",
                timeout=-1,
                at_front=judging.started_at is not None,
            )
        except (RedisConnectionError, RedisTimeoutError, OSError):
            return False
        return True

    def queued(self) -> set[int]:
        """Ids of the judgings that are in a queue. Raises redis' ConnectionError."""
        waiting = Queue.all(connection=self.redis, serializer=JSONSerializer)
        ours = [queue for queue in waiting if queue.name.startswith(f"{_PREFIX}-")]
        return {int(job.split("-")[1]) for queue in ours for job in queue.get_job_ids()}

    def worker_pids(self) -> set[int]:
        """Processes on this machine that listen. They may have died without a word."""
        here = f"{socket.gethostname()}-"
        names = (as_text(key).rpartition(":")[2] for key in Worker.all_keys(self.redis))
        return {
            int(name.removeprefix(here).partition("-")[0])
            for name in names
            if name.startswith(here)
        }

    def close(self) -> None:
        """Closes the connections."""
        self.redis.close()


def connect(redis_url: str) -> Redis:
    """A client that rides out a restart of Redis of a second or so, and notices within seconds
    when the other end is gone."""
    return Redis.from_url(
        redis_url,
        socket_connect_timeout=5,
        socket_timeout=10,
        retry=Retry(ExponentialBackoff(cap=0.5, base=0.02), retries=3),
        retry_on_error=[RedisConnectionError],
        health_check_interval=30,
    )


def queue(redis: Redis, group: str, priority: Priority, language: str = "") -> Queue:
    """The queue of a worker group and a priority, or that of those in it which wait for a worker
    that offers a language: there a worker puts what it was rung for and cannot judge."""
    name = f"{_PREFIX}-{group or 'default'}-{priority.value}"
    if language:
        name += f"-{language}"
    return Queue(name, connection=redis, serializer=JSONSerializer)


def queues(
    redis: Redis, groups: Sequence[str] = ("",), languages: Iterable[str] = ()
) -> list[Queue]:
    """The queues of some groups, in the order in which their worker empties them; what was handed
    on has waited before."""
    return [
        queue(redis, group, priority, language)
        for priority in ORDER
        for group in groups
        for language in (*languages, "")
    ]
