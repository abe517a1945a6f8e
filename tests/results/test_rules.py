"""Review rules against real repositories, in the sandbox, with real git, g++ and CMake."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from judge.grading import Slot, SourceCommit, SourceTree
from judge.results.review.bounded import TooSlow, bounded
from judge.results.review.definition import (
    AllowedHeaders,
    CMakeTarget,
    ForbiddenPaths,
    ForbiddenPattern,
    Ignored,
    MinimumCommits,
    NoIgnoredFiles,
    RequiredFiles,
    Rule,
    UnchangedFiles,
)
from judge.results.review.desk import ReviewFailed, open_desk
from judge.results.review.rules import check
from tests.results.repositories import Check, Repository, places


def test_all_of_the_issue_is_found_with_its_line(findings: Check) -> None:
    files = {
        "src/vector.hpp": "#pragma once\n#include<cstdio>\n#include<vector>\n",
        "CMakeFiles/cache.txt": "x",
        ".gitignore": "# built\n*.log\n",
        "run.log": "x",
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n"
        "\nadd_executable(code_x main.cpp)\n",
        "main.cpp": "int main() {}\n",
    }
    headers = AllowedHeaders(name="headers", files=("src/vector.hpp",), allowed=("cstdio",))
    assert findings(headers, files) == [
        ("src/vector.hpp", 3, "includes <vector>, which is not allowed")
    ]
    paths = ForbiddenPaths(name="build", patterns=("CMakeFiles/", "*.o"))
    assert findings(paths, files) == [("CMakeFiles/cache.txt", None, "must not be committed")]
    assert findings(NoIgnoredFiles(name="ignored"), files) == [
        (".gitignore", 2, "ignores run.log (*.log), which is committed")
    ]
    assert findings(CMakeTarget(name="code"), files) == [
        ("CMakeLists.txt", 4, "makes the executable code_x, not code")
    ]


def test_gitignore_is_asked_of_git(findings: Check) -> None:
    rule = Ignored(name="ignored", paths=("build/", "*.o", "code", "sub/x.tmp"))
    covered = {".gitignore": "/build\n*.[oa]\ncode\n!keep\n", "sub/.gitignore": "*.tmp\n"}
    assert findings(rule, covered) == []
    partly = {".gitignore": "# *.o\nbuild/*\n!build/probe\ncode\n", "sub/.gitignore": ""}
    assert findings(rule, partly) == [
        (".gitignore", None, "does not cover build/"),
        (".gitignore", None, "does not cover *.o"),
        (".gitignore", None, "does not cover sub/x.tmp"),
    ]


def test_patterns_spare_comments(findings: Check) -> None:
    rule = ForbiddenPattern(name="goto", pattern=r"\bgoto\b", files=("*.cpp", "*.py"))
    files = {
        "a.cpp": '// goto\n/* goto\n goto */ int a; const char* u = "// x"; goto b;\n',
        "b.cpp": 'const char* r = R"(// )"; goto c;\n#define G goto\n',
        "c.py": "# goto\nx = '# y'; goto = 1\n",
        "d.txt": "goto\n",
    }
    assert places(findings(rule, files)) == [("a.cpp", 3), ("b.cpp", 1), ("b.cpp", 2), ("c.py", 2)]
    everywhere = rule.model_copy(update={"comments": True, "files": ()})
    assert len(findings(everywhere, files)) == 8


def test_a_pattern_that_does_not_end_is_ended(findings: Check) -> None:
    rule = ForbiddenPattern(name="words", pattern=r"(\w+\s?)+;$", seconds=1)
    said = (
        "the search for '(\\\\w+\\\\s?)+;$' takes more than 1 s; a simpler pattern may be quicker"
    )
    assert findings(rule, {"a.txt": "a" * 60 + "!\n"}) == [("", None, said)]
    patient = rule.model_copy(update={"seconds": 60})
    assert findings(patient, {"a.txt": "int a;\n"}) == [
        ("a.txt", 1, "has 'int a;', which is forbidden")
    ]


def test_a_function_that_does_not_end_is_ended() -> None:
    with pytest.raises(TooSlow):
        bounded(0.5, time.sleep, 60)
    assert bounded(60, sorted, [2, 1]) == [1, 2]


def test_names_that_are_no_text_are_told_all_the_same(repository: Repository, slot: Slot) -> None:
    folder = os.fsencode(repository.folder)
    for name in (b"\xff.log", b"\xfe.cpp"):
        (Path(os.fsdecode(folder + b"/" + name))).write_text("goto\n")
    rules: list[Rule] = [
        NoIgnoredFiles(name="a"),
        ForbiddenPaths(name="b", patterns=("*.log",)),
        ForbiddenPattern(name="c", pattern="goto"),
    ]
    with open_desk(repository.commit({".gitignore": "*.log\n"}), slot) as desk:
        outcomes = check(desk, rules)
    assert [len(outcome.findings) for outcome in outcomes] == [1, 1, 2]
    assert all(outcome.model_dump_json() for outcome in outcomes)


def test_required_and_unchanged_files(findings: Check, tmp_path: Path) -> None:
    rule = RequiredFiles(name="there", files=("a.txt", "b.txt"))
    assert findings(rule, {"a.txt": ""}) == [("b.txt", None, "is not committed")]
    reference = tmp_path / "reference"
    reference.mkdir()
    (reference / "a.txt").write_text("one\ntwo\n")
    unchanged = UnchangedFiles(name="same", files=("a.txt",), reference=reference)
    assert findings(unchanged, {"a.txt": "one\ntwo\n"}) == []
    assert places(findings(unchanged, {"a.txt": "one\nTwo\n"})) == [("a.txt", 2)]
    assert places(findings(unchanged, {"a.txt": "one\ntwo\nthree"})) == [("a.txt", 3)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("project(p CXX)\nset(n code)\nadd_executable(${n} main.cpp)\n", []),
        ("project(p CXX)\n# add_executable(code main.cpp)\n", ["makes no executable, so none"]),
        ("project(p CXX)\nadd_library(code main.cpp)\n", ["makes no executable, so none"]),
        ("nonsense(\n", ["CMake refuses it"]),
    ],
)
def test_cmake_is_asked_for_its_targets(findings: Check, text: str, found: list[str]) -> None:
    text = "cmake_minimum_required(VERSION 3.16)\n" + text
    said = findings(CMakeTarget(name="t"), {"CMakeLists.txt": text, "main.cpp": "int main() {}"})
    assert len(said) == len(found)
    assert all(message.startswith(word) for (_, _, message), word in zip(said, found, strict=True))


def test_commits_are_counted_over_the_full_history(
    repository: Repository, slot: Slot, tmp_path: Path
) -> None:
    for number in range(3):
        source = repository.commit({"a": str(number)})
    rule = MinimumCommits(name="commits", commits=4)
    with open_desk(source, slot) as desk:
        assert desk.commits == 3
        assert not check(desk, [rule])[0].passed
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{repository.folder}", tmp_path / "shallow"],
        check=True,
    )
    shallow = SourceCommit(tmp_path / "shallow", source.commit)
    with pytest.raises(ReviewFailed, match="not complete"), open_desk(shallow, slot):
        pass


def test_a_folder_has_no_history(slot: Slot, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with open_desk(SourceTree(tmp_path), slot) as desk:
        assert (desk.files, desk.commits) == (("a.txt",), None)
        with pytest.raises(ReviewFailed, match="no commits to count"):
            check(desk, [MinimumCommits(name="c", commits=1)])


def test_a_hostile_tree_leads_nowhere(repository: Repository, slot: Slot) -> None:
    (repository.folder / "link").symlink_to("/etc/passwd")
    (repository.folder / ".adjudge-review").symlink_to("/etc")
    (repository.folder / ".gitconfig").write_text("[core]\n\tfsmonitor = touch /work/pwned\n")
    with open_desk(repository.commit({"a.txt": "x\n"}), slot) as desk:
        assert desk.read("link") is None
        assert desk.read("../../etc/passwd") is None
        pattern = ForbiddenPattern(name="root", pattern="root")
        assert check(desk, [pattern])[0].passed
        assert desk.read("pwned") is None
