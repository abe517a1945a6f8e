"""Two workers on machines of their own (network namespaces), which reach the server, PostgreSQL and
Redis over one cable each."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from judge.model import State
from judge.store import Database, Role, Settings, problems, tokens, users, workers
from judge.work import Bell, Shelf
from tests.service.conftest import LEASE_SECONDS, ROOT, SLEEP, Live, pid_of, wait_until

if TYPE_CHECKING:
    from conftest import Cluster

ADJUDGE = (sys.executable, "-m", "judge.cli")
PATH = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
NETWORK = f"10.213.{os.getpid() % 256}"
"""Of this run alone, as are the names: another may be under way on the same machine."""
SERVER = f"{NETWORK}.1"
BRIDGE = f"adjtest-{os.getpid()}"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@dataclass(frozen=True)
class Machine:
    """A network namespace with a cable (veth) to the server's bridge."""

    number: int

    @property
    def name(self) -> str:
        return f"{BRIDGE}-{self.number}"

    @property
    def cable(self) -> str:
        return f"adj{self.number}-{os.getpid()}"

    def build(self) -> None:
        ip("netns", "add", self.name)
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", self.cable, "master", BRIDGE, "up")
        ip("-n", self.name, "addr", "add", f"{NETWORK}.{10 + self.number}/24", "dev", "eth0")
        ip("-n", self.name, "link", "set", "eth0", "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    def pull_cable(self) -> None:
        ip("link", "set", self.cable, "down")

    def put_cable(self) -> None:
        ip("link", "set", self.cable, "up")

    def take_down(self) -> None:
        for words in (("link", "del", self.cable), ("netns", "del", self.name)):
            with suppress(subprocess.CalledProcessError):
                ip(*words)


@contextmanager
def network() -> Iterator[list[Machine]]:
    machines = [Machine(1), Machine(2)]
    with ExitStack() as stack:
        ip("link", "add", BRIDGE, "type", "bridge")
        stack.callback(ip, "link", "del", BRIDGE)
        ip("addr", "add", f"{SERVER}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for machine in machines:
            stack.callback(machine.take_down)
            machine.build()
        yield machines


@contextmanager
def process(*command: str, env: dict[str, str]) -> Iterator[psutil.Popen]:
    started = psutil.Popen(command, env=PATH | env, cwd=ROOT)
    try:
        yield started
    finally:
        with suppress(psutil.NoSuchProcess):
            started.terminate()
        started.wait(60)


@dataclass
class Remote(Live):
    """A server that listens on the bridge, and the workers of two machines."""

    machines: list[Machine] = field(default_factory=list)
    worker_token: str = ""
    workers: dict[str, psutil.Popen] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        return {
            "ADJUDGE_DATABASE_URL": self.settings.database_url,
            "ADJUDGE_REDIS_URL": self.settings.redis_url,
        }

    def start_workers(self) -> None:
        """Those that a test has killed, too; returns when both are there."""
        for machine in self.machines:
            worker = self.workers.get(machine.name)
            if worker is None or worker.poll() is not None:
                self.workers[machine.name] = psutil.Popen(
                    # Not `ip netns exec`, which hides the control groups under a new /sys.
                    ["nsenter", f"--net=/run/netns/{machine.name}", *ADJUDGE, "worker",
                     "--server", self.address],
                    env=PATH
                    | self.env
                    | {
                        "ADJUDGE_HOME": str(self.temporary / machine.name),
                        "ADJUDGE_LEASE_SECONDS": LEASE_SECONDS,
                        "ADJUDGE_WORKER_TOKEN": self.worker_token,
                    },
                    cwd=ROOT,
                )  # fmt: skip
        wait_until(lambda: self._pids() == {worker.pid for worker in self.workers.values()})

    def _pids(self) -> set[int]:
        return {pid_of(worker.name) for worker, there in workers.all_workers(self.db) if there}

    def stop_workers(self) -> None:
        for worker in self.workers.values():
            if worker.poll() is None:
                worker.terminate()
        for worker in self.workers.values():
            worker.wait(60)


@pytest.fixture(scope="module")
def server(
    modules_postgresql: "Cluster", tmp_path_factory: pytest.TempPathFactory, echo_package: Path
) -> Iterator[Remote]:
    """A server with PostgreSQL and Redis, and two machines with nothing on them yet."""
    folder = tmp_path_factory.mktemp("machines")
    with ExitStack() as stack:
        machines = stack.enter_context(network())
        modules_postgresql.listen(SERVER, f"{NETWORK}.0/24")
        settings = Settings(
            home=folder / "server",
            database_url=modules_postgresql.create().replace(
                f"?host={modules_postgresql.folder}", f"?host={SERVER}"
            ),
            redis_url=f"redis://{SERVER}:17379/0",
            listen=f"{SERVER}:18379",
        )
        db = stack.enter_context(closing(Database(settings.database)))
        db.migrate()
        redis = ("redis-server", "--bind", SERVER, "--port", "17379", "--protected-mode", "no",
                 "--save", "", "--dir", str(folder), "--logfile", "redis.log")  # fmt: skip
        stack.enter_context(process(*redis, env={}))
        env = {
            "ADJUDGE_DATABASE_URL": settings.database_url,
            "ADJUDGE_REDIS_URL": settings.redis_url,
            "ADJUDGE_HOME": str(settings.home),
        }
        web = stack.enter_context(process(*ADJUDGE, "serve", "--listen", settings.listen, env=env))
        address = f"http://{settings.listen}"
        remote = Remote(web, settings, db, folder, address, machines=machines)
        name, content = Shelf(settings.packages).put(echo_package)
        remote.problem = problems.put(db, content, name).id
        _, remote.token = tokens.create(db, users.add(db, "mina"))
        operator = users.add(db, "olga", Role.OPERATOR)
        _, remote.worker_token = tokens.create(db, operator, scopes=["worker"])
        wait_until(lambda: _answers(remote))
        stack.callback(remote.stop_workers)
        yield remote


@pytest.fixture
def remote(server: Remote) -> Remote:
    """With a worker on each of the two machines, which has a home of its own."""
    server.start_workers()
    return server


def _answers(judge: Live) -> bool:
    with suppress(OSError):
        return judge.call("GET", "user/profile").status_code == 200
    return False


def test_workers_elsewhere_judge_texts_and_commits(remote: Remote, tmp_path: Path) -> None:
    numbers = [remote.submit() for _ in range(6)]
    numbers.append(_push_and_submit(remote, tmp_path / "work"))

    for number in numbers:
        remote.wait_for(number, "accepted")

    assert len(remote.call("GET", "meta/runner-status").json()) == 2
    package = problems.get(remote.db, remote.problem).package
    for machine in remote.machines:
        kept = list((remote.temporary / machine.name / "packages").glob(f"*{package}*"))
        assert len(kept) <= 1, "a package is fetched once"


def _push_and_submit(judge: Live, work: Path) -> int:
    work.mkdir()
    (work / "main.py").write_text("print(input())\n")
    (work / "Makefile").write_text(
        "all:\n\tprintf '#!/bin/sh\\nexec /usr/bin/python3 -c \"print(input())\"\\n' > code\n"
        "\tchmod +x code\n"
    )
    url = judge.address.replace("://", f"://mina:{judge.token}@") + "/git/mina/echo.git"
    identity = ("-c", "user.name=mina", "-c", "user.email=mina@example.org")
    for command in (
        ("init", "--quiet"),
        ("add", "."),
        (*identity, "commit", "--quiet", "-m", "first"),
        ("push", "--quiet", url, "HEAD:refs/heads/main"),
    ):
        subprocess.run(["git", *command], cwd=work, check=True, capture_output=True)
    answer = judge.call(
        "POST",
        f"problem/{judge.problem}/submit",
        language="git",
        code=f"{judge.address}/git/mina/echo.git",
    )
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def test_a_cable_is_pulled_in_the_middle(remote: Remote) -> None:
    machines = remote.machines
    numbers = [remote.submit(SLEEP) for _ in range(2)]
    for number in numbers:
        remote.wait_for(number, "judging")

    machines[0].pull_cable()
    for number in numbers:
        remote.wait_for(number, "accepted", seconds=90)
    assert sorted(one.attempt for one in remote.judgings(*numbers)) == [1, 2]
    wait_until(lambda: sum(there for _, there in workers.all_workers(remote.db)) == 1)

    machines[0].put_cable()
    wait_until(lambda: sum(there for _, there in workers.all_workers(remote.db)) == 2)
    later = [remote.submit(SLEEP) for _ in range(4)]
    for number in later:
        remote.wait_for(number, "accepted", seconds=120)
    assert all(one.state is State.FINISHED for one in remote.judgings(*numbers, *later))
    assert Bell(remote.settings.redis).queued() == set()


def test_a_worker_is_killed_while_it_fetches(
    remote: Remote, echo_package: Path, tmp_path: Path
) -> None:
    """The server stands still meanwhile, so that the fetch takes as long as the test wants."""
    shutil.copytree(echo_package.parents[1], tmp_path / "all")
    (tmp_path / "all/problems/echo").rename(tmp_path / "all/problems/new")
    (tmp_path / "all/data/echo").rename(tmp_path / "all/data/new")
    (tmp_path / "all/problems/new/statement.md").write_text("No worker has it yet.\n")
    name, content = Shelf(remote.settings.packages).put(tmp_path / "all/problems/new")
    problem = problems.put(remote.db, content, name).id
    server = [remote.process, *remote.process.children(recursive=True)]
    for worker in remote.workers.values():
        worker.suspend()
    number = remote.submit(to=problem)
    for one in server:
        one.suspend()
    for worker in remote.workers.values():
        worker.resume()
    wait_until(lambda: remote.judgings(number)[0].lease_owner is not None)
    psutil.Process(pid_of(remote.judgings(number)[0].lease_owner or "")).kill()
    for one in server:
        one.resume()

    remote.wait_for(number, "accepted", seconds=60)
    [judging] = remote.judgings(number)
    assert (judging.generation, judging.attempt) == (1, 2)


def test_a_worker_without_the_scope_is_not_let_in(server: Remote, tmp_path: Path) -> None:
    own = {"ADJUDGE_HOME": str(tmp_path / "other"), "ADJUDGE_WORKER_TOKEN": server.token}
    done = subprocess.run(
        [*ADJUDGE, "worker", "--server", server.address],
        env=PATH | server.env | own,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 1
    assert "does not let this worker in" in done.stderr
    assert server.token not in done.stderr
