"""Faults that are sown into a sound package, and found without running anything."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.packages import Fault, check
from tests.packages.conftest import Pack

Sow = Callable[[Path, Path], object]


def replaced(name: str, old: str, new: str) -> Sow:
    def sow(package: Path, _: Path) -> None:
        file = package / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))

    return sow


def appended(text: str) -> Sow:
    def sow(package: Path, _: Path) -> None:
        with (package / "problem.toml").open("a") as file:
            file.write(text)

    return sow


FAULTS: dict[str, tuple[Sow, str]] = {
    "a typo in a key": (replaced("problem.toml", "points", "point"), 'did you mean "points"?'),
    "a missing answer": (
        lambda _, tests: (tests / "1.ans").unlink(),
        "answer of test 1 is missing",
    ),
    "a cycle": (
        appended('[tests.1]\nafter = "2"\n[tests.2]\nafter = "1"\n'),
        '"2" is not a test that is judged before this one',
    ),
    "a sample that is not so": (
        lambda _, tests: (
            (tests / "1.in").write_text("7\n"),
            (tests / "1.ans").write_text("8\n"),
        ),
        "example 1 has another output than the answer of test 1",
    ),
    "a test of no group": (
        lambda _, tests: (tests / "9.in").write_text(""),
        "no group has a test that uses this file",
    ),
    "a test of two groups": (
        appended('[[group]]\npoints = 1\ntests = ["2"]\n'),
        "test 2 is in 2 groups",
    ),
    "names that differ in case": (
        lambda package, _: [(package / name).write_text("") for name in ("a", "A")],
        "differs from this one in case only",
    ),
    "CRLF": (lambda _, tests: (tests / "2.in").write_bytes(b"2\r\n"), "end in CRLF"),
    "a byte order mark": (
        lambda _, tests: (tests / "2.in").write_bytes(b"\xef\xbb\xbf2\n"),
        "begins with a byte order mark",
    ),
    "more memory than there is": (
        appended('[tests.1]\nmemory = "900TiB"\n'),
        "more than this machine has",
    ),
    "a wall limit below the CPU limit": (
        appended('[tests.1]\ntime = "5s"\nwall = "1s"\n'),
        "less than the CPU time",
    ),
    "points out of reach": (
        appended("[score]\npoints = [[0, 0], [10, 0.5]]\n"),
        "no raw score gives all of the points",
    ),
    "no points at all": (replaced("problem.toml", "100", "0"), "give no points"),
    "a folder named after no verdict": (
        lambda package, _: (package / "solutions" / "right").mkdir(),
        "is named after no verdict, or empty",
    ),
    "an expected score of nothing": (
        appended('[expected]\n"wrong_answer/x.py" = 1\n'),
        "there is no solution solutions/wrong_answer/x.py",
    ),
}


@pytest.fixture
def sound(package: Path) -> Path:
    (package / "solutions" / "accepted").mkdir(parents=True)
    (package / "solutions" / "accepted" / "echo.py").write_text("print(input())\n")
    return package


def found(package: Path) -> tuple[Fault, ...]:
    return check(package)


def test_a_sound_package(sound: Path) -> None:
    assert found(sound) == ()


@pytest.mark.parametrize("name", FAULTS)
def test_fault(sound: Path, tmp_path: Path, name: str) -> None:
    sow, reason = FAULTS[name]
    sow(sound, tmp_path / "data" / "echo")
    assert any(reason in fault.reason for fault in found(sound)), found(sound)


def test_no_accepted_solution(package: Path) -> None:
    (fault,) = found(package)
    assert fault.is_warning
    assert fault.reason == "there is no accepted solution"


def test_the_nested_data_of_an_icpc_package(pack: Pack) -> None:
    folder = pack(
        {
            "problem.yaml": "limits: {time_limit: 1}",
            "data/secret/group/x.in": "\ufeff1\r\n",
            "data/secret/group/x.ans": "1\n",
            "data/secret/group/y.ans": "1\n",
            "data/invalid_inputs/x.in": "no\r\n",
            "Data/Secret/a.in": "",
            "submissions/accepted/a.py": "",
        }
    )
    (folder / "data" / "secret" / "group" / "x.in").write_bytes(b"\xef\xbb\xbf1\r\n")
    assert {
        (fault.file.relative_to(folder).as_posix(), fault.reason) for fault in check(folder)
    } == {
        ("data/secret/group/y.ans", "no group has a test that uses this file"),
        ("data/secret/group/x.in", "begins with a byte order mark"),
        ("data/secret/group/x.in", "has lines that end in CRLF"),
        ("data/secret/a.in", "another name differs from this one in case only"),
        ("Data/Secret/a.in", "another name differs from this one in case only"),
    }
