"""`adjudge problem verify` tries a package's own programs on what they must refuse or take."""

import json
from pathlib import Path

import pytest

from tests.cli.test_formats import Files, call, written

HALF: Files = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: Half\nlimits: {time_limit: 2}\n",
    "statement/problem.en.md": "# Half\n\nPrint half of the even number.\n",
    "data/test_group.yaml": "args: [--exactly]\n",  # for programs alone
    "data/secret/1.in": "8\n",
    "data/secret/1.ans": "4\n",
    "data/invalid_input/odd.in": "7\n",
    "data/invalid_input/deep/word.in": "eight\n",
    "data/invalid_input/deep/large.in": "2000\n",
    "data/invalid_input/deep/test_group.yaml": "input_validator_args: ['1000']\n",
    "data/invalid_output/twice.in": "8\n",
    "data/invalid_output/twice.ans": "4\n",
    "data/invalid_output/twice.out": "16\n",
    "data/valid_output/signed.in": "8\n",
    "data/valid_output/signed.ans": "4\n",
    "data/valid_output/signed.out": "+4\n",
    "input_validators/number.py": (
        "import sys\nn = int(input())\nsys.exit(42 if n <= int((sys.argv + ['9999'])[1]) else 43)\n"
    ),
    "input_validators/even.py": "import sys\nsys.exit(43 if int(input()) % 2 else 42)\n",
    "output_validator/validate.py": (
        "import sys\nsame = int(open(sys.argv[2]).read()) == int(input())\n"
        "same or print('not so', file=open(sys.argv[3] + 'judgemessage.txt', 'w'))\n"
        "sys.exit(42 if same else 43)\n"
    ),
    "submissions/accepted/half.py": "print(int(input()) // 2)\n",
}


def test_a_package_that_knows_right_from_wrong_as_it_is_and_when_imported(tmp_path: Path) -> None:
    folders = ("--problems", tmp_path / "problems", "--data", tmp_path / "data")
    source = written(tmp_path / "half", HALF)
    for package, made in ((source, None), (tmp_path / "problems/half", ("import", source))):
        if made:
            assert call(*made, *folders).exit_code == 0
        assert call("check", package).stdout.endswith("1 checked: 0 errors, 0 warnings\n")
        result = call("verify", package)
        assert result.exit_code == 0, result.output
        assert result.stdout.endswith("1 solutions, none not as expected\n")


@pytest.mark.parametrize(
    ("file", "content", "specimen", "message"),
    [
        ("input_validators/even.py", "exit(42)\n", "invalid_input/odd", "every input validator"),
        (
            "data/invalid_input/deep/test_group.yaml",
            "{}\n",
            "invalid_input/deep-large",
            "every input validator takes it",
        ),
        ("data/invalid_output/twice.out", "4\n", "invalid_output/twice", "takes the output"),
        (
            "data/valid_output/signed.out",
            "-4\n",
            "valid_output/signed",
            "the checker refuses the output. not so",
        ),
        ("data/valid_output/signed.out", "four\n", "valid_output/signed", "the checker fails: "),
        (
            "data/valid_output/signed.ans",
            "four\n",
            "valid_output/signed",
            "the checker fails: validate.py: ",
        ),
    ],
)
def test_a_mistake_is_told(
    tmp_path: Path, file: str, content: str, specimen: str, message: str
) -> None:
    source = written(tmp_path / "half", {**HALF, file: content})
    result = call("verify", source)
    assert result.exit_code == 1
    assert f"half: {specimen}: " in result.stdout
    assert result.stdout.endswith("none not as expected; 1 specimens judged wrongly\n")
    rows = json.loads(call("verify", source, "--json").stdout)
    (row,) = [row for row in rows if "specimen" in row]
    assert row["specimen"] == specimen
    assert message in row["message"]
    assert row["as_expected"] is False


def test_what_cannot_be_tried_is_told(tmp_path: Path) -> None:
    files = {name: text for name, text in HALF.items() if not name.startswith("input_validators/")}
    result = call("check", written(tmp_path / "half", files))
    assert "there is no input validator that could refuse it" in result.output
    result = call("check", written(tmp_path / "one", {**HALF, "data/valid_output/new.out": "1"}))
    assert "new.out: is not used: there is no new.in beside it" in result.output
