"""Ten faults, each sown into a copy of a sample problem: `adjudge problem check` names each."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli.main import adjudge

ROOT = Path(__file__).parents[2]
Sow = Callable[[Path, Path], object]


def changed(old: str, new: str) -> Sow:
    """Something else in the definition."""

    def sow(package: Path, _: Path) -> None:
        text = (package / "problem.toml").read_text()
        assert text.count(old) == 1
        (package / "problem.toml").write_text(text.replace(old, new))

    return sow


def added(text: str) -> Sow:
    """More at the end of the definition."""

    def sow(package: Path, _: Path) -> None:
        with (package / "problem.toml").open("a") as file:
            file.write(text)

    return sow


FAULTS: dict[str, tuple[Sow, str, str]] = {
    "a typo": (changed("compare =", "compair ="), "problem.toml", 'did you mean "compare"?'),
    "no answer": (lambda _, tests: (tests / "007.ans").unlink(), "007.ans", "answer of test 007"),
    "a test of no group": (
        lambda _, tests: (tests / "101.in").touch(),
        "101.in",
        "no group has a test that uses this file",
    ),
    "a test of two groups": (
        changed('"097..100"', '"096..100"'),
        "096",
        "test 096 is in 2 groups",
    ),
    "a cycle": (
        added('[tests.001]\nafter = "002"\n[tests.002]\nafter = "001"\n'),
        "problem.toml",
        '"002" is not a test that is judged before this one',
    ),
    "names that differ in case": (
        lambda package, _: shutil.copy(package / "statement.md", package / "Statement.md"),
        "Statement.md",
        "another name differs from this one in case only",
    ),
    "CRLF": (
        lambda _, tests: (tests / "050.in").write_bytes(b"1 2\r\n"),
        "050.in",
        "has lines that end in CRLF",
    ),
    "a byte order mark": (
        lambda _, tests: (tests / "050.in").write_bytes(b"\xef\xbb\xbf1 2\n"),
        "050.in",
        "begins with a byte order mark",
    ),
    "more memory than there is": (
        changed('memory = "64MiB"', 'memory = "64TiB"'),
        "sum",
        "more than this machine has",
    ),
    "a sample that is not so": (
        lambda _, tests: (tests / "001.ans").write_text("3\n"),
        "statement.md",
        "example 1 has another output than the answer of test 001",
    ),
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the sample `sum`."""
    for folder in ("problems/sum", "data/sum"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path / "problems" / "sum"


def check(package: Path) -> list[dict[str, str]]:
    found = CliRunner().invoke(adjudge, ["problem", "check", str(package), "--strict", "--json"])
    faults: list[dict[str, str]] = json.loads(found.stdout)
    assert found.exit_code == bool(faults)
    return faults


def test_the_sample_is_sound(package: Path) -> None:
    assert check(package) == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_file_and_reason(package: Path, name: str) -> None:
    sow, file, reason = FAULTS[name]
    sow(package, package.parents[1] / "data" / "sum")
    found = [(Path(fault["file"]).name, fault["reason"]) for fault in check(package)]
    assert any(where == file and reason in why for where, why in found), found
