"""Records to begin with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest

from judge.model import (
    Build,
    Comparison,
    Group,
    Limits,
    Outcome,
    Test,
    TestResult,
    Usage,
    Verdict,
    score,
)
from judge.model import Problem as Package
from judge.store import (
    Database,
    Judging,
    Problem,
    Submission,
    User,
    caps,
    judgings,
    problems,
    submissions,
    users,
)
from judge.store.judgings import Lease
from judge.store.submissions import View

LIMITS = Limits(
    cpu_ns=1_000_000_000,
    wall_ns=3_000_000_000,
    memory_bytes=256 << 20,
    processes=32,
    output_bytes=64 << 20,
    disk_bytes=0,
    files=0,
)
PACKAGE = Package(
    slug="sum",
    title="A + B",
    statement="",
    languages=("cpp", "python", "git"),
    build=Build(limits=LIMITS),
    check=Comparison.LINES,
    tests=(Test("1", LIMITS), Test("2", LIMITS)),
    groups=(Group("1", "All", 100, ("1", "2")),),
    source_bytes=1000,
)

MakeResult = Callable[..., TestResult]
MakeOutcome = Callable[..., Outcome]


@dataclass(frozen=True)
class Desk:
    """A user, a problem with a cap of 5, and short words for what happens to submissions."""

    db: Database
    user: User
    problem: Problem

    def admit(
        self, text: bytes = b"print(3)", key: str | None = None, queue_limit: int | None = None
    ) -> tuple[Submission, Judging]:
        return submissions.admit(
            self.db,
            self.user,
            self.problem,
            "python",
            submissions.Text(text),
            idempotency_key=key,
            queue_limit=queue_limit,
        )

    def claim(self, judging: Judging) -> Lease:
        work = judgings.claim(self.db, judging.id, "the test")
        assert work is not None
        return work.lease

    def view(self, submission: Submission) -> View:
        return submissions.get(self.db, submission.id)

    def used(self) -> int:
        quota = caps.quota(self.db, self.user.id, self.problem.id)
        assert quota is not None
        return quota.used

    def expire(self, judging: Judging) -> None:
        """Let the lease of a judging run out."""
        with self.db.write() as session:
            row = session.get_one(Judging, judging.id)
            assert row.lease_expires is not None
            row.lease_expires -= timedelta(hours=1)


@pytest.fixture
def package() -> Package:
    """A problem of two tests in one group of 100 points."""
    return PACKAGE


@pytest.fixture
def desk(db: Database) -> Desk:
    return Desk(db, users.add(db, "mina"), problems.put(db, PACKAGE, "a" * 64, cap=5))


@pytest.fixture
def result() -> MakeResult:
    """`result(test, verdict, message)`."""

    def make(test: str, verdict: Verdict = Verdict.ACCEPTED, message: str = "") -> TestResult:
        usage = Usage(5_000_000, 6_000_000, 1 << 20, disk_bytes=0, files=0)
        return TestResult(test, verdict, float(verdict is Verdict.ACCEPTED), message, usage)

    return make


@pytest.fixture
def outcome(result: MakeResult) -> MakeOutcome:
    """`outcome(verdict)`: test 1 is accepted, and test 2 ends with that verdict."""

    def make(verdict: Verdict = Verdict.ACCEPTED) -> Outcome:
        return score(PACKAGE.groups, {"1": result("1"), "2": result("2", verdict)})

    return make
