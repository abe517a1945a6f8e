"""Finds judgings that nobody works on, and rings for them.

Every worker runs one: as long as anybody can judge, somebody looks. Ringing twice does no harm,
since a judging is claimed once.
"""

import logging
import threading

from redis.exceptions import RedisError

from judge.store import Database, Unavailable, judgings
from judge.work.queue import Bell

_SETTLING_S = 2.0
"""What was admitted just now may be on its way to the queue still."""

log = logging.getLogger(__name__)


class Reaper(threading.Thread):
    """Looks at once when it starts, then every `pause_s` seconds until `stop` is set."""

    def __init__(self, db: Database, bell: Bell, stop: threading.Event, pause_s: float) -> None:
        super().__init__(name="reaper", daemon=True)
        self._db = db
        self._bell = bell
        self._stopping = stop
        self._pause_s = pause_s

    def run(self) -> None:
        while True:
            try:
                reap(self._db, self._bell)
            except Unavailable as error:
                log.warning("cannot look for lost judgings: %s", error.detail)
            except RedisError as error:
                log.warning("cannot look for lost judgings: %s", error)
            except Exception:
                log.exception("looking for lost judgings failed")
            if self._stopping.wait(self._pause_s):
                return


def reap(db: Database, bell: Bell) -> list[int]:
    """Frees judgings of dead workers and rings for all that wait and are in no queue; returns their
    ids."""
    judgings.rescue(db)
    waiting = judgings.waiting(db, _SETTLING_S)
    if not waiting:
        return []
    queued = bell.queued()
    lost = [judging for judging in waiting if judging.id not in queued]
    for judging in lost:
        bell.ring(judging)
    return [judging.id for judging in lost]
