"""The chimes: tell those who wait for a submission that it has changed.

They carry nothing but ids of submissions, on a channel of Redis. Who hears one looks into the
database; one that is lost makes the look late, and nothing else.
"""

import time
from contextlib import suppress
from typing import Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.retry import Retry

_CHANNEL = "adjudge:changed"
_PATIENCE_S = 0.5


class Chimes:
    """The chimes at the Redis of that URL. Safe to share between threads. A Redis that does not
    answer holds nobody up for longer than half a second."""

    def __init__(self, redis_url: str) -> None:
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=_PATIENCE_S,
            socket_connect_timeout=_PATIENCE_S,
            retry=Retry(NoBackoff(), 0),
        )

    def strike(self, submission_id: int) -> None:
        """Tells all who listen now that this submission has changed."""
        with suppress(RedisError, OSError):
            self._redis.publish(_CHANNEL, submission_id)

    def listen(self) -> "Ear":
        """What hears them, for one thread."""
        return Ear(self._redis)

    def close(self) -> None:
        """Closes the connections."""
        self._redis.close()


class Ear:
    """Entered, it hears what is struck from then on, as far as Redis is there."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._subscription: PubSub | None = None

    def __enter__(self) -> Self:
        self._subscribe()
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()

    def hear(self, seconds: float) -> set[int] | None:
        """Waits until submissions change, for so long at most, and returns their ids. None, at
        once, where Redis was away since the last time, and so anything may have changed."""
        deadline = time.monotonic() + seconds
        heard: set[int] = set()
        try:
            if self._subscription is None:
                self._subscribe()
                return None
            while True:
                left = 0 if heard else max(deadline - time.monotonic(), 0)
                message = self._subscription.get_message(timeout=left)
                if message is not None:
                    heard.add(int(message["data"]))
                elif heard or time.monotonic() >= deadline:
                    return heard
        except (RedisError, OSError):
            self._forget()
            return None

    def _subscribe(self) -> None:
        self._subscription = PubSub(self._redis.connection_pool, ignore_subscribe_messages=True)
        try:
            self._subscription.subscribe(_CHANNEL)
        except (RedisError, OSError):
            self._forget()

    def _forget(self) -> None:
        if self._subscription is not None:
            self._subscription.close()
        self._subscription = None
