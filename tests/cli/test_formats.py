"""Whole packages of other formats, written to their specifications, verify; and so do the native
packages that they are turned into."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.main import adjudge
from judge.packages import load

Files = Mapping[str, str]

ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
LIMITS = "problem_format_version: 2023-07-draft\nlimits: {time_limit: 2}\n"

PASS_FAIL: Files = {
    "problem.yaml": "name: Add\nlimits: {time_limit: 1}\n",
    "problem_statement/problem.en.md": "# Add\n",
    **{f"data/{name}.in": "1 2\n" for name in ("sample/1", "secret/1")},
    **{f"data/{name}.ans": "3\n" for name in ("sample/1", "secret/1")},
    "submissions/accepted/add.py": ADD,
    "submissions/accepted/add.cpp": (
        "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n"
    ),
    "submissions/wrong_answer/zero.py": "print(0)\n",
    "submissions/run_time_error/crash.py": "raise SystemExit(3)\n",
    "submissions/time_limit_exceeded/spin.py": "while True: pass\n",
    "submissions/rejected/tagged.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER\nprint(4)\n",
}
SCORING: Files = {
    "problem.yaml": LIMITS + "name: {en: Add}\ntype: scoring\n",
    "statement/problem.en.md": "# Add\n",
    **{f"data/secret/{group}/1.in": given for group, given in (("s", "1 2"), ("t", "999 2"))},
    **{f"data/secret/{group}/1.ans": answer for group, answer in (("s", "3"), ("t", "1001"))},
    "data/secret/s/test_group.yaml": "scoring: {score: 40, aggregation: min}\n",
    "data/secret/t/test_group.yaml": "scoring: {score: 60, aggregation: min}\n",
    "submissions/accepted/add.py": ADD,
    "submissions/partially_accepted/small.py": (
        "a, b = map(int, input().split())\nprint(a + b if a < 100 else 0)\n"
    ),
    "submissions/submissions.yaml": (
        "'partially_accepted/small.py': {permitted: [AC, WA], required: [WA], score: 40}\n"
    ),
}
SCORED: Files = {
    **{file: text for file, text in SCORING.items() if not file.startswith("submissions/")},
    "output_validator/validate.py": """
import sys
said, right = int(sys.stdin.read()), int(open(sys.argv[2]).read())
if said < 0: sys.exit(43)
open(sys.argv[3] + "/score_multiplier.txt", "w").write(str(min(1, said / right)))
sys.exit(42)
""",
    "submissions/accepted/add.py": ADD,
    "submissions/accepted/larger.py": "print(max(map(int, input().split())))\n",
    "submissions/wrong_answer/negative.py": "print(-1)\n",
}
INTERACTIVE: Files = {
    "problem.yaml": LIMITS.replace("2}", "1}")
    + "name: {en: Guess}\ntype: [pass-fail, interactive]\n",
    "statement/problem.en.md": "# Guess\n",
    "data/secret/1.in": "37\n",
    "data/secret/1.ans": "",
    "output_validator/validate.py": """
import sys
secret = int(open(sys.argv[1]).read())
for turn in range(8):
    line = sys.stdin.readline().strip()
    if not line.isdigit(): sys.exit(43)
    said = "correct" if int(line) == secret else "lower" if secret < int(line) else "higher"
    try: print(said, flush=True)
    except BrokenPipeError: sys.exit(43)
    if said == "correct": sys.exit(42)
sys.exit(43)
""",
    "submissions/accepted/halve.py": """
low, high = 1, 100
said = ""
while said != "correct":
    guess = (low + high) // 2
    print(guess, flush=True)
    said = input()
    if said == "lower": high = guess - 1
    if said == "higher": low = guess + 1
""",
    "submissions/wrong_answer/insist.py": "while True:\n    print(1, flush=True)\n    input()\n",
    "submissions/time_limit_exceeded/wait.py": "input()\n",
}
MULTI_PASS: Files = {
    "problem.yaml": LIMITS.replace("2}", "2, validation_passes: 2}")
    + "name: {en: Whisper}\ntype: [pass-fail, multi-pass]\n",
    "statement/problem.en.md": "# Whisper\n",
    "data/secret/1.in": "tell 41\n",
    "data/secret/1.ans": "",
    "output_validator/validate.py": """
import os, sys
given, answer, feedback = sys.argv[1:4]
said = sys.stdin.read().split()
first = not os.path.exists(feedback + "/first")
if len(said) != 1 or not said[0].isdigit(): sys.exit(43)
if first:
    open(feedback + "/first", "w").close()
    open(feedback + "/nextpass.in", "w").write("repeat " + said[0] + "\\n")
    sys.exit(42)
sys.exit(42 if said[0] == open(given).read().split()[1] else 43)
""",
    "submissions/accepted/shift.py": """
word, number = input().split()
print(int(number) + 1 if word == "tell" else int(number) - 1)
""",
    "submissions/wrong_answer/forget.py": """
word, number = input().split()
print(int(number) + 1 if word == "tell" else 0)
""",
}
POINT = {"TimeLimit": 2000, "MemoryLimit": 256 << 20}
GROUP = {"GroupID": 1, "GroupName": "all", "GroupScore": 100}
TALK: Files = {
    "config.json": json.dumps(
        {
            "Groups": [{**GROUP, "TestPoints": [1]}],
            "Details": [{"ID": 1, "Dependency": 0, **POINT}],
            "SPJ": {
                "Run": {
                    "Type": "interactive",
                    "Interactor": {"Type": "cpp", "Path": "talk.cpp"},
                },
                "Check": "skip",
            },
        }
    ),
    "1.in": "7\n",
    "talk.cpp": """#include <fstream>
#include <iostream>
int main(int, char** argv) {
    std::ifstream input(argv[1]);
    int secret, guess;
    input >> secret;
    std::cout << secret << std::endl;
    std::cin >> guess;
    std::ofstream(argv[2]) << (guess == secret ? "1\\n" : "0.6\\nuse fewer queries\\n");
}
""",
    "solution.py": "print(input())\n",
}
PARTIAL: Files = {
    "config.json": json.dumps(
        {
            "Groups": [{**GROUP, "TestPoints": [1]}],
            "Details": [{"ID": 1, "Dependency": 0, **POINT}],
            "SPJ": 4,
            "SupportedFiles": ["util.hpp"],
        }
    ),
    "1.in": "7\n",
    "1.ans": "14\n",
    "1.cpp": '#include <iostream>\n#include "util.hpp"\n#include "src.hpp"\n'
    "int main() { int x; std::cin >> x; std::cout << twice(x) << TAIL; }\n",
    "util.hpp": '#define TAIL "\\n"\n',
    "spj.cpp": """#include <fstream>
#include "util.hpp"
int main(int, char** argv) {
    int said = 0, answer = 0;
    std::ifstream(argv[2]) >> said;
    std::ifstream(argv[3]) >> answer;
    std::ofstream(argv[4]) << (said == answer ? 1 : 0.5) << TAIL;
}
""",
    "solution.hpp": "inline int twice(int x) { return 2 * x; }\n",
}
STAGE = {"TimeLimit": 2000, "MemoryLimit": 48 << 20, "FileNumberLimit": 30}
CHAIN: Files = {
    "config.json": json.dumps(
        {
            "Groups": [
                {"GroupID": 1, "GroupName": "fresh", "GroupScore": 20, "TestPoints": [1]},
                {"GroupID": 2, "GroupName": "restart", "GroupScore": 80, "TestPoints": [2, 3, 4]},
            ],
            "Details": [
                {"ID": id_, "Dependency": after, "DiskLimit": sign * (8 << 20), **STAGE}
                for id_, after, sign in ((1, 0, -1), (2, 0, -1), (3, 2, 1), (4, 3, 1))
            ],
            "CompileTimeLimit": 20000,
            "SPJ": 0,
        }
    ),
    **{f"{id_}.in": f"{id_}\n" for id_ in (1, 2, 3, 4)},
    **{f"{id_}.ans": f"{total}\n" for id_, total in ((1, 1), (2, 2), (3, 5), (4, 9))},
    "solution.py": (
        "import os\n"
        "total = int(input()) + (int(open('total').read()) if os.path.exists('total') else 0)\n"
        "open('total', 'w').write(str(total))\n"
        "print(total)\n"
    ),
}
LEAK: Files = {
    "config.json": json.dumps(
        {
            "Groups": [
                {"GroupID": 1, "GroupName": "right", "GroupScore": 60, "TestPoints": [1, 2]},
                {"GroupID": 2, "GroupName": "clean", "GroupScore": 40, "TestPoints": [3, 4]},
            ],
            "Details": [
                {"ID": 1, "Dependency": 0, **POINT},
                {"ID": 2, "Dependency": 0, **POINT},
                {"ID": 3, "Dependency": 1, **POINT, "ValgrindTestOn": True},
                {"ID": 4, "Dependency": 2, **POINT, "ValgrindTestOn": True},
            ],
            "SPJ": 0,
        }
    ),
    **{f"{id_}.{suffix}": f"{id_ % 2}\n" for id_ in (1, 2, 3, 4) for suffix in ("in", "ans")},
    "solution.cpp": (
        "#include <iostream>\n#include <memory>\n"
        "int main() { auto x = std::make_unique<int>(); std::cin >> *x; std::cout << *x; }\n"
    ),
}
WITH_FILES: Files = {
    "problem.yaml": LIMITS + "name: Add\n",
    "statement/problem.en.md": "# Add\n",
    "data/secret/g/1.in": "",
    "data/secret/g/1.ans": "3\n",
    "data/secret/g/1.files/numbers/first.in": "1\n",
    "data/secret/g/1.files/second.ans": "2\n",
    "submissions/accepted/add.py": (
        "print(int(open('numbers/first.in').read()) + int(open('second.ans').read()))\n"
    ),
    "submissions/rejected/reads.py": "print(input())\n",
    "submissions/submissions.yaml": "'*':\n  secret/g: {permitted: [AC, RTE]}\n",
}
PACKAGES = {
    "icpc-pass-fail": PASS_FAIL,
    "icpc-with-files": WITH_FILES,
    "icpc-scoring": SCORING,
    "icpc-scored": SCORED,
    "icpc-interactive": INTERACTIVE,
    "icpc-multi-pass": MULTI_PASS,
    "acmoj-interactive": TALK,
    "acmoj-partial": PARTIAL,
    "acmoj-chain": CHAIN,
    "acmoj-leak-check": LEAK,
}


def call(*words: object) -> Result:
    return CliRunner().invoke(adjudge, ["problem", *map(str, words)])


def written(folder: Path, files: Files) -> Path:
    for file, content in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(content)
    return folder


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_verifies_as_it_is_and_when_imported(name: str, tmp_path: Path) -> None:
    source = written(tmp_path / name, PACKAGES[name])
    result = call("check", source)
    assert "no group has a test that uses" not in result.output
    result = call("verify", source)
    assert result.exit_code == 0, result.output
    result = call(
        "import", source, "--problems", tmp_path / "problems", "--data", tmp_path / "data"
    )
    assert result.exit_code == 0, result.output
    result = call("verify", tmp_path / "problems" / name)
    assert result.exit_code == 0, result.output


VALIDATED: Files = {
    **{file: text for file, text in PASS_FAIL.items() if not file.startswith("submissions/")},
    "submissions/accepted/add.py": ADD,
    "input_validators/two_numbers.py": (
        "import re, sys\n"
        "small = len(sys.argv) > 1\n"
        "sys.exit(42 if re.fullmatch(r'\\d \\d\\n' if small else r'\\d+ \\d+\\n',"
        " sys.stdin.read()) else 1)\n"
    ),
    "data/secret/small/testdata.yaml": "input_validator_flags: small\n",
    "data/secret/small/1.in": "4 5\n",
    "data/secret/small/1.ans": "9\n",
}


def test_inputs_are_validated_before_and_after_import(tmp_path: Path) -> None:
    folders = ("--problems", tmp_path / "problems", "--data", tmp_path / "data")
    written(tmp_path / "add", VALIDATED)
    assert call("verify", tmp_path / "add").exit_code == 0
    assert call("import", tmp_path / "add", *folders).exit_code == 0
    assert call("verify", tmp_path / "problems" / "add").exit_code == 0
    for file in ("add/data/secret/small/1.in", "data/add/secret-small-1.in"):
        (tmp_path / file).write_text("04 5\n")
    for package in ("add", "problems/add"):
        result = call("verify", tmp_path / package)
        assert result.exit_code == 1
        assert "is refused: two_numbers.py: exit code 1." in result.stdout
        assert result.stdout.endswith("none not as expected; 1 inputs refused\n")
    rows = json.loads(call("verify", tmp_path / "add", "--json").stdout)
    (refused,) = [row for row in rows if "input" in row]
    assert refused["input"].endswith("small/1.in")
    assert refused["as_expected"] is False


SPIN = "import time\nwhile time.process_time() < {}: pass\nprint(sum(map(int, input().split())))\n"
UNTIMED: Files = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: Add\nlimits:\n"
    "  time_resolution: 0.25\n  time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}\n",
    "statement/problem.en.md": "# Add\n",
    "data/secret/1.in": "1 2\n",
    "data/secret/1.ans": "3\n",
    "submissions/accepted/add.py": ADD,
    "submissions/accepted/busy.py": SPIN.format(0.3),
    "submissions/time_limit_exceeded/spin.py": "while True: pass\n",
}


def test_a_time_limit_follows_from_the_submissions(tmp_path: Path) -> None:
    folders = ("--problems", tmp_path / "problems", "--data", tmp_path / "data")
    source = written(tmp_path / "add", UNTIMED)
    result = call("verify", source)
    assert result.exit_code == 0, result.output
    assert "add: time limit 0.75 s, for accepted/busy.py takes 0.3" in result.stderr
    result = call("import", source, *folders)
    assert result.exit_code == 0, result.output
    assert load(tmp_path / "problems" / "add").tests[0].limits.cpu_ns == 750_000_000


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (
            {"submissions/time_limit_exceeded/spin.py": SPIN.format(0.5)},
            "time_limit_exceeded/spin.py, which must be too slow, is not so even at 1.5 times that",
        ),
        (
            {"submissions/submissions.yaml": "accepted: {use_for_time_limit: false}\n"},
            "no solution from which its time limit could follow",
        ),
    ],
)
def test_a_time_limit_that_does_not_follow(tmp_path: Path, files: Files, reason: str) -> None:
    source = written(tmp_path / "add", {**UNTIMED, **files})
    for result in (
        call("verify", source),
        call("import", source, "--problems", tmp_path / "p", "--data", tmp_path / "d"),
    ):
        assert result.exit_code == 2
        assert reason in result.stderr
    assert not list(tmp_path.glob("[pd]/*"))
