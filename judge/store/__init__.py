"""What the judge remembers: the tables, and the only code that talks SQL.

One module per noun, used by its name: `users.add(db, ...)`, `submissions.admit(db, ...)`. Records
come back detached: plain data, nothing is loaded behind the caller's back.
"""

from judge.store import (
    benchmarks,
    caps,
    events,
    judgings,
    problems,
    rejudges,
    results,
    scan,
    submissions,
    tokens,
    users,
)
from judge.store.database import Database
from judge.store.errors import (
    CapReached,
    Exists,
    LeaseLost,
    NotFound,
    QueueFull,
    Refused,
    StoreError,
    Unavailable,
)
from judge.store.settings import Settings
from judge.store.tables import (
    AbortPolicy,
    Benchmark,
    Entry,
    Event,
    Feedback,
    GroupRow,
    Judging,
    Priority,
    Problem,
    Rejudge,
    RejudgeState,
    Role,
    Submission,
    TestRow,
    Token,
    User,
)

__all__ = [
    "AbortPolicy",
    "Benchmark",
    "CapReached",
    "Database",
    "Entry",
    "Event",
    "Exists",
    "Feedback",
    "GroupRow",
    "Judging",
    "LeaseLost",
    "NotFound",
    "Priority",
    "Problem",
    "QueueFull",
    "Refused",
    "Rejudge",
    "RejudgeState",
    "Role",
    "Settings",
    "StoreError",
    "Submission",
    "TestRow",
    "Token",
    "Unavailable",
    "User",
    "benchmarks",
    "caps",
    "events",
    "judgings",
    "problems",
    "rejudges",
    "results",
    "scan",
    "submissions",
    "tokens",
    "users",
]
