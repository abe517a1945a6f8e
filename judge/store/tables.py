"""The tables (DESIGN.md section 3). What the store returns are these records, detached."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from judge.model import State, Verdict
from judge.store.columns import Moment, Word


class Role(StrEnum):
    """What a user may do. Operators run the judge, admins also make users and tokens."""

    ADMIN = "admin"
    OPERATOR = "operator"
    PARTICIPANT = "participant"


class Feedback(StrEnum):
    """When a participant sees results of tests: as they come, when the judging is final (and
    none of an aborted one), or never."""

    LIVE = "live"
    FINAL = "final"
    NEVER = "never"


class AbortPolicy(StrEnum):
    """Until when a participant may abort a submission."""

    UNTIL_FINISHED = "until_finished"
    BEFORE_JUDGING = "before_judging"
    NEVER = "never"


class RejudgeState(StrEnum):
    """Whether the results of a rejudge count: not yet, or they never will."""

    OPEN = "open"
    APPLIED = "applied"
    DROPPED = "dropped"


class Priority(StrEnum):
    """Which queue a judging waits in."""

    INTERACTIVE = "interactive"
    REJUDGE = "rejudge"


def utc_now() -> datetime:
    return datetime.now(UTC)


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(Moment(), nullable=nullable, index=index)


def _big(*, nullable: bool = True) -> Column[int]:
    return Column(BigInteger(), nullable=nullable)


class User(SQLModel, table=True):
    """Someone with a name. An agent is a participant that carries `agent`, `model` and `round`."""

    id: int = Field(default=None, primary_key=True)
    name: str = Field(unique=True, max_length=64)
    friendly_name: str
    role: Role = Field(sa_column=Column(Word(Role), nullable=False))
    agent: str | None = None
    model: str | None = None
    round: str | None = None
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())


class Token(SQLModel, table=True):
    """An access token. `digest` is the SHA-256 of the secret, which itself is shown once.

    `problems`: ids of the problems it may touch, None for all.
    """

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id", index=True)
    name: str
    digest: str = Field(unique=True, max_length=64)
    scopes: list[str] = Field(sa_column=Column(JSON, nullable=False))
    problems: list[int] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    expires_at: datetime = Field(sa_column=_moment())
    revoked_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))


class Problem(SQLModel, table=True):
    """A problem. Its text, tests and groups are in the package of that content hash."""

    id: int = Field(default=None, primary_key=True)
    slug: str = Field(unique=True, max_length=100)
    title: str
    package: str = Field(max_length=64)
    languages: list[str] = Field(sa_column=Column(JSON, nullable=False))
    source_bytes: int
    points: float
    released: bool = True
    held: str | None = None
    """Why its submissions wait and none is judged; None where they are judged."""
    worker_group: str = Field(default="", max_length=60)
    """Which workers judge it; empty for those of no group."""
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    updated_at: datetime = Field(default_factory=utc_now, sa_column=_moment())


class Benchmark(SQLModel, table=True):
    """A named set of entries. `definition` is what it was imported from (see judge.results)."""

    id: int = Field(default=None, primary_key=True)
    name: str = Field(unique=True, max_length=100)
    title: str
    definition: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())


class Entry(SQLModel, table=True):
    """Problems that share one cap and one policy; part of a benchmark, or on its own.

    `cap`: submissions that count, per user; None for no cap.
    """

    __tablename__ = "benchmark_entry"

    id: int = Field(default=None, primary_key=True)
    benchmark_id: int | None = Field(default=None, foreign_key="benchmark.id", index=True)
    name: str
    cap: int | None = None
    feedback: Feedback = Field(
        default=Feedback.FINAL, sa_column=Column(Word(Feedback), nullable=False)
    )
    abort: AbortPolicy = Field(
        default=AbortPolicy.UNTIL_FINISHED, sa_column=Column(Word(AbortPolicy), nullable=False)
    )


class EntryProblem(SQLModel, table=True):
    """A problem of an entry. A problem is in one entry at most, so its cap is never in doubt."""

    __tablename__ = "benchmark_problem"

    problem_id: int = Field(primary_key=True, foreign_key="problem.id")
    entry_id: int = Field(foreign_key="benchmark_entry.id", index=True)
    weight: float = 1.0
    full_score: float | None = None


class Submission(SQLModel, table=True):
    """What was handed in, and which judging of it counts.

    What was handed in never changes: a text (in SourceText), or `repository` + `commit`, where
    `repository` is a folder under <home>/git and `url` what the participant wrote.
    `status`, `judging_id` and `charged` follow the judgings: the status shown (State or Verdict),
    the judging it comes from, and whether it spends a slot of the cap.
    """

    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key"),
        Index("ix_submission_user", "user_id", "id"),
        Index("ix_submission_problem", "problem_id", "id"),
        Index("ix_submission_status", "status", "id"),
        Index("ix_submission_language", "language", "id"),
        Index("ix_submission_cap", "entry_id", "user_id", "charged"),
    )

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id")
    problem_id: int = Field(foreign_key="problem.id")
    entry_id: int | None = Field(default=None, foreign_key="benchmark_entry.id")
    language: str = Field(max_length=40)
    url: str | None = None
    repository: str | None = None
    commit: str | None = Field(default=None, max_length=64)
    public: bool = False
    idempotency_key: str | None = Field(default=None, max_length=200)
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    judging_id: int | None = None
    status: str = Field(default=State.PENDING.value, max_length=40)
    charged: bool = True


class SourceText(SQLModel, table=True):
    """The text of a submission, apart from it so that lists stay lean."""

    __tablename__ = "source_text"

    submission_id: int = Field(primary_key=True, foreign_key="submission.id")
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Rejudge(SQLModel, table=True):
    """Judgings that were asked for together, and count together once it is applied."""

    id: int = Field(default=None, primary_key=True)
    reason: str
    state: RejudgeState = Field(sa_column=Column(Word(RejudgeState), nullable=False))
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    closed_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))


class Judging(SQLModel, table=True):
    """One judging of a submission; a rejudge adds one of the next generation.

    `attempt` counts how often a worker took it up. Only the holder of the lease (`lease_token`)
    writes results. Usage as ACMOJ shows it: sums of times, maxima of the rest.
    `counts`: whether the submission shows it once it is finished; not while a rejudge is open.
    """

    __table_args__ = (
        UniqueConstraint("submission_id", "generation"),
        Index("ix_judging_state", "state", "lease_expires"),
    )

    id: int = Field(default=None, primary_key=True)
    submission_id: int = Field(foreign_key="submission.id")
    generation: int
    rejudge_id: int | None = Field(default=None, foreign_key="rejudge.id", index=True)
    counts: bool = True
    priority: Priority = Field(sa_column=Column(Word(Priority), nullable=False))
    worker_group: str = Field(default="", max_length=60)
    package: str = Field(max_length=64)
    attempt: int = 0
    state: State = Field(default=State.PENDING, sa_column=Column(Word(State), nullable=False))
    lease_owner: str | None = None
    lease_token: str | None = Field(default=None, max_length=32)
    lease_expires: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    verdict: Verdict | None = Field(default=None, sa_column=Column(Word(Verdict), nullable=True))
    score: float = 0.0
    message: str = ""
    cpu_ns: int | None = Field(default=None, sa_column=_big())
    wall_ns: int | None = Field(default=None, sa_column=_big())
    memory_bytes: int | None = Field(default=None, sa_column=_big())
    disk_bytes: int | None = Field(default=None, sa_column=_big())
    files: int | None = None
    created_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    started_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))

    @property
    def status(self) -> str:
        """The word to show: the verdict, or how far a live one is."""
        return (self.verdict or self.state).value


class TestRow(SQLModel, table=True):
    """How one test of a judging ended; written as it ends. Figures are None where nothing ran.

    `raw_score`: the checker's own score, where it gave one. `other_cpu_ns` and `other_wall_ns`: the
    times that do not count of a test that was run twice, for the machine was busy.
    `judge_message`: what a validator tells the judges, and no participant.
    """

    __tablename__ = "test_result"

    judging_id: int = Field(primary_key=True, foreign_key="judging.id")
    test: str = Field(primary_key=True, max_length=200)
    verdict: Verdict = Field(sa_column=Column(Word(Verdict), nullable=False))
    score: float
    message: str = ""
    cpu_ns: int | None = Field(default=None, sa_column=_big())
    wall_ns: int | None = Field(default=None, sa_column=_big())
    memory_bytes: int | None = Field(default=None, sa_column=_big())
    disk_bytes: int | None = Field(default=None, sa_column=_big())
    files: int | None = None
    raw_score: float | None = None
    other_cpu_ns: int | None = Field(default=None, sa_column=_big())
    other_wall_ns: int | None = Field(default=None, sa_column=_big())
    judge_message: str | None = Field(default=None, sa_column=Column(Text))


class GroupRow(SQLModel, table=True):
    """How one group of a finished judging ended. `score` is in points."""

    __tablename__ = "group_result"

    judging_id: int = Field(primary_key=True, foreign_key="judging.id")
    position: int = Field(primary_key=True)
    group_id: str
    name: str
    points: float
    verdict: Verdict = Field(sa_column=Column(Word(Verdict), nullable=False))
    score: float
    tests: list[str] = Field(sa_column=Column(JSON, nullable=False))


class Worker(SQLModel, table=True):
    """A worker as it last said it was. `judging_id` is what it judges, None while it is idle;
    `languages` are those that passed its self-test."""

    name: str = Field(primary_key=True, max_length=120)
    host: str
    core: int | None = None
    groups: list[str] = Field(sa_column=Column(JSON, nullable=False))
    languages: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    version: str
    hardware: str
    load: float
    memory_free_bytes: int = Field(sa_column=_big(nullable=False))
    judging_id: int | None = None
    started_at: datetime = Field(default_factory=utc_now, sa_column=_moment())
    seen_at: datetime = Field(default_factory=utc_now, sa_column=_moment(index=True))


class Event(SQLModel, table=True):
    """Who did what to which record. `actor_id` is None where the judge itself did it."""

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(default_factory=utc_now, sa_column=_moment(index=True))
    actor_id: int | None = Field(default=None, foreign_key="user.id")
    action: str = Field(max_length=60)
    record: str = Field(max_length=40)
    record_id: int | None = None
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
