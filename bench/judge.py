"""`script/bench judge`: judging A+B with 100 tests, against DMOJ's `dmoj-cli` on the same tests.

Both judge the same C++ source on this machine, in turns, and what is compared is the median. The
compile is left out on both sides, and so is the start of the processes: ours is the time from the
event Judging (so with the opening of the box) to Finished, theirs from the line of the first test
case (so without that case) to the line "Done grading".
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Self

from judge.grading import Finished, Judging, Slot, SourceText, grade
from judge.model import Problem, Verdict
from judge.packages import load

ROOT = Path(__file__).parents[1]
DMOJ = ROOT / "var" / "bench" / "dmoj"
VERSION = "4.1.0"
ROUNDS = 15
BUDGET = 0.35


def main() -> int:
    """Print the table; 0 within the budget, 1 over it."""
    problem = load(ROOT / "problems" / "sum")
    source = ROOT / "problems" / "sum" / "solutions" / "accepted" / "sum.cpp"
    ours: list[float] = []
    theirs: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Dmoj(problem, source, Path(folder)) as dmoj,
        Slot() as slot,
    ):
        for round_ in range(ROUNDS + 1):
            mine, other = judge(problem, source, slot), dmoj.judge()
            if round_:  # the first round warms both up
                ours.append(mine)
                theirs.append(other)
            print(f"\rround {round_} of {ROUNDS}", end="", file=sys.stderr)
    print(file=sys.stderr)
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"{'sum, 100 tests, C++':24}{'median':>10}{'best':>10}{'worst':>10}")
    for name, times in (("adjudge", ours), (f"dmoj {VERSION}", theirs)):
        figures = (statistics.median(times), min(times), max(times))
        print(f"{name:24}" + "".join(f"{1000 * figure:7.0f} ms" for figure in figures))
    verdict = "within" if ratio <= BUDGET else "OVER"
    print(f"ratio {ratio:.2f}, {verdict} the budget of {BUDGET} ({ROUNDS} rounds in turns)")
    return 0 if ratio <= BUDGET else 1


def judge(problem: Problem, source: Path, slot: Slot) -> float:
    """Seconds that our judge takes after the compile."""
    begun = 0.0
    for event in grade(problem, SourceText("cpp", source.read_bytes()), slot):
        match event:
            case Judging():
                begun = time.perf_counter()
            case Finished(outcome):
                if outcome.verdict is not Verdict.ACCEPTED:
                    raise SystemExit(f"the solution of the bench got {outcome.verdict}")
    return time.perf_counter() - begun


class Dmoj:
    """An open `dmoj-cli` with the same tests in its own layout."""

    def __init__(self, problem: Problem, source: Path, folder: Path) -> None:
        self._source, self._tests = source, len(problem.tests)
        python = install()
        package = folder / "problems" / problem.slug
        package.mkdir(parents=True)
        cases = ["test_cases:"]
        for test in problem.tests:
            for file in (test.input, test.answer):
                if file is not None:
                    (package / file.name).write_bytes(file.read_bytes())
            cases.append(f'- {{in: "{test.id}.in", out: "{test.id}.ans", points: 1}}')
        (package / "init.yml").write_text("\n".join(cases) + "\n")
        config = folder / "config.yml"
        config.write_text(
            f"problem_storage_globs: ['{folder}/problems/*']\nruntime: {{g++20: /usr/bin/g++}}\n"
        )
        self._process = subprocess.Popen(
            [
                *(python.parent / "dmoj-cli", "--config", config, "--only-executors", "CPP20"),
                *("--no-ansi", "--skip-self-test", "--history", folder / "history"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def judge(self) -> float:
        """Seconds that DMOJ takes after the compile and the first test case."""
        if self._process.stdin is None or self._process.stdout is None:
            raise SystemExit("dmoj-cli has no pipes")
        self._process.stdin.write(f"submit sum CPP20 {self._source}\n".encode())
        seen, begun = b"", 0.0
        while b"Done grading" not in seen:
            said = self._process.stdout.read(1 << 16)
            if not said:
                raise SystemExit(f"dmoj-cli ended: {seen[-500:].decode(errors='replace')}")
            seen += said
            if not begun and re.search(rb"Test case +1 ", seen):
                begun = time.perf_counter()
        taken = time.perf_counter() - begun
        if seen.count(b" AC ") != self._tests:
            raise SystemExit("the solution of the bench is not accepted by DMOJ")
        return taken


def install() -> Path:
    """The Python of an environment with DMOJ in it, made on the first call."""
    python = DMOJ / "bin" / "python"
    if not python.exists():
        print(f"installing dmoj {VERSION} into {DMOJ} ...", file=sys.stderr)
        venv.create(DMOJ, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", f"dmoj=={VERSION}"]
        subprocess.run(pip, check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
