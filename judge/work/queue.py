"""The bell: tells workers that a judging waits.

RQ on Redis carries nothing but ids of judgings. The database is the truth: everything in Redis may
be lost at any moment, and the reaper rings again for what waits.
"""

import secrets
import socket

from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from rq import Queue, Worker
from rq.serializers import JSONSerializer
from rq.utils import as_text

from judge.store import Priority

JUDGE = "judge.work.worker.judge"
"""The name under which a judging is called for; a worker runs nothing else."""

ORDER = (Priority.INTERACTIVE, Priority.REJUDGE)
"""Queues in the order in which a worker empties them."""


class Bell:
    """Rings for judgings at the Redis of that URL. Safe to share between threads."""

    def __init__(self, redis_url: str) -> None:
        self.redis = connect(redis_url)

    def ring(self, judging_id: int, priority: Priority = Priority.INTERACTIVE) -> bool:
        """Puts a judging in the queue; twice does no harm, it is claimed once. False where
        Redis cannot be reached: nothing is lost, the reaper rings for it later."""
        try:
            queues(self.redis)[ORDER.index(priority)].enqueue_call(
                JUDGE,
                args=(judging_id,),
                job_id=f"judging-{judging_id}-{secrets.token_hex(4)}",
                description=f"judging {judging_id}",
                timeout=-1,
                result_ttl=0,
                failure_ttl=60,
            )
        except (RedisConnectionError, RedisTimeoutError, OSError):
            return False
        return True

    def queued(self) -> set[int]:
        """Ids of the judgings that are in a queue. Raises redis' ConnectionError."""
        jobs = (job for queue in queues(self.redis) for job in queue.get_job_ids())
        return {int(job.split("-")[1]) for job in jobs}

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


def queues(redis: Redis) -> list[Queue]:
    """The queues, in the order in which a worker empties them."""
    return [
        Queue(f"adjudge-{name.value}", connection=redis, serializer=JSONSerializer)
        for name in ORDER
    ]
