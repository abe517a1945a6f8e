"""Review rules against real repositories, in the sandbox, with real git, g++ and CMake."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.grading import Slot, SourceCommit, SourceTree
from judge.results.review.comments import TooSlow, without_comments
from judge.results.review.definition import (
    AllowedHeaders,
    CMakeTarget,
    Definition,
    DefinitionError,
    ForbiddenConstructs,
    ForbiddenPaths,
    ForbiddenPattern,
    Ignored,
    MinimumCommits,
    NoIgnoredFiles,
    RequiredFiles,
    Rule,
    UnchangedFiles,
    load_definition,
)
from judge.results.review.desk import ReviewFailed, open_desk
from judge.results.review.rules import check

Check = Callable[..., list[tuple[str, int | None, str]]]
Files = dict[str, str]


@pytest.fixture(scope="module")
def slot() -> Iterator[Slot]:
    with Slot() as slot:
        yield slot


class Repository:
    """A git repository whose every commit is made by a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "--quiet")

    def git(self, *words: str) -> str:
        environment = os.environ | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            **{
                f"GIT_{who}_{what}": "test"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        done = subprocess.run(
            ["git", "-C", self.folder, *words], check=True, env=environment, stdout=subprocess.PIPE
        )
        return done.stdout.decode().strip()

    def commit(self, files: Files) -> SourceCommit:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", "more")
        return SourceCommit(self.folder, self.git("rev-parse", "HEAD"))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    folder = tmp_path / "repository"
    folder.mkdir()
    return Repository(folder)


@pytest.fixture
def findings(repository: Repository, slot: Slot) -> Check:
    """The findings of one rule on a repository with these files."""

    def call(rule: Rule, files: Files) -> list[tuple[str, int | None, str]]:
        with open_desk(repository.commit(files), slot) as desk:
            (outcome,) = check(desk, [rule])
        assert outcome.passed == (not outcome.findings)
        return [(one.file, one.line, one.message) for one in outcome.findings]

    return call


HEADERS = AllowedHeaders(name="headers", files=("src/vector.hpp",), allowed=("cstdio", "iostream"))


def places(found: list[tuple[str, int | None, str]]) -> list[tuple[str, int | None]]:
    return [(file, line) for file, line, _ in found]


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
    assert findings(HEADERS, files) == [
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


def test_the_preprocessor_is_asked_and_not_the_text(findings: Check) -> None:
    source = """// #include <map>
#define HEADER <queue>
#include HEADER
#  /* here */ include /* there */ <list>
#\\
include <set>
#if 0
#include <deque>
#endif
#include <iostream>
#include <string>
#include "other.hpp"
const char* text = R"(
#include <bitset>
)";
#include "/usr/include/stdio.h"
#include <bits/stdc++.h>
"""
    other = '#pragma once\n#include <algorithm>\n#include "vector.hpp"\n'
    found = findings(HEADERS, {"src/vector.hpp": "#pragma once\n" + source, "src/other.hpp": other})
    assert [(file, line, message.split(",")[0]) for file, line, message in found] == [
        ("src/vector.hpp", 4, "includes <queue>"),
        ("src/vector.hpp", 5, "includes <list>"),
        ("src/vector.hpp", 7, "includes <set>"),
        # iostream has read it before, so the file is not opened again; the directive still counts.
        ("src/vector.hpp", 12, "includes <string>"),
        ("src/other.hpp", 2, "includes <algorithm>"),
        ("src/vector.hpp", 17, "includes </usr/include/stdio.h>"),
        ("src/vector.hpp", 18, "includes <bits/stdc++.h>"),
    ]


@pytest.mark.parametrize(
    "trick",
    [
        '# 1 "/usr/include/x.h" 1 3\n#include <vector>\n# 2 "src/vector.hpp" 2\n',
        '%: 1 "/usr/include/x.h" 1 3\n#include <vector>\n',
        '/* a\n */ # 1 "/usr/include/x.h" 1 3\n#include <vector>\n',
        '#\\\n 1 "/usr/include/x.h" 1 3\n#include <vector>\n',
        '#line 7 "/usr/include/x.h"\n#include <vector>\n',
        'const char* a = R"x(\n# 1 "/usr/include/x.h" 1 3\n)x"; \n#include <vector>\n',
        'const char* a = "R\\"("; \n#include <vector>\n',
        'int a = 1\'000; const char* b = R"(\n)";\n#include <vector>\n',
        "#pragma GCC system_header\n#include <vector>\n",
        '#include "vector"\n',
        "#include_next <vector>\n",
        "#import <vector>\n",
        "#include <no_such_header>\n",
        "#error stop\n",
    ],
)
def test_no_trick_hides_a_header(findings: Check, trick: str) -> None:
    assert findings(HEADERS, {"src/vector.hpp": "#include <cstdio>\n" + trick})


def test_what_is_allowed_passes(findings: Check, tmp_path: Path) -> None:
    template = tmp_path / "template/src"
    template.mkdir(parents=True)
    (template / "vector.hpp").write_text("# include  <climits>\n")
    rule = HEADERS.model_copy(update={"reference": tmp_path / "template"})
    files = {
        "src/vector.hpp": '#include <cstdio>\n#include <climits>\n#include "a.hpp"\n'
        "#include <b.hpp>\n",
        "src/a.hpp": "#pragma once\n#include <iostream>\n#include <iostream>\n",
        "b.hpp": '#ifndef B\n#define B\n#include "src/a.hpp"\n#endif\n',
    }
    assert findings(rule, files) == []
    assert places(findings(HEADERS, {})) == [("src/vector.hpp", 2)]


def test_a_header_that_is_not_there_fails(findings: Check) -> None:
    assert findings(HEADERS, {"a": ""}) == [("src/vector.hpp", None, "is not committed")]


BANNED = ForbiddenConstructs(
    name="banned", files=("main.cpp",), names=("std::vector", "malloc", "std::sort")
)


OUT_OF_CLASS = """using namespace std;
namespace n { template <class T> struct vector { void f(); }; }
template <class T> void n::vector<T>::f() { vector b; }
"""


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("std::vector<int> a;\n", [2]),
        (":: std\n:: vector<int> a;\n", [2]),
        ("using namespace std;\nvector<int> a;\n", [3]),
        ("using std::vector;\nvector<int> a;\n", [2]),
        ("namespace s = std;\ns::vector<int> a;\n", [3]),
        ("#define V(x) std::x<int>\nV(vector) a;\n", [3]),
        ("#define J(a, b) a##b\nstd::J(vec, tor)<int> a;\n", [3]),
        ("using T = std::array<std::vector<int>, 3>;\n", [2]),
        ("template <class T> struct S : std::vector<T> {};\n", [2]),
        ("void f() { auto p = malloc(1); }\nvoid g() { auto p = std::malloc(1); }\n", [2, 3]),
        ("auto p = &malloc;\n", [2]),
        ("void f(int* a) { std::sort(a, a + 3); }\n", [2]),
        ("void f(int* a) { std::sort<int*>(a, a + 3); }\n", [2]),
        ('// std::vector\nconst char* a = "std::vector malloc";\n', []),
        ("namespace sjtu { template <class T> class vector {}; }\nsjtu::vector<int> a;\n", []),
        ("namespace std { using V = vector<int>; }\nstd::V a;\n", [2]),
        ("using namespace std;\nnamespace n { class vector {}; }\nvector<int> a;\n", [4]),
        ("using namespace std;\nnamespace n { class vector {}; vector a; }\n", []),
        (OUT_OF_CLASS, []),
        ('extern "C" void* malloc(unsigned long);\nauto p = malloc(1);\n', [2, 3]),
        ("void* malloc(int) { return 0; }\nauto p = malloc(1);\n", []),
        ("struct S { void malloc(); void f() { malloc(); } };\n", []),
        ("struct S { void malloc(); };\nvoid f(S s) { s.malloc(); }\n", []),
        ("#if 0\nstd::vector<int> a;\n#endif\n", []),
        ("std::vector_like a; mystd::vector b; std::vectors::x c;\n", []),
    ],
)
def test_constructs_are_found_by_syntax(findings: Check, source: str, lines: list[int]) -> None:
    found = findings(BANNED, {"main.cpp": "#include <cstddef>\n" + source})
    assert [line for _, line, _ in found] == lines


def test_constructs_are_found_in_own_headers_too(findings: Check) -> None:
    files = {"main.cpp": '#include "a.hpp"\n#include <vector>\n', "a.hpp": "\nstd::vector<int> a;"}
    assert findings(BANNED, files) == [("a.hpp", 2, "uses std::vector, which is forbidden")]


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


def test_a_lexer_that_does_not_end_is_ended() -> None:
    with pytest.raises(TooSlow):
        without_comments({"a.cpp": "int a; // b"}, seconds=0)
    assert without_comments({"a.cpp": "int a; // b\n"}) == {"a.cpp": "int a;     \n"}


def test_a_macro_that_explodes_is_refused(findings: Check) -> None:
    macros = ["#define A0 int x;"]
    macros += [f"#define A{n} A{n - 1} A{n - 1}" for n in range(1, 22)]
    found = findings(BANNED, {"main.cpp": "\n".join([*macros, "A21"])})
    assert [message for _, _, message in found] == ["is too large once its macros are expanded"]


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


GOOD = """
[[rule]]
kind = "ignored"
name = "Ignore builds"
paths = ["build/"]

[[criterion]]
name = "Readability"
description = "Can it be read?"
"""


def test_a_definition_is_read(tmp_path: Path) -> None:
    path = tmp_path / "007.toml"
    path.write_text(GOOD)
    definition = load_definition(path)
    assert definition.rules == (Ignored(name="Ignore builds", paths=("build/",)),)
    assert definition.criteria[0].name == "Readability"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]]\nkind = 'magic'\nname = 'x'", "does not match any of the expected tags"),
        ("[[rule]]\nname = 'x'", "Unable to extract tag"),
        ("[[rule]]\nkind = 'ignored'\nname = 'x'\npaths = ['a']\nmore = 1", "more: Extra inputs"),
        ("[[rule]]\nkind = 'ignored'\nname = 'x'\npaths = []", "paths: Tuple should have at least"),
        ("[[rule]]\nkind = 'forbidden_pattern'\nname = 'x'\npattern = '('", "regular expression"),
        ("[[criterion]]\nname = 'x'\n[[criterion]]\nname = 'x'", "the name 'x' stands there twice"),
        ("", "neither a rule nor a criterion"),
        ("[", "not TOML"),
        (
            "[[rule]]\nkind='unchanged_files'\nname='x'\nfiles=['a']\nreference='none'",
            "x: there is no folder",
        ),
    ],
)
def test_a_rule_of_unknown_shape_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(DefinitionError) as caught:
        load_definition(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_public_benchmarks_lists_are_read(tmp_path: Path) -> None:
    (tmp_path / "ref").mkdir()
    path = tmp_path / "cr_list.json"
    path.write_text(
        """[
        {"name": "a", "script": "run_1.py", "args": {"entries": ["build/"]}},
        {"name": "b", "args": {"pattern": "goto", "paths": ["a.cpp"]}},
        {"name": "c", "args": {"pattern": "x", "include_suffixes": [".c"], "strip_comments": true}},
        {"name": "d", "args": {"files": ["a"], "allowed": ["cmath"], "reference_root": "ref"}},
        {"name": "e", "args": {"files": ["a"], "reference_root": "ref", "diffs_dir": "d"}},
        {"name": "f", "args": {"files": ["a"]}},
        {"name": "g", "args": {"path": "CMakeLists.txt"}},
        {"name": "h", "description": "clear?", "script": "llm_as_a_judge"}
        ]"""
    )
    definition = load_definition(path)
    assert [rule.kind for rule in definition.rules] == [
        "ignored",
        "forbidden_pattern",
        "forbidden_pattern",
        "allowed_headers",
        "unchanged_files",
        "required_files",
        "cmake_target",
    ]
    assert [criterion.name for criterion in definition.criteria] == ["h"]
    path.write_text('[{"name": "a", "args": {"magic": 1}}]')
    with pytest.raises(DefinitionError, match="a rule with magic is not known"):
        load_definition(path)


def test_an_empty_definition_asks_nothing() -> None:
    with pytest.raises(ValueError, match="neither a rule nor a criterion"):
        Definition()
