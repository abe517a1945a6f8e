"""A whole ICPC package with what the format has for large ones: constants, programs of several
files, groups in groups, and what is expected of submissions in each of them."""

import json
from pathlib import Path

import pytest

from judge.packages import load
from tests.cli.test_formats import Files, call, written

DOUBLE: Files = {
    "problem.yaml": """
problem_format_version: 2023-07-draft
name: {en: Double}
type: scoring
constants: {factor: 2, small: 9, words: {value: too large}}
limits: {time_limit: 2}
languages: [c, python3]
""",
    "statement/problem.en.md": "# Double\n\nPrint {{factor}} times the number.\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "2\n",
    **{f"data/secret/g/{name}.in": f"{given}\n" for name, given in (("a", 5), ("b", 50))},
    **{f"data/secret/g/{name}.ans": f"{answer}\n" for name, answer in (("a", 10), ("b", 100))},
    "data/secret/g/big/1.in": "500\n",
    "data/secret/g/big/1.ans": "1000\n",
    "data/secret/g/test_group.yaml": "scoring: {aggregation: sum, require_pass: sample}\n",
    "data/secret/g/big/test_group.yaml": "scoring: {score: 60}\ninput_validator_args: ['999']\n",
    "input_validators/digits/build": "cc -o run main.c digits.c\n",
    "input_validators/digits/main.c": """
#include <stdlib.h>
int number(void);
int main(int argc, char **argv) {
    return number() <= (argc > 1 ? atoi(argv[1]) : 10 * {{small}}) ? 42 : 1;
}
""",
    "input_validators/digits/digits.c": """
#include <stdio.h>
int number(void) { int x = 1 << 30; scanf("%d", &x); return x; }
""",
    "output_validator/main.cpp": """
#include <fstream>
#include <iostream>
#include <string>
bool same(std::istream &one, std::istream &other);
int main(int, char **argv) {
    std::ifstream answer(argv[2]);
    if (same(std::cin, answer)) return 42;
    std::ofstream(std::string(argv[3]) + "judgemessage.txt") << "{{words}} for it";
    std::ofstream(std::string(argv[3]) + "teammessage.txt") << "not quite";
    return 43;
}
""",
    "output_validator/same.cpp": """
#include <istream>
bool same(std::istream &one, std::istream &other) {
    int x = 0, y = 0;
    return one >> x && other >> y && x == y;
}
""",
    "include/c/times.h": "#define FACTOR {{factor}}\n",
    "include/c/read.c": """
#include <stdio.h>
int read_it(void) { int x; scanf("%d", &x); return x; }
""",
    "submissions/accepted/two_files/main.c": """
#include <stdio.h>
int read_it(void);
int times(int);
int main(void) { printf("%d\\n", times(read_it())); }
""",
    "submissions/accepted/two_files/times.c": """
#include "times.h"
int times(int x) { return FACTOR * x + {{factor}} - 2; }
""",
    "submissions/accepted/plain.py": "print({{factor}} * int(input()))\n",
    "submissions/wrong_answer/small.py": "x = int(input())\nprint(2 * x if x <= 9 else 0)\n",
    "submissions/rejected/small.py": "x = int(input())\nprint({{factor}} * x if x < 9 else 0)\n",
    "submissions/submissions.yaml": """
'{wrong_answer,rejected}/small.py':
  permitted: [AC, WA]
  required: [WA]
  score: [19, 21]
  message: too large
  sample: {permitted: [AC]}
  secret/g: {score: 20, required: [WA]}
  secret/g/a: {permitted: [AC]}
  secret/g/big: {permitted: [WA], message: too large for it}
""",
    "attachments/hint.txt": "think\n",
}


def test_it_verifies_as_it_is_and_when_imported(tmp_path: Path) -> None:
    folders = ("--problems", tmp_path / "problems", "--data", tmp_path / "data")
    source = written(tmp_path / "double", DOUBLE)
    result = call("verify", source)
    assert result.exit_code == 0, result.output
    result = call("import", source, *folders)
    assert result.exit_code == 0, result.output
    result = call("verify", tmp_path / "problems" / "double")
    assert result.exit_code == 0, result.output
    assert "accepted/two_files" in result.stdout
    assert "4 solutions, none not as expected" in result.stdout
    problem = load(tmp_path / "problems" / "double")
    assert problem.statement.startswith("# Double\n\nPrint 2 times")
    assert (tmp_path / "problems/double/starter/hint.txt").read_text() == "think\n"


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        (
            "secret/g/a: {permitted: [AC]}",
            "secret/g/a: {permitted: [TLE]}",
            "secret/g/a: test secret-g-a got accepted, not time_limit_exceeded",
        ),
        (
            "required: [WA]\n",
            "required: [TLE]\n",
            "all tests: no test got time_limit_exceeded",
        ),
        ("score: 20", "score: 30", "secret/g: 20 points, not 30"),
        ("for it}", "for me}", 'secret/g/big: no message to the judges holds "too large for me"'),
    ],
)
def test_a_difference_is_told(tmp_path: Path, old: str, new: str, difference: str) -> None:
    listed = DOUBLE["submissions/submissions.yaml"].replace(old, new)
    assert listed != DOUBLE["submissions/submissions.yaml"]
    files = {
        name: text
        for name, text in DOUBLE.items()
        if not name.startswith(("submissions/accepted", "submissions/rejected"))
    }
    source = written(tmp_path / "double", {**files, "submissions/submissions.yaml": listed})
    result = call("verify", source, "--json")
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["differences"] == [difference]


BUSY = "import time\nwhile time.process_time() < {}: pass\n"
TIGHT: Files = {
    "problem.yaml": """
problem_format_version: 2023-07-draft
name: {en: Tight}
limits: {time_limit: 0.4, time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}}
""",
    "data/secret/1.in": "",
    "data/secret/1.ans": "",
    "submissions/accepted/quick.py": "",
    "submissions/accepted/busy.py": BUSY.format(0.25),
    "submissions/time_limit_exceeded/far.py": "while True: pass\n",
    "submissions/time_limit_exceeded/near.py": BUSY.format(0.5),
}


def test_a_time_limit_that_is_near_the_submissions_is_a_warning(tmp_path: Path) -> None:
    result = call("verify", written(tmp_path / "tight", TIGHT))
    assert result.exit_code == 0, result.output
    quick, slow = result.stderr.splitlines()
    assert quick.startswith("warning: tight: the time limit of 0.4 s is less than 2 times the 0.2")
    assert quick.endswith("that accepted/busy.py takes here")
    assert slow == (
        "warning: tight: time_limit_exceeded/near.py, which must be too slow, ends within 0.6 s"
        " here, 1.5 times the time limit"
    )
