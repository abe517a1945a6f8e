"""What a request needs besides itself, made once for the application."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from flask import current_app
from redis import Redis

from judge.model import Problem
from judge.store import Database, Priority, Settings
from judge.web.ratelimit import RateLimit
from judge.web.repositories import Repositories
from judge.web.watch import Watch

EXTENSION = "adjudge"


class Ring(Protocol):
    """Tells the workers that the judging of that id waits (`work.Bell.ring`)."""

    def __call__(self, judging_id: int, priority: Priority = ..., /) -> object: ...


Load = Callable[[str], Problem]
"""The problem of a package's content hash (`work.Shelf.get`)."""


@dataclass(frozen=True, slots=True)
class Services:
    """The parts that views work with."""

    settings: Settings
    db: Database
    ring: Ring
    load: Load
    repositories: Repositories
    watch: Watch
    redis: Redis
    rate_limit: RateLimit


def services() -> Services:
    """The services of the application that handles the current request."""
    return cast("Services", current_app.extensions[EXTENSION])
