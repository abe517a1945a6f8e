"""What an operator sets, by environment variables that begin with ADJUDGE_."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from judge.store.judgings import LEASE_SECONDS


class Fetch(StrEnum):
    """Which repositories elsewhere may be submitted: none, those at public addresses by https, or
    also those at private addresses and by plain http."""

    NO = "no"
    PUBLIC = "public"
    ANY = "any"


class Settings(BaseSettings):
    """Passed explicitly to whoever needs it; nothing keeps it in a global."""

    model_config = SettingsConfigDict(env_prefix="ADJUDGE_", frozen=True, extra="ignore")

    home: Path = Field(default=Path("var"), description="Folder of everything the judge keeps")
    database_url: str = Field(default="", description="PostgreSQL; SQLite in the home if empty")
    redis_url: str = Field(default="", description="Redis; a private one in the home if empty")
    worker_token: str = Field(default="", repr=False, description="What a remote worker shows")
    listen: str = Field(default="127.0.0.1:8080", description="HOST:PORT of the web server")

    repository_bytes: int = Field(
        default=256 << 20, gt=0, description="The most that one pushed repository may take"
    )

    requests_per_minute: int = Field(
        default=12000, ge=0, description="Requests that each token may make; 0 for no limit"
    )
    lease_seconds: float = Field(
        default=LEASE_SECONDS,
        ge=1,
        le=600,
        description="Silence after which a judging is another worker's",
    )
    queue_limit: int = Field(
        default=10000, ge=1, description="Judgings that may wait; more submissions are put off"
    )
    fetch: Fetch = Field(
        default=Fetch.PUBLIC,
        description="Repositories elsewhere that may be submitted: no, public (https), any",
    )

    @field_validator("database_url")
    @classmethod
    def _is_database(cls, url: str) -> str:
        if url and not url.startswith(("sqlite://", "postgresql://", "postgres://")):
            raise ValueError("it begins with postgresql:// (or sqlite:///, for a file elsewhere)")
        try:
            make_url(url or "sqlite://")
        except (ArgumentError, ValueError):
            raise ValueError("that is no URL of a database") from None
        return url

    @field_validator("redis_url")
    @classmethod
    def _is_redis(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("it begins with redis://, rediss:// or unix://")
        return url

    @property
    def database(self) -> str:
        """The SQLAlchemy URL in force."""
        return self.database_url or f"sqlite:///{self.home.absolute() / 'adjudge.db'}"

    @property
    def redis(self) -> str:
        """The Redis URL in force."""
        return self.redis_url or f"unix://{self.redis_socket}"

    @property
    def redis_socket(self) -> Path:
        return self.run / "redis.sock"

    @property
    def run(self) -> Path:
        """Sockets and lock files of a running judge."""
        return self.home.absolute() / "run"

    @property
    def git(self) -> Path:
        """Hosted repositories: <user>/<repo>.git, bare."""
        return self.home.absolute() / "git"

    @property
    def packages(self) -> Path:
        """Packages by content hash: <hash>/package and <hash>/tests."""
        return self.home.absolute() / "packages"
