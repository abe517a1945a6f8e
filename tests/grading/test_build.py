"""What builds, what does not, and what its author is told."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.grading import GradingError, Source, SourceCommit, SourceText, SourceTree
from judge.model import Outcome, Problem, Verdict
from tests.grading.conftest import git

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]
Tree = Callable[[Mapping[str, str]], SourceTree]
Commit = Callable[[Mapping[str, str]], SourceCommit]

ECHO = '#include <iostream>\nint main() { int x; std::cin >> x; std::cout << x << "\\n"; }\n'
MAKEFILE = "code: main.cpp\n\tg++ -o code main.cpp\n"
CMAKE = """cmake_minimum_required(VERSION 3.10)
project(echo CXX)
add_executable(code main.cpp)
"""


@pytest.mark.parametrize(
    "files",
    [
        {"Makefile": MAKEFILE},
        {"makefile": MAKEFILE},
        {"GNUmakefile": MAKEFILE},
        {"CMakeLists.txt": CMAKE},
        {"src/CMakeLists.txt": "", "CMakeLists.txt": CMAKE, "a b.txt": "", "ü": "", "-o": ""},
        {"Makefile": MAKEFILE, "root": "-> /", "up": "-> ../..", "itself": "-> itself"},
    ],
    ids=["Makefile", "makefile", "GNUmakefile", "CMake", "odd names", "links to everything"],
)
def test_a_repository_is_built_with_what_it_has(
    judge: Judge, make: Make, commit: Commit, files: dict[str, str]
) -> None:
    source = commit({"main.cpp": ECHO, **files})
    outcome = judge(make(), source)
    assert outcome.verdict is Verdict.ACCEPTED, outcome.message
    assert outcome.message.startswith(f"Using git commit {source.commit}")


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "The repository is empty."),
        ({"main.cpp": ECHO}, "The repository has no CMakeLists.txt and no makefile in its root"),
        ({"Makefile": "all:\n\ttrue\n"}, "must leave a regular file `code` in the repository's"),
        ({"Makefile": "all:\n\tln -s /etc/passwd code\n"}, "it is a symbolic link"),
        ({"Makefile": "all:\n\tmkdir code\n"}, "it is a folder"),
        ({"Makefile": "all:\n\tmkfifo code\n"}, "it is something else"),
        ({"Makefile": "all:\n\techo gone wrong >&2; exit 3\n"}, "gone wrong\nmake: *** "),
        ({"Makefile": "all:\n\t@kill -9 $$PPID\n"}, "make: Died of SIGKILL."),
        ({"CMakeLists.txt": "message(FATAL_ERROR no)"}, "CMake Error at CMakeLists.txt:1"),
        ({"Makefile": "-> /etc/passwd"}, "Makefile:1: ***"),
    ],
)
def test_a_repository_that_does_not_build(
    judge: Judge, make: Make, tree: Tree, files: dict[str, str], sentence: str
) -> None:
    outcome = judge(make(), tree(files))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert sentence in outcome.message
    assert "root:x:" not in outcome.message


def test_an_empty_commit(judge: Judge, make: Make, commit: Commit) -> None:
    source = commit({})
    outcome = judge(make(), source)
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert outcome.message == f"Using git commit {source.commit}\nThe repository is empty."


def test_a_commit_that_is_not_there_is_a_fault_of_ours(
    judge: Judge, make: Make, commit: Commit
) -> None:
    source = commit({"Makefile": MAKEFILE})
    with pytest.raises(GradingError, match="git"):
        judge(make(), SourceCommit(source.git_dir, "0" * 40))
    with pytest.raises(GradingError, match="is not a git repository"):
        judge(make(), SourceCommit(Path("/nowhere"), source.commit))


def test_nothing_of_the_repository_is_run_or_filtered_but_the_build(
    judge: Judge, make: Make, commit: Commit
) -> None:
    """Hooks, filters, fsmonitor and large-file pointers: git in the box knows of none of them."""
    source = commit(
        {
            "main.cpp": ECHO,
            "Makefile": "code: main.cpp\n\ttest ! -e .git && g++ -o code main.cpp\n",
            ".gitattributes": "*.cpp filter=evil\nMakefile export-ignore\n*.bin filter=lfs\n",
            "big.bin": "version https://git-lfs.github.com/spec/v1\n",
            ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = file:///etc\n',
        }
    )
    config = source.git_dir / ".git" / "config"
    config.write_text(
        config.read_text()
        + '[core]\n\tfsmonitor = "touch /work/evil; false"\n\thooksPath = /work\n'
        + '[filter "evil"]\n\tsmudge = "sed s/x/y/"\n\trequired = true\n'
    )
    assert judge(make(), source).verdict is Verdict.ACCEPTED


def test_the_build_sees_neither_network_nor_tests_nor_leftovers(
    judge: Judge, make: Make, tree: Tree
) -> None:
    problem = make()
    data = problem.tests[0].answer
    assert data is not None
    probe = f"test ! -e {data} && test ! -e /work/../data && ! getent hosts example.org"
    outcome = judge(
        problem,
        tree({"main.cpp": ECHO, "Makefile": f"code:\n\t{probe}\n\tg++ -o code main.cpp\n"}),
    )
    assert outcome.verdict is Verdict.ACCEPTED, outcome.message


def test_a_build_that_never_ends(judge: Judge, make: Make, tree: Tree) -> None:
    problem = make('[build]\ntime = "300ms"')
    outcome = judge(problem, tree({"Makefile": "all:\n\twhile :; do :; done\n"}))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert outcome.message.startswith("make: More CPU time than 0.3 s.")


def test_warnings_are_handed_on(judge: Judge, make: Make) -> None:
    outcome = judge(make(), SourceText("cpp", b"#warning careful\n" + ECHO.encode()))
    assert outcome.verdict is Verdict.ACCEPTED
    assert "careful" in outcome.message


@pytest.mark.parametrize(
    "source",
    [
        "int main() { return x; }",
        '#error "<img src=x onerror=alert(1)>"',
        "#include </dev/random>",
        "#include </dev/zero>",
        "#include __FILE__",
        '#include "/etc/shadow"',
        "template<int n> struct A { A<n + 1> a; }; A<0> a;",
        "static char a[1 << 30] = {1}; int main() { return a[getpid()]; }",
        "\0\xff\ud800",
    ],
)
def test_hostile_sources_end_as_compile_errors(judge: Judge, make: Make, source: str) -> None:
    problem = make('[build]\ntime = "5s"\nmemory = "512MiB"')
    text = source.encode("utf-8", errors="surrogatepass")
    outcome = judge(problem, SourceText("cpp", text))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert 0 < len(outcome.message.encode()) <= 4096
    assert "\0" not in outcome.message
    assert "/work/" not in outcome.message
    assert "root:x:" not in outcome.message


OVERLAY = {"overlay/score.h": "#define SCORE 7\n", "overlay/src/rule.h": "#define RULE 0\n"}
SCORER = '#include <cstdio>\n#include "score.h"\n#include "src/rule.h"\n'
SCORER += 'int main() { std::printf("%d\\n", SCORE + RULE); }\n'


@pytest.mark.parametrize(
    "theirs",
    [
        {},
        {"score.h": "#define SCORE 8\n", "src/rule.h": "#define RULE 1\n"},
        {"score.h": "-> main.cpp", "src": "-> /tmp"},
        {"score.h/x": "", "src/rule.h/y": ""},
    ],
    ids=["absent", "files", "links", "folders"],
)
def test_the_overlay_wins(judge: Judge, make: Make, tree: Tree, theirs: dict[str, str]) -> None:
    problem = make(files=OVERLAY)
    outcome = judge(problem, tree({"main.cpp": SCORER, "Makefile": MAKEFILE, **theirs}))
    assert outcome.verdict is Verdict.ACCEPTED, outcome


def test_a_program_of_no_known_format(judge: Judge, make: Make, tree: Tree) -> None:
    outcome = judge(make(), tree({"Makefile": "all:\n\techo nonsense > code\n"}))
    assert outcome.verdict is Verdict.RUNTIME_ERROR
    message = outcome.groups[0].results[0].message
    assert message == "The program cannot be started: Exec format error."


NO_SUBMODULES = (
    "Submodules are not fetched, so these folders are empty (commit their files in their place):"
)
LFS_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def test_what_a_commit_lacks_is_said(judge: Judge, make: Make, commit: Commit) -> None:
    """Submodules are not fetched, and of LFS files there are pointers alone. What builds without
    them is judged."""
    files = {
        "main.cpp": ECHO,
        "Makefile": MAKEFILE,
        ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
        "a.bin": LFS_POINTER,
        "whole.bin": "0123",
        "pointer.txt": LFS_POINTER,
    }
    source = commit(files)
    module = f"160000,{source.commit},lib/x y"
    git(source.git_dir, "update-index", "--add", "--cacheinfo", module)
    git(source.git_dir, "commit", "--quiet", "--message", "with a submodule")
    lacking = SourceCommit(source.git_dir, git(source.git_dir, "rev-parse", "HEAD").strip())

    assert judge(make(), source).message.count("\n") == 1
    outcome = judge(make(), lacking)
    assert outcome.verdict is Verdict.ACCEPTED
    assert outcome.message.splitlines()[1:] == [
        f"{NO_SUBMODULES} lib/x y",
        "Of these files there are Git LFS pointers alone (commit them without LFS): a.bin",
    ]


def test_what_a_commit_lacks_is_said_where_the_build_fails(
    judge: Judge, make: Make, commit: Commit
) -> None:
    source = commit({"Makefile": "all:\n\tcat lib/x/code\n"})
    git(source.git_dir, "update-index", "--add", "--cacheinfo", f"160000,{source.commit},lib/x")
    git(source.git_dir, "commit", "--quiet", "--message", "with a submodule")
    lacking = SourceCommit(source.git_dir, git(source.git_dir, "rev-parse", "HEAD").strip())

    outcome = judge(make(), lacking)

    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert f"{NO_SUBMODULES} lib/x\n" in outcome.message
    assert "No such file" in outcome.message


def mktree(git_dir: Path, entries: str) -> str:
    command = ["git", "-C", str(git_dir), "mktree"]
    done = subprocess.run(command, input=entries, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def test_a_tree_that_unfolds_without_end(judge: Judge, make: Make, commit: Commit) -> None:
    """Eleven objects in the pack, ten thousand million files in the tree."""
    source = commit({"f": "x"})
    name, kind = git(source.git_dir, "rev-parse", "HEAD:f").strip(), "100644 blob"
    for _ in range(10):
        entries = "".join(f"{kind} {name}\td{number}\n" for number in range(10))
        name, kind = mktree(source.git_dir, entries), "040000 tree"
    bomb = git(source.git_dir, "commit-tree", "-m", "bomb", name).strip()

    outcome = judge(make('[build]\nmemory = "128MiB"'), SourceCommit(source.git_dir, bomb))

    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert "The tree of the commit cannot be read within the limits" in outcome.message
