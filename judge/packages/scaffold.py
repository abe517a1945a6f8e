"""A first package of each kind: small, sound, and judged as its solutions' folders say."""

from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, str]

_STATEMENT = """# {title}

Say what is to be done.

## Input

Say what is given.

## Output

Say what is wanted.
"""
_GROUP = '\n[[group]]\nname = "All"\npoints = 100\ntests = ["01..02"]\n'
_ADD = "print(sum(map(int, input().split())))\n"
_TESTS = {"01.in": "1 2\n", "01.ans": "3\n", "02.in": "-4 4\n", "02.ans": "0\n"}
_TRIED = {
    f"{name}.{suffix}": text
    for name, output in (("invalid_output/more", "3 4\n"), ("valid_output/blanks", " 3\n\n"))
    for suffix, text in (("in", "1 2\n"), ("ans", "3\n"), ("out", output))
}
_WRONG = "print(3)\n"

_CHECKER = """import sys

# The testlib protocol: exit code 0 is right, 1 is wrong; the message is on standard error.
given, output, answer = (open(name).read().split() for name in sys.argv[1:4])
if output != answer:
    sys.stderr.write("another sum was expected")
    sys.exit(1)
"""
_INTERACTOR = """import sys

# The testlib protocol: what the program writes is read here, and what is printed goes to it.
secret = int(open(sys.argv[1]).read())
for turn in range(10):
    line = sys.stdin.readline().strip()
    if not line.isdigit():
        sys.exit("no guess")
    if int(line) == secret:
        print("right", flush=True)
        sys.exit(0)
    try:
        print("less" if secret < int(line) else "more", flush=True)
    except BrokenPipeError:
        sys.exit(1)
sys.exit("too many guesses")
"""
_GUESSER = """low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    match input():
        case "less":
            high = guess - 1
        case "more":
            low = guess + 1
        case _:
            break
"""
_SCORER = """import sys

# The ACMOJ protocol: the score goes into the fourth file, a message into the fifth.
given, output, answer, score, message = sys.argv[1:6]
words = open(output).read().split()
open(score, "w").write(str(len(set(words))))
open(message, "w").write(f"{len(set(words))} different words")
"""
_MAIN = """#include <iostream>

#include "src.hpp"

int main() {
    int a, b;
    std::cin >> a >> b;
    std::cout << add(a, b) << '\\n';
}
"""
_REMEMBER = """import os

total = int(input())
if os.path.exists("total"):
    total += int(open("total").read())
open("total", "w").write(str(total))
print(total)
"""

_PACKAGES: dict[str, tuple[str, Files, Files]] = {
    "plain": (
        _GROUP,
        {"solutions/accepted/add.py": _ADD, "solutions/wrong_answer/three.py": _WRONG},
        _TESTS,
    ),
    "checker": (
        '\n[check]\nprogram = "check.py"\nprotocol = "testlib"\n' + _GROUP,
        {"solutions/accepted/add.py": _ADD, "solutions/wrong_answer/three.py": _WRONG},
        {"judge/check.py": _CHECKER, **_TESTS, **_TRIED},
    ),
    "header": (
        '\n[build]\nheader = "src.hpp"\nmain = "main.cpp"\n' + _GROUP,
        {
            "mains/main.cpp": _MAIN,
            "solutions/accepted/add.hpp": "int add(int a, int b) { return a + b; }\n",
            "solutions/wrong_answer/first.hpp": "int add(int a, int) { return a; }\n",
            "solutions/memory_leak/forgets.hpp": (
                "int add(int a, int b) { return *new volatile int(a + b); }\n"
            ),
        },
        _TESTS,
    ),
    "chain": (
        '\n[limits]\ndisk = "1KiB"\nfiles = 1\n'
        + _GROUP
        + '\n[tests.02]\ncontinues = true\nafter = "01"\n',
        {
            "solutions/accepted/remember.py": _REMEMBER,
            "solutions/wrong_answer/forget.py": "print(input())\n",
        },
        {"01.in": "3\n", "01.ans": "3\n", "02.in": "4\n", "02.ans": "7\n"},
    ),
    "interactive": (
        '\n[interact]\nprogram = "talk.py"\nprotocol = "testlib"\n' + _GROUP,
        {
            "solutions/accepted/halve.py": _GUESSER,
            "solutions/wrong_answer/insist.py": "while True:\n    print(1)\n    input()\n",
        },
        {"judge/talk.py": _INTERACTOR, "01.in": "7\n", "02.in": "64\n"},
    ),
    "score": (
        '\n[check]\nprogram = "check.py"\nprotocol = "acmoj"\n'
        "\n[score]\npoints = [[0, 0], [5, 0.5], [10, 1]]\n"
        + _GROUP
        + '\n[expected]\n"wrong_answer/five.py" = 50\n',
        {
            "solutions/accepted/ten.py": "print(*range(10))\n",
            "solutions/wrong_answer/five.py": "print(*range(5))\n",
        },
        {"judge/check.py": _SCORER, "01.in": "", "02.in": ""},
    ),
    "output": (
        'output_only = true\nlanguages = ["git"]\n' + _GROUP,
        {
            "solutions/accepted/sums/01.out": "3\n",
            "solutions/accepted/sums/02.out": "0\n",
            "solutions/wrong_answer/one_missing/01.out": "3\n",
        },
        _TESTS,
    ),
}

KINDS = tuple(_PACKAGES)


def scaffold(kind: str, title: str, package: Path, tests: Path) -> None:
    """Write a new package of that kind. FileExistsError where one of the folders is there."""
    definition, files, data = _PACKAGES[kind]
    if kind == "header":
        definition += "\n[tests.02]\nleak_check = true\n"
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    _write(package, {"problem.toml": f'title = "{title}"\n{definition}', **files})
    _write(package, {"statement.md": _STATEMENT.format(title=title)})
    _write(tests, data)


def _write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
