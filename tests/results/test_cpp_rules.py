"""Rules on C++: headers are asked of the preprocessor, names of the syntax tree."""

from pathlib import Path

import pytest

from judge.grading import Slot
from judge.results.review.definition import AllowedHeaders, ForbiddenConstructs
from judge.results.review.desk import open_desk
from judge.results.review.preprocessor import preprocess
from tests.results.repositories import Check, Repository, places

HEADERS = AllowedHeaders(name="headers", files=("src/vector.hpp",), allowed=("cstdio", "iostream"))


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


def test_comments_without_end_are_read_all_the_same(findings: Check) -> None:
    source = "/**/" * 5000 + "int a;\n" + "/*\n" * 5000 + "*/\n#include <cstdio>\n#include <map>\n"
    assert places(findings(HEADERS, {"src/vector.hpp": source})) == [("src/vector.hpp", 5004)]


def test_what_takes_too_long_to_understand_is_refused(repository: Repository, slot: Slot) -> None:
    with open_desk(repository.commit({"a.hpp": "int a;\n"}), slot) as desk:
        found = preprocess(desk, "a.hpp", ["."], seconds=1e-6)
    assert found.fault == ("a.hpp", None, "takes too long to be understood")


def test_a_macro_that_explodes_is_refused(findings: Check) -> None:
    macros = ["#define A0 " + "x" * 100]
    macros += [f"#define A{n} A{n - 1} A{n - 1}" for n in range(1, 17)]
    found = findings(BANNED, {"main.cpp": "\n".join([*macros, "A16"])})
    assert [message for _, _, message in found] == ["is too large once its macros are expanded"]
