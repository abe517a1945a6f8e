"""How many requests a token may make in a minute, counted in Redis for all web processes at once.

It keeps a client that runs wild from crowding out the others. Where Redis is away nobody is
refused: the cap of submissions does not depend on it.
"""

import logging
import time

from redis import Redis
from redis.exceptions import RedisError

from judge.web.errors import ApiError

WINDOW_SECONDS = 60

log = logging.getLogger(__name__)


class RateLimit:
    """`per_minute` requests for each token; 0 for no limit."""

    def __init__(self, redis: Redis, per_minute: int) -> None:
        self._redis = redis
        self.per_minute = per_minute

    def count(self, token_id: int) -> None:
        """Count a request. ApiError 429, with Retry-After, where it is one too many."""
        if self.per_minute == 0:
            return
        window, seconds = divmod(int(time.time()), WINDOW_SECONDS)
        key = f"adjudge:requests:{token_id}:{window}"
        try:
            count = self._redis.incr(key)
            if count == 1:
                self._redis.expire(key, 2 * WINDOW_SECONDS)
        except RedisError as error:
            log.warning("requests are not counted: %s", error)
            return
        if count > self.per_minute:
            wait = WINDOW_SECONDS - seconds
            raise ApiError(
                429,
                f"too many requests: {self.per_minute} a minute for each token; wait {wait} s",
                headers={"Retry-After": str(wait)},
            )
