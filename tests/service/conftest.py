"""The whole judge, as `adjudge up` starts it, met over HTTP and by signals."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests
from redis import Redis
from sqlmodel import col, select

from judge.store import Database, Judging, Settings, problems, tokens, users
from judge.work import Shelf

ROOT = Path(__file__).parents[2]
ECHO = "print(input())"
LIVE = frozenset({"pending", "compiling", "judging"})
LEASE_SECONDS = "6"
"""Shorter than an operator's, so that tests wait less for what a killed worker held."""
SLEEP = "import time; print(input(), flush=True); time.sleep(1)"


def wait_until(condition: Callable[[], object], seconds: float = 90) -> None:
    """Looks until it holds. For what another process does, and tells nobody."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(0.02)


def pid_of(worker: str) -> int:
    """The process of a worker, by the worker's name (HOST-PID-RANDOM)."""
    return int(worker.split("-")[-2])


@dataclass
class Live:
    """A running judge with the problem `echo` (three tests, cap 1000), and a user of it."""

    process: psutil.Popen
    settings: Settings
    db: Database
    temporary: Path
    address: str = ""
    token: str = ""
    problem: int = 0
    first_words: list[str] = field(default_factory=list)

    def submit(self, code: str = ECHO, to: int = 0, language: str = "python") -> int:
        """Hands in to the problem of that id, or to `echo`."""
        path = f"problem/{to or self.problem}/submit"
        answer = self.call("POST", path, language=language, code=code)
        assert answer.status_code == 201, answer.text
        return int(answer.json()["id"])

    def call(self, method: str, path: str, **form: str) -> requests.Response:
        return requests.request(
            method,
            f"{self.address}/OnlineJudge/api/v1/{path}",
            data=form,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=30,
        )

    def submission(self, number: int, wait: float = 0) -> dict[str, Any]:
        answer = self.call("GET", f"submission/{number}?wait={wait}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def status(self, number: int, wait: float = 0) -> str:
        return str(self.submission(number, wait)["status"])

    def wait_for(self, number: int, *statuses: str, seconds: float = 90) -> str:
        """Until the submission has one of the statuses."""
        wait = 0 if LIVE & set(statuses) else 2  # asking again and again would slow the judge down
        wait_until(lambda: self.status(number, wait) in statuses, seconds)
        return self.status(number)

    def judgings(self, *numbers: int) -> list[Judging]:
        """Those of these submissions, or all."""
        query = select(Judging).order_by("id")
        if numbers:
            query = query.where(col(Judging.submission_id).in_(numbers))
        with self.db.read() as session:
            return list(session.exec(query))

    def children(self, word: str) -> list[psutil.Process]:
        """The living child processes of that name, or with that word in their command line."""
        found = []
        for child in self.process.children():
            with suppress(psutil.NoSuchProcess):  # zombies too
                if word in (child.name(), *child.cmdline()):
                    found.append(child)
        return found

    def redis(self) -> Redis:
        return Redis.from_url(self.settings.redis)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends the judge by a signal, and returns its exit code."""
        self.process.send_signal(number)
        return int(self.process.wait(60))


@contextmanager
def live(
    home: Path, package: Path, *, workers: int = 2, listen: str = "127.0.0.1:0", **env: str
) -> Iterator[Live]:
    """A judge of its own in that home. It is stopped at the end if it is up still."""
    given = {key: value for key, value in os.environ.items() if not key.startswith("ADJUDGE_")}
    temporary = home.with_name(f"{home.name}.tmp")
    temporary.mkdir(exist_ok=True)
    process = psutil.Popen(
        [sys.executable, "-m", "judge.cli", "up", "--home", str(home), "--listen", listen,
         "--workers", str(workers)],
        env=given | {"TMPDIR": str(temporary), "ADJUDGE_LEASE_SECONDS": LEASE_SECONDS} | env,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )  # fmt: skip
    settings = Settings(home=home, database_url=env.get("ADJUDGE_DATABASE_URL", ""))
    with closing(Database(settings.database)) as db:
        judge = Live(process, settings, db, temporary)
        try:
            for line in process.stdout:
                judge.first_words.append(line.rstrip())
                if "stop" in line:
                    break
            assert judge.first_words, "adjudge up ended without a word"
            judge.address = judge.first_words[1].split()[1]
            _furnish(judge, package)
            yield judge
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(60)
                except psutil.TimeoutExpired:
                    process.kill()
                    raise
            process.stdout.close()


def _furnish(judge: Live, package: Path) -> None:
    name, content = Shelf(judge.settings.packages).put(package)
    judge.problem = problems.put(judge.db, content, name, cap=1000).id
    if not any(user.name == "mina" for user in users.all_users(judge.db)):
        users.add(judge.db, "mina")
    _, judge.token = tokens.create(judge.db, users.find(judge.db, "mina"))


@pytest.fixture(scope="session")
def calm_judge(tmp_path_factory: pytest.TempPathFactory, echo_package: Path) -> Iterator[Live]:
    """A judge that all tests share, and do not hurt."""
    with live(tmp_path_factory.mktemp("calm"), echo_package) as judge:
        yield judge


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def sturdy_judge(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, echo_package: Path
) -> Iterator[Live]:
    """A judge on either database that all tests share; whatever they do to it, it recovers."""
    home = tmp_path_factory.mktemp("sturdy")
    with live(home, echo_package, **_database(request)) as judge:
        yield judge


@pytest.fixture(params=["sqlite", "postgresql"])
def judge(request: pytest.FixtureRequest, tmp_path: Path, echo_package: Path) -> Iterator[Live]:
    """A judge of its own on either database, that the test may end."""
    with live(tmp_path / "home", echo_package, **_database(request)) as judge:
        yield judge


def _database(request: pytest.FixtureRequest) -> dict[str, str]:
    if request.param == "sqlite":
        return {}
    return {"ADJUDGE_DATABASE_URL": request.getfixturevalue("postgresql").create()}
