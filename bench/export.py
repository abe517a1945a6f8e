"""Exports of many synthetic submissions: rows a second, and whether memory stays flat.

    .venv/bin/python -m bench.export --rows 1000000

Each export runs in a process of its own, once over a tenth of the rows and once over all of them;
`peak_mib` is the largest resident set of each (getrusage), so flat memory shows as equal figures.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from judge.model import State, Verdict
from judge.results.export import Format, Kind, read, write
from judge.results.export.kinds import COLUMNS
from judge.store import Database, scan, users
from judge.store.tables import Judging, Priority, Problem, Submission

_BATCH = 20_000
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_VERDICTS = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED)


def main() -> None:
    """Measures every format over submissions and prints a table, or JSON."""
    parser = argparse.ArgumentParser(prog="script/bench export", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/adjudge.db"
        began = time.perf_counter()
        fill(url, arguments.rows)
        took = time.perf_counter() - began
        print(f"{arguments.rows} submissions made in {took:.0f} s", file=sys.stderr)
        figures = [
            measure(url, form, rows, Path(folder))
            for form in Format
            for rows in (arguments.rows // 10, arguments.rows)
        ]
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{'format':<10}{'rows':>10}{'seconds':>10}{'rows/s':>10}{'peak MiB':>10}{'MiB':>10}")
    for one in figures:
        print(
            f"{one['format']:<10}{one['rows']:>10}{one['seconds']:>10.1f}"
            f"{one['rows_per_second']:>10.0f}{one['peak_mib']:>10.0f}{one['file_mib']:>10.1f}"
        )


def fill(url: str, rows: int) -> None:
    """A database with so many judged submissions of ten users to five problems."""
    db = Database(url)
    db.migrate()
    people = [users.add(db, f"agent{n}", agent=f"agent{n}", model="m") for n in range(10)]
    with db.write() as session:
        session.add_all(
            Problem(
                slug=f"p{n}",
                title="",
                package="0" * 64,
                languages=["cpp"],
                source_bytes=1,
                points=100,
            )
            for n in range(5)
        )
    for first in range(1, rows + 1, _BATCH):
        numbers = range(first, min(first + _BATCH, rows + 1))
        with db.write() as session:
            connection = session.connection()
            connection.execute(
                insert(Submission), [_submission(n, people[n % 10].id) for n in numbers]
            )
            connection.execute(insert(Judging), [_judging(n) for n in numbers])
    db.close()


def measure(url: str, form: Format, rows: int, folder: Path) -> dict[str, Any]:
    """One export in a fresh process."""
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=_export, args=(url, form, rows, folder / "out", send))
    process.start()
    figures: dict[str, Any] = receive.recv()
    process.join()
    return figures


def _export(url: str, form: Format, rows: int, out: Path, send: Any) -> None:  # noqa: ANN401
    db = Database(url)
    records: Iterator[Any] = islice(read(db, Kind.SUBMISSIONS, scan.EVERYTHING), rows)
    began = time.perf_counter()
    with out.open("wb") as file:
        done = write(file, COLUMNS[Kind.SUBMISSIONS], records, form)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    send.send(
        {
            "format": form.value,
            "rows": done,
            "seconds": seconds,
            "rows_per_second": done / seconds,
            "peak_mib": peak,
            "file_mib": out.stat().st_size / (1 << 20),
        }
    )


def _submission(number: int, user_id: int) -> dict[str, Any]:
    return {
        "id": number,
        "user_id": user_id,
        "problem_id": number % 5 + 1,
        "language": "cpp",
        "created_at": _BEGAN + timedelta(seconds=number),
        "judging_id": number,
        "status": _VERDICTS[number % 3].value,
        "charged": True,
        "public": False,
    }


def _judging(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "submission_id": number,
        "generation": 1,
        "priority": Priority.INTERACTIVE,
        "package": "0" * 64,
        "attempt": 1,
        "state": State.FINISHED,
        "verdict": _VERDICTS[number % 3],
        "score": float(number % 101),
        "message": f"message of {number}",
        "cpu_ns": number * 1000,
        "wall_ns": number * 1001,
        "memory_bytes": 1 << 20,
        "disk_bytes": 0,
        "files": 0,
        "created_at": _BEGAN,
        "started_at": _BEGAN,
        "finished_at": _BEGAN,
    }


if __name__ == "__main__":
    main()
