"""The numbers of the service (issue "The service"): latency, slots, load, lists, waiting clients.

Each is measured on a judge of its own, started as an operator starts it, over HTTP.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import psutil
import urllib3
from rich.console import Console
from rich.table import Table
from sqlalchemy import text

from judge.model import State
from judge.store import Database, Settings, problems, submissions, tokens, users
from judge.work import Shelf

ROOT = Path(__file__).parents[1]
PACKAGE = """
title = "Echo"
languages = ["python"]
[limits]
time = "10s"
memory = "64MiB"
[[group]]
name = "All"
points = 100
tests = ["1"]
"""
ECHO = "print(input())"
BUSY = (
    "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n" + ECHO
)
SLEEP = "import time\nprint(input(), flush=True)\ntime.sleep(9)"

BEGIN = (
    """INSERT INTO user (id, name, friendly_name, role, created_at)
    VALUES (1, 'mina', 'Mina', 'participant', '2031-01-01 00:00:00')""",
    """INSERT INTO problem (id, slug, title, package, languages, source_bytes, points, released,
        created_at, updated_at)
    VALUES (1, 'sum', 'Sum', '', '[]', 0, 0, 1, '2031-01-01 00:00:00', '2031-01-01 00:00:00')""",
)
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last) "
FILL = (
    """INSERT INTO submission (id, user_id, problem_id, language, public, created_at, judging_id,
        status, charged)
    SELECT i, 1, 1, 'python', 0, '2031-01-01 00:00:00', i,
        CASE i % 4 WHEN 0 THEN 'accepted' ELSE 'wrong_answer' END, 1 FROM n""",
    """INSERT INTO judging (id, submission_id, generation, counts, priority, package, attempt,
        state, verdict, score, message, created_at)
    SELECT i, i, 1, 1, 'interactive', '', 1, 'finished', 'accepted', 100, '',
        '2031-01-01 00:00:00' FROM n""",
)


@dataclass(frozen=True)
class Figure:
    """A measured number and what it may be."""

    what: str
    value: float
    budget: float
    unit: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        return self.value >= self.budget if self.at_least else self.value <= self.budget


class Judge:
    """A judge that is up, and a user of it."""

    def __init__(self, home: Path, workers: int) -> None:
        self.settings = Settings(home=home)
        self.process = psutil.Popen(
            [sys.executable, "-m", "judge.cli", "up", "--home", str(home),
             "--listen", "127.0.0.1:0", "--workers", str(workers)],
            stdout=subprocess.PIPE, stderr=(home.parent / "log").open("w"), text=True, cwd=ROOT,
        )  # fmt: skip
        self.address = ""
        for line in self.process.stdout:
            if "address" in line:
                self.address = line.split()[1]
            if "stop" in line:
                break
        self.db = Database(self.settings.database)
        self._furnish(home.parent)

    def _furnish(self, folder: Path) -> None:
        package, tests = folder / "problems" / "echo", folder / "data" / "echo"
        package.mkdir(parents=True)
        tests.mkdir(parents=True)
        (package / "problem.toml").write_text(PACKAGE)
        (package / "statement.md").write_text("Print the line.\n")
        (tests / "1.in").write_text("1\n")
        (tests / "1.ans").write_text("1\n")
        name, content = Shelf(self.settings.packages).put(package)
        self.problem = problems.put(self.db, content, name).id
        self.user = users.add(self.db, "mina")

    def client(self) -> "Client":
        """With a token of its own, as rates are limited per token."""
        _, secret = tokens.create(self.db, self.user)
        return Client(f"{self.address}/api/v1", secret)

    def submit(self, client: "Client", code: str = ECHO) -> int:
        form = {"language": "python", "code": code}
        return int(client.ask("POST", f"/problem/{self.problem}/submit", form)["id"])

    def wait(self, client: "Client", number: int) -> str:
        while True:
            found = client.ask("GET", f"/submission/{number}?wait=30")
            if not found["should_auto_reload"]:
                return str(found["status"])

    def memory_bytes(self) -> int:
        """Of the web server's processes, what is theirs alone."""
        web = [child for child in self.process.children() if "judge.cli.server" in child.cmdline()]
        family = web + [child for parent in web for child in parent.children(recursive=True)]
        return sum(process.memory_full_info().uss for process in family)


class Client:
    """Asks a judge. It shares the machine with what is measured, so it takes little of it."""

    def __init__(self, address: str, secret: str) -> None:
        self._address = address
        headers = {
            "Authorization": f"Bearer {secret}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._pool = urllib3.PoolManager(maxsize=32, headers=headers, retries=False)

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> dict[str, Any]:
        """The answer. HTTPError where there is none, or one that is not 2xx."""
        body = urlencode(form) if form else None
        answer = self._pool.urlopen(method, self._address + path, body=body, timeout=60)
        if answer.status >= 300:
            raise urllib3.exceptions.HTTPError(f"{answer.status}: {answer.data!r}")
        return cast("dict[str, Any]", answer.json())


@contextmanager
def judge(workers: int = 2) -> Iterator[Judge]:
    with tempfile.TemporaryDirectory(prefix="adjudge-bench-") as folder:
        started = Judge(Path(folder) / "home", workers)
        try:
            yield started
        finally:
            started.db.close()
            started.process.terminate()
            started.process.wait(60)


def latency(rounds: int) -> list[Figure]:
    """HTTP submit to final verdict, one test, Python, one after the other."""
    with judge() as it:
        client = it.client()
        times = []
        for number in range(rounds + 5):
            if number % 50 == 0:
                client = it.client()
            start = time.perf_counter()
            status = it.wait(client, it.submit(client))
            took = time.perf_counter() - start
            assert status == "accepted", status
            if number >= 5:
                times.append(took * 1000)
    hundredths = statistics.quantiles(times, n=100)
    return [
        Figure("submit to verdict, p50", hundredths[49], 80, "ms"),
        Figure("submit to verdict, p95", hundredths[94], 200, "ms"),
    ]


def slots(count: int) -> list[Figure]:
    """Submissions that burn 0.2 s of CPU, with one worker and with two; so many that the beginning
    and the end, where a slot has nothing to do, weigh little."""
    rates = []
    for workers in (1, 2):
        with judge(workers) as it:
            client = it.client()
            it.wait(client, it.submit(client))
            start = time.perf_counter()
            numbers = [it.submit(client, BUSY) for _ in range(count)]
            for number in numbers:
                assert it.wait(client, number) == "accepted"
            rates.append(count / (time.perf_counter() - start))
    return [Figure("two slots against one", rates[1] / rates[0], 1.8, "x", at_least=True)]


def load(seconds: float, rate: float) -> list[Figure]:
    """Submits at a steady rate while pages poll; whatever is no 2xx is an error."""
    errors: list[str] = []
    with judge() as it:
        over = threading.Event()

        def tell(action: Callable[[], object]) -> None:
            try:
                action()
            except urllib3.exceptions.HTTPError as error:
                errors.append(str(error))

        def poll() -> None:
            while not over.is_set():
                client = it.client()
                for _ in range(20):
                    tell(partial(client.ask, "GET", "/submission/"))
                    over.wait(0.5)

        pollers = [threading.Thread(target=poll) for _ in range(4)]
        for poller in pollers:
            poller.start()
        clients = [it.client() for _ in range(int(seconds * rate / 20) + 1)]
        start = time.perf_counter()
        with ThreadPoolExecutor(32) as pool:
            for number in range(int(seconds * rate)):
                time.sleep(max(0, start + number / rate - time.perf_counter()))
                pool.submit(tell, partial(it.submit, clients[number // 20]))
        took = time.perf_counter() - start
        over.set()
        for poller in pollers:
            poller.join()
    return [
        Figure("submits under load", seconds * rate / took, 0.98 * rate, "/s", at_least=True),
        Figure("errors under load", len(errors), 0, ""),
    ]


def lists(small: int, large: int) -> list[Figure]:
    """A page of the submission list, with few rows and with many; the same page, warm."""
    medians = []
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Database(f"sqlite:///{folder}/list.db")) as db,
    ):
        db.migrate()
        _fill(db, 1, small)
        medians.append(_page_ms(db))
        _fill(db, small + 1, large)
        medians.append(_page_ms(db))
    return [Figure(f"list of {large:,} rows against {small:,}", medians[1] / medians[0], 1.5, "x")]


def _fill(db: Database, first: int, last: int) -> None:
    with db.write() as session:
        run = session.connection().execute
        if first == 1:
            for statement in BEGIN:
                run(text(statement))
        for statement in FILL:
            run(text(NUMBERS + statement), {"first": first, "last": last})


def _page_ms(db: Database) -> float:
    """The first page, one further back, one of a user and one of a status, together."""
    times = []
    for _ in range(60):
        start = time.perf_counter()
        pages = (
            submissions.page(db),
            submissions.page(db, cursor=5000),
            submissions.page(db, username="mina"),
            submissions.page(db, status="accepted"),
        )
        times.append((time.perf_counter() - start) * 1000)
        assert all(len(page.views) == submissions.PAGE for page in pages)
    return statistics.median(times[10:])


def waiters(count: int) -> list[Figure]:
    """Clients that wait for a submission that takes long, while another is served."""
    with judge(1) as it:
        client = it.client()
        number = it.submit(client, SLEEP)
        while it.db.is_sqlite and submissions.get(it.db, number).judging.state is State.PENDING:
            time.sleep(0.05)
        before = it.memory_bytes()
        secrets = [tokens.create(it.db, it.user)[1] for _ in range(count // 10 + 1)]
        host = it.address.removeprefix("http://")
        command = [sys.executable, "-P", __file__, "--wait-with", host, str(number), str(count)]
        waiting = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        waiting.stdin.write("\n".join(secrets) + "\n")
        waiting.stdin.close()
        assert waiting.stdout.readline() == "all wait\n"
        grown = it.memory_bytes() - before
        times = []
        for _ in range(20):
            start = time.perf_counter()
            client.ask("GET", "/user/profile")
            times.append((time.perf_counter() - start) * 1000)
        answers = json.loads(waiting.stdout.read())
    return [
        Figure(f"memory of {count} waiting clients", grown / 2**20, 200, "MiB"),
        Figure("a request while they wait, p50", statistics.median(times), 500, "ms"),
        Figure("waiting clients not answered", count - answers, 0, ""),
    ]


def wait_with(host: str, number: str, count: int) -> int:
    """Opens that many connections that wait, says so, and counts the answers."""
    import selectors
    import socket

    secrets = sys.stdin.read().split()
    name, _, port = host.rpartition(":")
    selector = selectors.DefaultSelector()
    for client in range(count):
        connection = socket.create_connection((name, int(port)))
        secret = secrets[client % len(secrets)]
        connection.sendall(
            (
                f"GET /api/v1/submission/{number}?wait=30 HTTP/1.1\r\nHost: {host}\r\n"
                f"Authorization: Bearer {secret}\r\nConnection: close\r\n\r\n"
            ).encode()
        )
        selector.register(connection, selectors.EVENT_READ)
    time.sleep(2)
    print("all wait", flush=True)
    answers = 0
    end = time.monotonic() + 40
    while selector.get_map() and time.monotonic() < end:
        for key, _ in selector.select(1):
            data = key.fileobj.recv(65536)  # type: ignore[union-attr]
            answers += data.startswith(b"HTTP/1.1 200")
            if not data:
                selector.unregister(key.fileobj)
    print(answers)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller numbers, for a look")
    parser.add_argument("--only", choices=["latency", "slots", "load", "lists", "waiters"])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--wait-with", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.wait_with:
        host, number, count = arguments.wait_with
        return wait_with(host, number, int(count))
    quick = arguments.quick
    parts: dict[str, Callable[[], list[Figure]]] = {
        "latency": lambda: latency(50 if quick else 300),
        "slots": lambda: slots(20 if quick else 120),
        "load": lambda: load(10 if quick else 60, 50),
        "lists": lambda: lists(10_000, 100_000 if quick else 1_000_000),
        "waiters": lambda: waiters(200 if quick else 1000),
    }
    busy = os.getloadavg()[0]
    figures = []
    for name, measure in parts.items():
        if arguments.only in {None, name}:
            print(f"measuring {name} ...", file=sys.stderr)
            figures += measure()
    if arguments.json:
        print(json.dumps([asdict(figure) | {"met": figure.is_met} for figure in figures]))
    else:
        table = Table(box=None, header_style="bold")
        for column in ("what", "measured", "budget", ""):
            table.add_column(column)
        for one in figures:
            sign = ">=" if one.at_least else "<="
            table.add_row(
                one.what,
                f"{one.value:.2f} {one.unit}",
                f"{sign} {one.budget:g} {one.unit}",
                "ok" if one.is_met else "MISSED",
            )
        Console(width=100).print(table)
        print(f"load of the machine before: {busy:.1f} on {os.cpu_count()} cores")
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
