"""Random kills under load: submissions accepted, judged, judged twice, lost.

Every few seconds a worker, the web server or Redis is killed with SIGKILL, Redis forgets all it
holds, or the whole judge is stopped and started again. An answer of 201 is a promise; a client that
got none sends the same idempotency key again.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import psutil
import requests
from redis import Redis
from redis.exceptions import RedisError
from sqlmodel import select

from judge.model import Verdict
from judge.store import Database, Judging, Settings, problems, tokens, users
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
tests = ["1..2"]
"""
SOURCE = "import time; print(input(), flush=True); time.sleep({seconds})"
STUCK_SECONDS = 60.0
"""How long nothing may move before the rest counts as lost: leases run out meanwhile."""
DEEDS = ("worker", "worker", "worker", "judge.cli.server", "redis-server", "flush", "all")
"""What may happen; a worker is killed more often than the rest."""


class Soak:
    """A judge that is hurt, and clients that do not give up."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.settings = Settings(home=folder / "home", listen="127.0.0.1:0")
        self.folder = folder
        self.dice = random.Random(seed)  # noqa: S311
        self.accepted: set[int] = set()
        self.kills: Counter[str] = Counter()
        self.over = threading.Event()
        self.address = ""
        self.judge = self._start()
        self._furnish()

    def _start(self) -> psutil.Popen:
        log = (self.folder / "judge.log").open("a")
        judge = psutil.Popen(
            [sys.executable, "-m", "judge.cli", "up", "--home", str(self.settings.home),
             "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT,
        )  # fmt: skip
        for line in judge.stdout:
            if "address" in line:
                self.address = line.split()[1]
            if "stop" in line:
                return judge
        raise SystemExit(f"the judge did not start; see {log.name}")

    def _furnish(self) -> None:
        package, tests = self.folder / "problems" / "echo", self.folder / "data" / "echo"
        package.mkdir(parents=True)
        tests.mkdir(parents=True)
        (package / "problem.toml").write_text(PACKAGE)
        (package / "statement.md").write_text("Print the line.\n")
        for test in "12":
            (tests / f"{test}.in").write_text(f"{test}\n")
            (tests / f"{test}.ans").write_text(f"{test}\n")
        name, content = Shelf(self.settings.packages).put(package)
        with closing(Database(self.settings.database)) as db:
            self.problem = problems.put(db, content, name).id
            _, self.token = tokens.create(db, users.add(db, "mina"))

    def submit_for_ever(self, client: int) -> None:
        dice = random.Random(client)  # noqa: S311
        sent = 0
        while not self.over.is_set():
            sent += 1
            number = self._submit(f"{client}-{sent}", SOURCE.format(seconds=dice.random() / 2))
            if number is not None:
                self.accepted.add(number)
            self.over.wait(dice.random() * 3)

    def _submit(self, key: str, source: str) -> int | None:
        """The id of the submission: asked for until there is an answer."""
        while True:
            with suppress(requests.RequestException):
                answer = requests.post(
                    f"{self.address}/api/v1/problem/{self.problem}/submit",
                    data={"language": "python", "code": source},
                    headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": key},
                    timeout=10,
                )
                if answer.status_code == 201:
                    return int(answer.json()["id"])
                if answer.status_code not in {429, 503}:
                    raise SystemExit(f"submit answered {answer.status_code}: {answer.text}")
            if self.over.wait(0.3) and not self.judge.is_running():
                return None

    def hurt(self) -> None:
        """Kills something."""
        deed = self.dice.choice(DEEDS)
        self.kills[deed] += 1
        match deed:
            case "flush":
                with suppress(RedisError, OSError):
                    Redis.from_url(self.settings.redis).flushall()
            case "all":
                self.judge.send_signal(self.dice.choice([signal.SIGTERM, signal.SIGKILL]))
                children = self.judge.children(recursive=True)
                self.judge.wait(60)
                psutil.wait_procs(children, 30)
                self.judge = self._start()
            case _:
                victims = [child for child in self.judge.children() if _is(child, deed)]
                if victims:
                    self.dice.choice(victims).kill()

    def finish(self) -> dict[str, int]:
        """Waits until all is judged, or nothing moves any more; then counts."""
        with closing(Database(self.settings.database)) as db:
            moved, count = time.monotonic(), 0
            while True:
                with db.read() as session:
                    rows = session.exec(select(Judging)).all()
                done = [row for row in rows if row.verdict is not None]
                if len(done) > count:
                    moved, count = time.monotonic(), len(done)
                if len(done) == len(rows) or time.monotonic() > moved + STUCK_SECONDS:
                    break
                time.sleep(0.5)
        judged = Counter(row.submission_id for row in done)
        return {
            "accepted": len(self.accepted),
            "judged": len(self.accepted & set(judged)),
            "judged twice": sum(times > 1 for times in judged.values()),
            "lost": len(self.accepted - set(judged)),
            "not promised": len(set(judged) - self.accepted),
            "wrong": sum(row.verdict is not Verdict.ACCEPTED for row in done),
            "attempts": sum(row.attempt for row in rows),
        }


def _is(child: psutil.Process, word: str) -> bool:
    with suppress(psutil.NoSuchProcess):
        return word in (child.name(), *child.cmdline())
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="adjudge-soak-") as folder:
        soak = Soak(Path(folder), arguments.seed)
        clients = [
            threading.Thread(target=soak.submit_for_ever, args=(number,), daemon=True)
            for number in range(arguments.clients)
        ]
        for client in clients:
            client.start()
        end = time.monotonic() + arguments.minutes * 60
        while time.monotonic() < end:
            time.sleep(soak.dice.uniform(1, 8))
            soak.hurt()
            print(
                f"\r{max(end - time.monotonic(), 0):4.0f} s left, {len(soak.accepted)} accepted,"
                f" {soak.kills.total()} kills ", end="", file=sys.stderr, flush=True,
            )  # fmt: skip
        soak.over.set()
        for client in clients:
            client.join(30)
        print("\nwaiting for the rest", file=sys.stderr)
        counts = soak.finish()
        soak.judge.terminate()
        soak.judge.wait(60)
        if os.environ.get("SOAK_KEEP"):
            Path(os.environ["SOAK_KEEP"]).write_text((Path(folder) / "judge.log").read_text())
    counts["kills"] = soak.kills.total()
    if arguments.json:
        print(json.dumps({**counts, "seed": arguments.seed, "kinds": dict(soak.kills)}))
    else:
        for name, count in counts.items():
            print(f"{name:14}{count:8}")
        print(f"kinds of kills: {dict(soak.kills)}, seed {arguments.seed}")
    fine = counts["judged"] == counts["accepted"] > 0
    return 0 if fine and counts["judged twice"] == counts["lost"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
