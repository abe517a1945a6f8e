"""What a request needs besides itself, made once for the application."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from flask import current_app
from redis import Redis

from judge.model import Problem
from judge.store import Database, Judging, Settings
from judge.web.ratelimit import RateLimit
from judge.web.repositories import Repositories
from judge.web.watch import Watch

EXTENSION = "adjudge"


class Ring(Protocol):
    """Tells the workers that a judging waits (`work.Bell.ring`)."""

    def __call__(self, judging: Judging, /) -> object: ...


class Shelf(Protocol):
    """Packages by their content hash (`work.Shelf`)."""

    def get(self, name: str, /) -> Problem: ...

    def put(self, package: Path, tests: Path, problem: Problem, /) -> tuple[str, Problem]: ...


@dataclass(frozen=True, slots=True)
class Services:
    """The parts that views work with."""

    settings: Settings
    db: Database
    ring: Ring
    shelf: Shelf
    repositories: Repositories
    watch: Watch
    redis: Redis
    rate_limit: RateLimit


def services() -> Services:
    """The services of the application that handles the current request."""
    return cast("Services", current_app.extensions[EXTENSION])
