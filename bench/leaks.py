"""`script/bench leaks`: what the two leak checks cost, on programs that allocate a lot.

Each program is judged plainly, under LeakSanitizer and under valgrind, in turns, in one open box a
judging. Figures are CPU times of the run alone, medians; the ratio is to the plain run.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from judge.grading import Finished, Slot, SourceText, grade
from judge.model import Problem, Verdict
from judge.packages import load

ROUNDS = 3
HEAD = (
    "#include <map>\n#include <memory>\n#include <string>\n#include <vector>\n#include <cstdio>\n"
)
PROGRAMS = {
    "a map of strings": """
int main() {
    std::map<int, std::string> map;
    for (int i = 0; i < 300000; ++i) map[i % 100003] = std::string(40, 'x');
    std::printf("%zu\\n", map.size());
}""",
    "small blocks, freed": """
static void* volatile last;
int main() {
    for (int i = 0; i < 1000000; ++i) { auto p = std::make_unique<int>(i); last = p.get(); }
    std::printf("%d\\n", last != nullptr);
}""",
    "a list of a million": """
struct Node { Node* next; };
int main() {
    Node* head = nullptr;
    for (int i = 0; i < 1000000; ++i) head = new Node{head};
    int count = 0;
    while (head) { Node* next = head->next; delete head; head = next; ++count; }
    std::printf("%d\\n", count > 0);
}""",
    "numbers, no allocation": """
int main() {
    unsigned x = 1;
    for (int i = 0; i < 100000000; ++i) x = x * 1664525u + 1013904223u;
    std::printf("%d\\n", x != 0);
}""",
}
CHECKS = ("", "lsan", "valgrind")


def main() -> int:
    """Print the table."""
    print(f"{'program':26}{'plain':>10}{'lsan':>18}{'valgrind':>18}   (medians of {ROUNDS} runs)")
    with Slot() as slot, tempfile.TemporaryDirectory() as folder:
        problems = {check: problem(Path(folder) / (check or "plain"), check) for check in CHECKS}
        for name, text in PROGRAMS.items():
            source = SourceText("cpp", (HEAD + text).encode())
            times: dict[str, list[float]] = {check: [] for check in CHECKS}
            for _ in range(ROUNDS):
                for check in CHECKS:
                    times[check].append(seconds(problems[check], source, slot))
            plain, lsan, valgrind = (statistics.median(times[check]) for check in CHECKS)
            figures = f"{plain:8.3f} s"
            for figure in (lsan, valgrind):
                figures += f"{figure:9.3f} s {figure / plain:5.1f}x"
            print(f"{name:26}{figures}")
    return 0


def problem(folder: Path, check: str) -> Problem:
    """A problem with one test, under a check; the output does not matter."""
    package, tests = folder / "problems" / "leaks", folder / "data" / "leaks"
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    line = f'leak_check = "{check}"\n' if check else ""
    (package / "problem.toml").write_text(
        'title = "Leaks"\nlanguages = ["cpp"]\n[check]\nabsolute = 1e9\n[limits]\ntime = "10s"\n'
        f'[[group]]\npoints = 1\ntests = ["1"]\n[tests.1]\n{line}'
    )
    (package / "statement.md").touch()
    (tests / "1.ans").write_text("0\n")
    return load(package, tests)


def seconds(problem: Problem, source: SourceText, slot: Slot) -> float:
    """CPU time of the run."""
    *_, last = grade(problem, source, slot)
    if not isinstance(last, Finished) or last.outcome.verdict is not Verdict.ACCEPTED:
        raise SystemExit(f"a program of the bench is not accepted: {last}")
    usage = last.outcome.usage
    return usage.cpu_ns / 1e9 if usage else 0.0


if __name__ == "__main__":
    sys.exit(main())
