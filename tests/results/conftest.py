"""What tests of results share: rows are short to write, and ProjDevBench's registry is at hand."""

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pydantic import SecretStr

from judge.cli.main import adjudge
from judge.grading import Slot
from judge.model import Group, Outcome, Verdict
from judge.model.score import GroupResult
from judge.packages import load
from judge.results.review.definition import Rule
from judge.results.review.desk import open_desk
from judge.results.review.rules import check
from judge.results.review.settings import Provider, ReviewSettings
from judge.results.scoring.rows import Participant, Row
from judge.store import Database, Problem, User, judgings, problems, submissions, users
from tests.results.endpoint import KEY, Endpoint, serve_endpoint
from tests.results.repositories import Check, Files, Finding, Repository

ROOT = Path(__file__).parents[2]
REGISTRY = ROOT.parent / "shared/projdevbench/registry.json"


@pytest.fixture
def projdevbench() -> Path:
    """The registry of the public benchmark; its data is never part of the project."""
    if not REGISTRY.exists():
        message = f"{REGISTRY} is absent: the public benchmark's registry lies beside the checkout"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return REGISTRY


@pytest.fixture
def row() -> Callable[..., Row]:
    """`row(17, 2510, 80)`: a submission's id, its problem of the judge, its raw score."""

    def make(
        submission: int,
        judge_id: int,
        score: float,
        verdict: Verdict = Verdict.WRONG_ANSWER,
        *,
        problem: str = "001",
        who: Participant = Participant("codex", "gpt"),  # noqa: B008  (frozen)
    ) -> Row:
        return Row(who, problem, judge_id, submission, verdict, score)

    return make


@dataclass
class Archive:
    """A database without a judge around it: tests hand in and settle by the store's functions."""

    db: Database
    folder: Path
    numbers: Iterator[int]

    def problem(self, slug: str) -> Problem:
        package = replace(load(ROOT / "problems/sum"), slug=slug, title=slug.title())
        return problems.put(self.db, package, "0" * 64)

    def participant(self, agent: str, model: str, round_: str = "1") -> User:
        name = f"{agent}-{next(self.numbers)}"
        return users.add(self.db, name, agent=agent, model=model, round=round_)

    def submit(
        self,
        user: User,
        problem: Problem,
        score: float | None,
        verdict: Verdict = Verdict.WRONG_ANSWER,
        message: str = "",
    ) -> int:
        """A submission that was judged; None leaves it waiting."""
        text = submissions.Text(b"int main() {}")
        submission, judging = submissions.admit(self.db, user, problem, "cpp", text)
        if score is not None:
            work = judgings.claim(self.db, judging.id, "the test")
            assert work is not None
            group = GroupResult(Group("1", "All", 100, ("1",)), verdict, score, ())
            judgings.finish(self.db, work.lease, Outcome(verdict, score, message, (group,)))
        return submission.id


@pytest.fixture
def archive(db: Database, tmp_path: Path) -> Archive:
    return Archive(db, tmp_path, itertools.count(1))


@pytest.fixture
def run(
    archive: Archive, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """`adjudge` with these words, on the test's database."""
    monkeypatch.setenv("ADJUDGE_HOME", str(archive.folder))
    monkeypatch.setenv("ADJUDGE_DATABASE_URL", database_url)

    def call(*words: str | Path) -> Result:
        return CliRunner().invoke(adjudge, [str(word) for word in words])

    return call


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    folder = tmp_path / "repository"
    folder.mkdir()
    return Repository(folder)


@pytest.fixture
def findings(repository: Repository, slot: Slot) -> Check:
    """The findings of one rule on a repository with these files."""

    def call(rule: Rule, files: Files) -> list[Finding]:
        with open_desk(repository.commit(files), slot) as desk:
            (outcome,) = check(desk, [rule])
        assert outcome.passed == (not outcome.findings)
        return [(one.file, one.line, one.message) for one in outcome.findings]

    return call


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serve_endpoint() as endpoint:
        yield endpoint


@pytest.fixture(params=list(Provider), ids=str)
def settings(request: pytest.FixtureRequest, endpoint: Endpoint) -> ReviewSettings:
    suffix = "/v1" if request.param is Provider.OPENAI else ""
    return ReviewSettings(
        provider=request.param,
        base_url=endpoint.address + suffix,
        api_key=SecretStr(KEY),
        model="m",
        samples=3,
        attempts=2,
        retries=2,
        timeout_s=20,
        input_price=2,
        output_price=10,
    )
