"""The samples of script/demo: each is pushed or sent through the client, and judged for real."""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
MIB = 1 << 20


@dataclass(frozen=True)
class Sample:
    """A solution of a sample problem, and the status it must get."""

    problem: str
    solution: str
    status: str

    @property
    def path(self) -> Path:
        return ROOT / "problems" / self.problem / "solutions" / self.solution


SAMPLES = [
    # The longest first, so that no worker waits for one of them at the end.
    Sample("ring", "memory_leak/keeps_slots.hpp", "memory_leak"),
    Sample("basic", "accepted/reference", "accepted"),
    Sample("kv", "disk_limit_exceeded/never_compacts", "disk_limit_exceeded"),
    Sample("sum", "wrong_answer/32_bits", "wrong_answer"),
    Sample("sum", "compile_error/missing_name", "compile_error"),
    Sample("sum", "runtime_error/uncaught", "runtime_error"),
    Sample("sum", "time_limit_exceeded/busy", "time_limit_exceeded"),
    Sample("sum", "time_limit_exceeded/sleeping", "time_limit_exceeded"),
    Sample("sum", "memory_limit_exceeded/keeps_steps", "memory_limit_exceeded"),
    Sample("sum", "output_limit_exceeded/chatty", "output_limit_exceeded"),
]
PROBLEMS = list(dict.fromkeys(sample.problem for sample in SAMPLES))
CAPPED = "sum"
CAP = sum(sample.problem == CAPPED for sample in SAMPLES)
START_SECONDS = 60


class DemoError(Exception):
    """The demo cannot go on; the message says why."""


def main() -> int:
    """Runs the demo. Returns 0 if every row is as expected."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--log", type=Path, required=True)
    args = parser.parse_args()
    console = Console(width=120 if not sys.stdout.isatty() else None)
    server = f"http://{os.environ['ADJUDGE_LISTEN']}"
    try:
        wait_until_up(server, args.pid, args.log)
        token = prepare()
        with tempfile.TemporaryDirectory() as folder:
            rows_ok = show(console, Participant(server, token, Path(folder)))
    except DemoError as error:
        print(f"script/demo: {error}", file=sys.stderr)
        return 2
    console.print(f"The judge answers at {server} (log: {args.log}).")
    console.print("Stop it with: script/demo stop")
    return 0 if rows_ok else 1


def wait_until_up(server: str, pid: int, log: Path) -> None:
    """Waits until the judge answers. DemoError where it died or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if not Path(f"/proc/{pid}").exists():
            raise DemoError(f"the judge did not start; its log {log} ends with:\n"
                            + log.read_text()[-2000:])  # fmt: skip
        with contextlib.suppress(requests.RequestException):
            if requests.get(f"{server}/healthz", timeout=5).ok:
                return
        time.sleep(0.1)
    raise DemoError(f"the judge does not answer at {server}; its log is {log}")


def prepare() -> str:
    """Serves the problems, and makes a participant who has spent nothing. Returns the token."""
    name = f"demo-{time.time_ns()}"
    with ThreadPoolExecutor() as pool:
        served = pool.map(serve, PROBLEMS)
        adjudge("user", "add", name)
        token = adjudge("token", "create", name).strip()
        list(served)
    return token


def serve(problem: str) -> None:
    """Serves a sample problem, or its files of today where it is served already."""
    cap = ["--cap", str(CAP)] if problem == CAPPED else []
    adjudge("problem", "add", str(ROOT / "problems" / problem), *cap)


def adjudge(*words: str) -> str:
    done = subprocess.run([BIN / "adjudge", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise DemoError(f"adjudge {' '.join(words[:2])}: {done.stderr.strip()}")
    return done.stdout


class Participant:
    """An agent with its client, a token, and a folder to work in."""

    def __init__(self, server: str, token: str, folder: Path) -> None:
        self._folder = folder
        self._environment = os.environ | {"ADJUDGE_SERVER": server, "ADJUDGE_TOKEN": token}

    def submit(self, sample: Sample) -> dict[str, Any]:
        """Pushes the sample as a repository (or sends it as a file) and waits for its verdict."""
        source = self._repository(sample) if sample.path.is_dir() else sample.path
        return self._client("submit", sample.problem, str(source), "--wait", "--json")

    def _repository(self, sample: Sample) -> Path:
        name = f"{sample.problem}-{sample.solution.replace('/', '-')}"
        where = self._folder / name
        if not where.exists():
            shutil.copytree(sample.path, where)
            author = ["-c", "user.name=demo", "-c", "user.email=demo@example.org"]
            for words in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", sample.status]):
                subprocess.run(["git", *words], cwd=where, check=True, capture_output=True)
        return where

    def _client(self, *words: str) -> dict[str, Any]:
        done = subprocess.run(
            [BIN / "adjudge-client", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            answer: dict[str, Any] = json.loads(done.stdout)
        except json.JSONDecodeError:
            raise DemoError(f"adjudge-client {words[0]}: {done.stderr.strip()}") from None
        return answer


def show(console: Console, participant: Participant) -> bool:
    """Judges every sample, prints the table, and says whether each row is as expected."""
    table = Table("problem", "solution", "status", "score", "CPU s", "wall s", "memory MiB", "")
    everything_ok = True
    with (
        console.status("judging ..."),
        ThreadPoolExecutor(max_workers=len(SAMPLES)) as pool,
    ):
        answers = list(pool.map(participant.submit, SAMPLES))
        refused = participant.submit(next(s for s in SAMPLES if s.problem == CAPPED))
    for sample, answer in zip(SAMPLES, answers, strict=True):
        ok = answer.get("status") == sample.status
        everything_ok &= ok
        table.add_row(sample.problem, sample.solution, *figures(answer), mark(ok))
    ok = refused.get("status") == 429
    everything_ok &= ok
    table.add_row(CAPPED, f"submission {CAP + 1} of {CAP}", f"refused ({refused.get('status')})",
                  "", "", "", "", mark(ok))  # fmt: skip
    console.print(table)
    console.print(f"The refusal said: {refused.get('message')}", highlight=False)
    return everything_ok


def figures(answer: dict[str, Any]) -> tuple[str, ...]:
    """Status, score, CPU, wall and memory of a submission, as text."""
    if not isinstance(answer.get("status"), str):
        return (str(answer.get("message")), "", "", "", "")
    if answer["cpu_ns"] is None:
        return (answer["status"], str(answer["score"]), "", "", "")
    return (
        answer["status"],
        str(answer["score"]),
        f"{answer['cpu_ns'] / 1e9:.2f}",
        f"{answer['wall_ns'] / 1e9:.2f}",
        f"{answer['memory_bytes'] / MIB:.1f}",
    )


def mark(ok: bool) -> str:
    return "[green]ok[/]" if ok else "[red]not as expected[/]"


if __name__ == "__main__":
    sys.exit(main())
