"""A judge to talk to: a real web server, database, Redis and packages, in a folder of its own."""

import itertools
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask
from werkzeug.serving import make_server

from judge.grading import Slot
from judge.model import State, TestResult, Usage, Verdict, score
from judge.store import (
    Database,
    Judging,
    Problem,
    Role,
    Settings,
    User,
    judgings,
    problems,
    submissions,
    tokens,
    users,
)
from judge.web import create_app
from judge.web.repositories import Repositories
from judge.web.services import EXTENSION
from judge.work import Bell, Chimes, Shelf

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Caller:
    """A user with a token, who speaks HTTP."""

    user: User
    token: str
    address: str
    prefix: str = "/OnlineJudge/api/v1"

    def get(self, path: str, **arguments: Any) -> requests.Response:  # noqa: ANN401
        return self._send("GET", path, arguments)

    def post(self, path: str, **arguments: Any) -> requests.Response:  # noqa: ANN401
        return self._send("POST", path, arguments)

    def _send(self, method: str, path: str, arguments: dict[str, Any]) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}"} | arguments.pop("headers", {})
        prefix = "" if path.startswith("/OnlineJudge") else arguments.pop("prefix", self.prefix)
        url = self.address + prefix + path
        return requests.request(
            method, url, headers=headers, timeout=30, allow_redirects=False, **arguments
        )

    def submit(self, problem: Problem, language: str = "python", code: str = "pass") -> int:
        answer = self.post(
            f"/problem/{problem.id}/submit", data={"language": language, "code": code}
        )
        assert answer.status_code == 201, answer.text
        return int(answer.json()["id"])

    def submission(self, number: int) -> dict[str, Any]:
        answer = self.get(f"/submission/{number}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def git_url(self, repository: str) -> str:
        """With the token in it, as somebody may type it who trusts the machine."""
        scheme, rest = self.address.split("://")
        return f"{scheme}://{self.user.name}:{self.token}@{rest}/git/{self.user.name}/{repository}"


@dataclass(frozen=True)
class ServedJudge:
    """A running judge without workers: a test plays the worker, with the store's own functions."""

    address: str
    settings: Settings
    db: Database
    folder: Path
    repositories: Repositories
    app: Flask
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def caller(self, role: Role = Role.PARTICIPANT, **token: Any) -> Caller:  # noqa: ANN401
        """A new user; `token` are arguments of `tokens.create`."""
        user = users.add(self.db, f"user{next(self._numbers)}", role)
        return self.token_of(user, **token)

    def token_of(self, user: User, **token: Any) -> Caller:  # noqa: ANN401
        _, secret = tokens.create(self.db, user, **token)
        return Caller(user, secret, self.address)

    def problem(self, name: str = "sum", **put: Any) -> Problem:  # noqa: ANN401
        """A sample problem under a slug of its own; `put` are arguments of `problems.put`."""
        slug = f"{name}-{next(self._numbers)}"
        package = self.folder / "problems" / slug
        shutil.copytree(ROOT / "problems" / name, package)
        shutil.copytree(ROOT / "data" / name, self.folder / "data" / slug)
        content_hash, content = Shelf(self.settings.packages).put(package)
        return problems.put(self.db, content, content_hash, **put)

    def begin(self, submission_id: int) -> judgings.Lease:
        """Take the submission up, as a worker does."""
        work = judgings.claim(self.db, self._judging(submission_id).id, "the test")
        assert work is not None
        return work.lease

    def record(self, lease: judgings.Lease, test: str, verdict: Verdict) -> None:
        """Enter judging, and end one test."""
        judgings.enter(self.db, lease, State.JUDGING)
        judgings.record(self.db, lease, [_result(test, verdict)])

    def finish(self, submission_id: int, verdict: Verdict = Verdict.ACCEPTED) -> None:
        """Judge a submission to its end: every test gets the verdict."""
        self.finish_judging(self._judging(submission_id).id, verdict)

    def finish_judging(self, judging_id: int, verdict: Verdict) -> None:
        """As `finish`, of a judging that does not count yet, too."""
        work = judgings.claim(self.db, judging_id, "the test")
        assert work is not None
        package = Shelf(self.settings.packages).get(work.package)
        results = {test.id: _result(test.id, verdict) for test in package.tests}
        outcome = score(package.groups, results)
        judgings.finish(self.db, work.lease, outcome, list(results.values()))

    def _judging(self, submission_id: int) -> Judging:
        return submissions.get(self.db, submission_id).judging


def _result(test: str, verdict: Verdict) -> TestResult:
    usage = Usage(
        cpu_ns=10_400_000, wall_ns=12_000_000, memory_bytes=1 << 20, disk_bytes=0, files=0
    )
    return TestResult(test, verdict, float(verdict is Verdict.ACCEPTED), "", usage)


@contextmanager
def redis_at(socket: Path) -> Iterator[None]:
    """A redis-server on that socket, which is killed at the end."""
    server = subprocess.Popen(
        [
            *("setpriv", "--pdeathsig", "KILL", "--", "redis-server", "--port", "0"),
            *("--unixsocket", str(socket), "--save", ""),
        ],
        stdout=subprocess.PIPE,
        text=True,
        cwd=socket.parent,
    )
    assert server.stdout is not None
    assert any("ready to accept connections" in line.lower() for line in server.stdout)
    yield
    server.kill()
    server.wait()
    server.stdout.close()


@pytest.fixture(scope="session")
def slot() -> Iterator[Slot]:
    """A place to judge in, and to run other things in the sandbox."""
    with Slot() as slot:
        yield slot


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A redis-server of the tests' own, on a socket."""
    socket = tmp_path_factory.mktemp("redis") / "redis.sock"
    with redis_at(socket):
        yield f"unix://{socket}"


@contextmanager
def serve(folder: Path, **settings: Any) -> Iterator[ServedJudge]:  # noqa: ANN401
    """A judge in that folder; `settings` are those of an operator."""
    given = Settings(home=folder / "var", **settings)
    db = Database(given.database)
    db.migrate()
    app = create_app(
        given,
        ring=Bell(given.redis).ring,
        chimes=Chimes(given.redis),
        shelf=Shelf(given.packages),
    )
    repositories = app.extensions[EXTENSION].repositories
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    yield ServedJudge(address, given, db, folder, repositories, app)
    server.shutdown()
    thread.join()
    server.server_close()
    db.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[ServedJudge]:
    """A running judge, shared by the tests of a module: each makes its own users and problems."""
    with serve(tmp_path_factory.mktemp("judge"), redis_url=redis_url) as judge:
        yield judge


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served_on_both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, redis_url: str
) -> Iterator[ServedJudge]:
    """The same, on one database after the other."""
    database = ""
    if request.param == "postgresql":
        database = request.getfixturevalue("postgresql").create()
    folder = tmp_path_factory.mktemp("judge")
    with serve(folder, redis_url=redis_url, database_url=database) as judge:
        yield judge
