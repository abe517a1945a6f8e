"""Packages in and out: archives from strangers, and what stays the same on the way."""

import dataclasses
import io
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.model import Group
from judge.packages import PackageError, Points, archive, load, solutions
from judge.packages.scaffold import KINDS, scaffold
from judge.packages.transfer import export_package, import_package, is_name
from tests.packages.conftest import VALIDATOR, Pack

ROOT = Path(__file__).parents[2]


def plain(value: object) -> object:
    """A problem as plain data, with the names of its files alone."""
    match value:
        case Path():
            return value.name
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _:
            return value


def without_ids(group: Group) -> Group:
    parts = tuple(without_ids(part) for part in group.parts)
    return dataclasses.replace(group, id="", parts=parts)


@pytest.mark.parametrize(
    "package", sorted(ROOT.glob("problems/*/problem.toml")), ids=lambda path: path.parent.name
)
def test_a_package_survives_export_and_import(package: Path, tmp_path: Path) -> None:
    export_package(package.parent, None, tmp_path / "x.zip")
    name = package.parent.name
    new, _ = import_package(tmp_path / "x.zip", tmp_path / "problems", tmp_path / "data", name)
    before, after = (dataclasses.asdict(load(path)) for path in (package.parent, new))
    assert plain(before) == plain(after)
    assert [(entry.name, entry.score) for entry in solutions(new)] == [
        (entry.name, entry.score) for entry in solutions(package.parent)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_scaffold_of_each_kind_is_sound(kind: str, tmp_path: Path) -> None:
    scaffold(kind, "Title", tmp_path / "problems" / "new", tmp_path / "data" / "new")
    assert load(tmp_path / "problems" / "new").title == "Title"
    with pytest.raises(FileExistsError):
        scaffold(kind, "Title", tmp_path / "problems" / "new", tmp_path / "data" / "new")


def test_an_acmoj_archive_becomes_a_native_package(tmp_path: Path) -> None:
    config = {
        "Groups": [{"GroupID": 1, "GroupName": "all", "GroupScore": 100, "TestPoints": [1]}],
        "Details": [{"ID": 1, "Dependency": 0, "TimeLimit": 800, "MemoryLimit": 64 << 20}],
        "SPJ": 1,
        "SupportedFiles": ["help.h"],
    }
    files = {"config.json": json.dumps(config), "1.in": "1", "1.ans": "1", "spj.cpp": "//"}
    files |= {"help.h": "//", "solution.cpp": "int main() {}", "description.md": "# Sorted\n"}
    with zipfile.ZipFile(tmp_path / "1234.zip", "w") as content:
        for name, text in files.items():
            content.writestr(f"1234/{name}", text)
    package, tests = import_package(
        tmp_path / "1234.zip", tmp_path / "problems", tmp_path / "data", "sorted"
    )
    problem = load(package)
    assert (problem.title, problem.slug, problem.points) == ("Sorted", "sorted", 100)
    assert problem.test("1").limits.cpu_ns == 800_000_000
    assert [entry.name for entry in solutions(package)] == ["accepted/solution.cpp"]
    assert sorted(path.name for path in (tests / "judge").iterdir()) == ["help.h", "spj.cpp"]


def test_an_icpc_package_is_the_same_problem_when_it_is_imported(
    pack: Pack, tmp_path: Path
) -> None:
    definition = """
problem_format_version: 2023-07-draft
name: {en: Guess}
type: [scoring, multi-pass]
languages: [python3, rust]
limits: {time_limit: 1.5, validation_passes: 3, validation_time: 4, memory: 99}
"""
    source = pack(
        {
            "problem.yaml": definition,
            **VALIDATOR,
            "input_validators/validate.py": "",
            "data/secret/a.yaml": "args: [x]\noutput_validator_args: [y]\n",
            "data/secret/test_group.yaml": "input_validator_args: [z]\n",
            "data/secret/g/1.in": "",
            "data/secret/g/1.ans": "",
            "data/secret/g/x/1.in": "",
            "data/secret/g/x/1.ans": "",
            "data/secret/g/x/test_group.yaml": "scoring: {score: 30, aggregation: sum}\n",
            "data/secret/g/test_group.yaml": (
                "scoring: {score: 40, aggregation: min, require_pass: sample}\n"
            ),
            "submissions/accepted/a.py": "",
            "submissions/partially_accepted/b.py": "",
            "submissions/submissions.yaml": "partially_accepted: {score: 7}\n",
        }
    )
    new, _ = import_package(source, tmp_path / "problems", tmp_path / "data", "guess")
    before, after = load(source), load(new)
    for name in ("title", "languages", "examples", "passes", "score_map", "source_bytes"):
        assert getattr(before, name) == getattr(after, name), name
    assert [without_ids(group) for group in before.groups] == [
        without_ids(group) for group in after.groups
    ]
    for one, other in zip(before.tests, after.tests, strict=True):
        for name in (
            "id",
            "limits",
            "score_map",
            "arguments",
            "check_arguments",
            "input_arguments",
        ):
            assert getattr(one, name) == getattr(other, name), (one.id, name)
    for find in (lambda problem: problem.check, lambda problem: problem.input_validators[0]):
        assert plain(dataclasses.asdict(find(before))) == plain(dataclasses.asdict(find(after)))
    assert {(entry.name, entry.score) for entry in solutions(new)} == {
        ("accepted/a.py", None),
        ("wrong_answer/b.py", Points(7, 7)),
    }


def zipped(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as content:
        for entry, data in entries:
            content.writestr(entry, data)
    return whole.getvalue()


def link(name: str, target: bytes) -> tuple[zipfile.ZipInfo, bytes]:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry, target


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: zipped(("../../x", b"")), "leads out of the archive"),
        (lambda: zipped(("/x", b"")), "leads out of the archive"),
        (lambda: zipped(("a\\..\\x", b"")), "leads out of the archive"),
        (lambda: zipped(link("x", b"/etc/passwd")), "is neither a file nor a folder"),
        (lambda: zipped(("p/A", b""), ("p/a", b"")), "comes twice, maybe in other letters"),
        (lambda: zipped(*((str(n), b"") for n in range(1001))), "has more than 1000 entries"),
        (lambda: zipped(("bomb", b"\0" * 2_000_000)), "holds more than 1000000 bytes"),
        (lambda: zipped(("p/x", b"")), "holds no package"),
        (lambda: b"PK\3\4 nonsense", "is no zip archive that can be read"),
        (lambda: zipped(("x", os.urandom(999)))[:500], "is no zip archive that can be read"),
        (lambda: b"", "is no zip archive that can be read"),
    ],
)
def test_hostile_archives_write_nothing(
    make: Callable[[], bytes], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_ENTRIES", 1000)
    monkeypatch.setattr(archive, "MOST_BYTES", 1_000_000)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.zip").write_bytes(make())
    with pytest.raises(PackageError, match=reason):
        import_package(tmp_path / "in" / "x.zip", tmp_path / "problems", tmp_path / "data")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written == [tmp_path / "in" / "x.zip"]


def test_all_files_of_a_native_package_survive(tmp_path: Path) -> None:
    package, data = tmp_path / "problems" / "one", tmp_path / "data"
    scaffold("plain", "One", package, data / "one")
    (package / "starter").mkdir()
    (package / "starter" / "begin.py").write_text("pass\n")
    (package / "generate.py").write_text("print(1)\n")
    export_package(package, None, tmp_path / "one.zip")
    new, _ = import_package(tmp_path / "one.zip", tmp_path / "problems", data, "two")
    files = [path.relative_to(package) for path in sorted(package.rglob("*")) if path.is_file()]
    assert Path("starter/begin.py") in files
    assert [(new / file).read_bytes() for file in files] == [
        (package / file).read_bytes() for file in files
    ]


def test_a_package_that_holds_its_tests_is_exported_once(pack: Pack, tmp_path: Path) -> None:
    source = pack({"problem.yaml": "limits: {time_limit: 1}"})
    export_package(source, None, tmp_path / "x.zip")
    with zipfile.ZipFile(tmp_path / "x.zip") as content:
        names = content.namelist()
    assert all(name.startswith("problems/hello/") for name in names)
    new, _ = import_package(tmp_path / "x.zip", tmp_path / "problems", tmp_path / "data")
    assert [test.id for test in load(new).tests] == [test.id for test in load(source).tests]


def test_a_fault_in_an_archive_is_told_by_its_place_there(tmp_path: Path) -> None:
    content = zipped(("p/problem.yaml", b"limits: {memory: lots}\n"), ("p/data/secret/1.in", b""))
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(PackageError) as raised:
        import_package(tmp_path / "x.zip", tmp_path / "problems", tmp_path / "data")
    places = {str(fault.file.relative_to(tmp_path)) for fault in raised.value.faults}
    assert places >= {"x.zip/p/problem.yaml", "x.zip/p/data/secret/1.ans"}


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "-x", "a/b", "\u00fc", "x" * 101])
def test_what_is_no_name_for_a_problem(name: str) -> None:
    assert not is_name(name)


def test_what_is_there_already_is_kept(tmp_path: Path) -> None:
    scaffold("plain", "One", tmp_path / "problems" / "one", tmp_path / "data" / "one")
    export_package(tmp_path / "problems" / "one", None, tmp_path / "one.zip")
    with pytest.raises(PackageError, match="is there already"):
        export_package(tmp_path / "problems" / "one", None, tmp_path / "one.zip")
    with pytest.raises(PackageError, match="is there already"):
        import_package(tmp_path / "one.zip", tmp_path / "problems", tmp_path / "data", "one")
    with pytest.raises(PackageError, match="is no name for a problem"):
        import_package(tmp_path / "one.zip", tmp_path / "problems", tmp_path / "data", "../x")
