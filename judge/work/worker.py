"""A worker: one process, one slot, kept warm.

RQ's SimpleWorker does the waiting and the taking, in this process and without a fork per job. It
dies of a lost Redis, so it is started again until the worker is told to stop.
"""

import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from judge.grading import Slot
from judge.store import Database, Settings, Unavailable, workers
from judge.work.chimes import Chimes
from judge.work.judging import Bench, Offer
from judge.work.languages import default_cache, languages_offered
from judge.work.presence import Presence
from judge.work.queue import JUDGE, Bell, connect, queues
from judge.work.reaper import Reaper
from judge.work.stock import Stock

GRACE_S = 5.0
"""How long a judging may go on after SIGTERM before it is handed back."""
_RESTART_S = 0.5
_LOOKS = 4
"""How often the reaper looks while a lease runs out."""
_TTL_S = 30
"""RQ asks for jobs again after half of that; a connection that died in silence is noticed then."""

log = logging.getLogger(__name__)


def work(
    settings: Settings, stock: Stock, core: int | None = None, groups: Sequence[str] = ("",)
) -> None:
    """Judges what waits for these worker groups until SIGTERM or SIGINT. Raises GradingError where
    this machine cannot judge."""
    db = Database(settings.database)
    stop = threading.Event()
    owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until the listener takes over
    with Slot(core) as slot, contextlib.suppress(StopRequested):
        with slot.box():
            pass  # a machine that cannot judge must say so now, and not with a submission in hand
        languages = languages_offered(slot, default_cache())
        bell, chimes = Bell(settings.redis), Chimes(settings.redis)
        offer = Offer(languages, bell.ring)
        lease_seconds = settings.lease_seconds
        bench = Bench(db, stock, slot, owner, offer, chimes.strike, lease_seconds)
        Reaper(db, bell, stop, lease_seconds / _LOOKS).start()
        Presence(db, owner, core, groups, languages, stop, lambda: bench.judging_id).start()
        while not stop.is_set():
            redis = connect(settings.redis)
            _listen(redis, queues(redis, groups, languages), owner, bench, stop)
            stop.wait(_RESTART_S)
    with contextlib.suppress(Unavailable):
        workers.leave(db, owner)
    db.close()


def _listen(
    redis: Redis, waiting: Sequence[Queue], owner: str, bench: Bench, stop: threading.Event
) -> None:
    """Takes from these queues until Redis is lost or the worker is to stop."""
    try:
        worker = Listener(
            waiting,
            name=f"{owner}-{secrets.token_hex(4)}",
            connection=redis,
            serializer=JSONSerializer,
            job_class=judging_job(bench.judge),
            log_job_description=False,
            worker_ttl=_TTL_S,
        )
        worker.attach(bench, stop)
        worker.work(logging_level="CRITICAL")
    except (RedisError, StopRequested) as error:
        if not stop.is_set():
            log.warning("Redis is away: %s", error)
    else:
        if not stop.is_set():
            log.warning("the queue was lost; listening again")
    finally:
        redis.close()


def judging_job(judge: Callable[[int], None]) -> type[Job]:
    """The class of the jobs that this worker takes: whatever a job names, it runs `judge` or
    nothing, so that who can write to Redis can still not run code here."""

    class JudgingJob(Job):
        success_callback = failure_callback = stopped_callback = None

        @property
        def func(self) -> Callable[[int], None]:
            if self.func_name != JUDGE:
                raise ValueError(f"a job of an unknown name: {self.func_name!r}")
            return judge

    return JudgingJob


class Listener(SimpleWorker):
    """Takes jobs one by one. A signal ends the waiting at once, and a judging after the grace.

    RQ's books (executions, results, retries) are left out: the database keeps them, and each line
    in them would make a verdict late.
    """

    _judges = False

    def attach(self, bench: Bench, stop: threading.Event) -> None:
        """What to do on a signal."""
        self._bench = bench
        self._stop = stop

    def execute_job(self, job: Job, queue: Queue) -> None:  # noqa: ARG002  (RQ's signature)
        """Judges what the job names. It is forgotten first, so that a worker that is killed leaves
        nothing of it in Redis; one that fails is dropped: the reaper rings again."""
        with contextlib.suppress(RedisError):
            self.connection.delete(job.key)
        self._judges = True
        try:
            job.func(*job.args)
        except Exception:
            log.exception("a job failed: %s", job.id)
        finally:
            self._judges = False

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Says that it is there; in one round trip."""
        if pipeline is not None:
            super().heartbeat(timeout, pipeline)
            return
        with self.connection.pipeline() as together:
            super().heartbeat(timeout, together)
            together.execute()

    def subscribe(self) -> None:
        """RQ's commands (stop a job ...) are not taken: the database says what is aborted."""

    def request_stop(self, signum: int, _frame: FrameType | None) -> None:
        """SIGTERM, SIGINT: the first asks, the second insists."""
        log.info("stopping on %s", signal.Signals(signum).name)
        grace = 0.0 if self._stop.is_set() else GRACE_S
        self._stop.set()
        self._stop_requested = True
        timer = threading.Timer(grace, self._bench.stop)
        timer.daemon = True
        timer.start()
        if not self._judges:
            raise StopRequested
