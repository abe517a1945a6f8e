"""The policy of the leak check, case by case."""

from collections.abc import Callable

import pytest

from judge.grading import Source, SourceText, SourceTree
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

HEAD = """
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
static void* volatile keep;
static void lose(int n) { keep = malloc(n); keep = nullptr; }
struct Node { Node* next; };
"""
# Where a program needs them: a compiler takes five times as long to read them.
MEMORY, STRING, THREAD, VECTOR = (
    f"#include <{name}>\n" for name in ("memory", "string", "thread", "vector")
)
RING = MEMORY + "struct S; using P = std::shared_ptr<S>; struct S { P s; };"
LEAK, FINE, ERROR = Verdict.MEMORY_LEAK, Verdict.ACCEPTED, Verdict.RUNTIME_ERROR
CASES = {
    "nothing": ("int main() {}", FINE),
    "lost": ("int main() { lose(16); }", LEAK),
    "lost indirectly": (
        "int main() { Node* volatile a = new Node{new Node{}}; a = nullptr; }",
        LEAK,
    ),
    "lost in a ring": (
        "int main() { Node* a = new Node{}; a->next = new Node{a}; keep = a; keep = a = nullptr; }",
        LEAK,
    ),
    "lost possibly": (
        "int main() { char* volatile a = (char*)malloc(64); keep = a + 8; a = nullptr; }",
        LEAK,
    ),
    "still reachable": ("int main() { keep = malloc(64); }", FINE),
    "exit with a live local": (
        VECTOR + "int main() { std::vector<int> v(9); keep = &v; exit(0); }",
        FINE,
    ),
    "_exit": (VECTOR + "int main() { std::vector<int> v(9); keep = &v; _exit(0); }", FINE),
    "a global container": (
        STRING + VECTOR + "std::vector<std::string> global;"
        "int main() { global.resize(99, std::string(99, 'x')); }",
        FINE,
    ),
    "a leak in a forked child": (
        "int main() { if (!fork()) { lose(9); _exit(0); } wait(nullptr); }",
        LEAK,
    ),
    "a leak through a thrown exception": (
        "int main() { try { int* volatile p = new int[9]; if (p) throw 1; } catch (int) {} }",
        LEAK,
    ),
    "an exception without a leak": (
        MEMORY
        + "int main() { try { auto p = std::make_unique<int>(1); throw 1; } catch (int) {} }",
        FINE,
    ),
    "a few shared_ptr rings": (
        RING + "int main() { for (int i = 0; i < 9; ++i) { P a(new S); a->s = a; } }",
        LEAK,
    ),
    "a joined thread": (
        THREAD + "int main() { std::thread([] { int x = 1; (void)x; }).join(); }",
        FINE,
    ),
    "an invalid write": (
        "int main() { volatile int* p = new int[2]; p[2] = 1; delete[] p; }",
        ERROR,
    ),
    "a read after free": (
        "int main() { keep = malloc(4); free(keep); return *(int*)keep == 987654; }",
        ERROR,
    ),
    "freed twice": ("int main() { void* volatile p = malloc(2); free(p); free(p); }", ERROR),
    "a null pointer": ("int main() { *(int* volatile)nullptr = 1; }", ERROR),
    "a leak and an exit code": ("int main() { lose(2); return 3; }", ERROR),
    "a leak and much on stderr": (
        'int main() { for (int i = 0; i < 9999; ++i) fputs("<error>\\n", stderr); lose(9); }',
        LEAK,
    ),
}


# What the quick check does not see: accesses; and a pointer into a block keeps it reachable there.
UNSEEN_BY_LSAN = {"lost possibly": FINE, "an invalid write": FINE, "a read after free": FINE}


@pytest.fixture
def problem(make: Make) -> Problem:
    return make("[tests.1]\nleak_check = true", [("", "")])


@pytest.mark.parametrize("name", CASES)
def test_valgrind(judge: Judge, problem: Problem, name: str) -> None:
    source, expected = CASES[name]
    outcome = judge(problem, SourceText("cpp", (HEAD + source).encode()))
    assert outcome.verdict is expected, outcome.groups


# To free twice is undefined, and the sanitizer's allocator may let it pass: nothing is promised.
@pytest.mark.parametrize("name", [name for name in CASES if name != "freed twice"])
def test_lsan(judge: Judge, make: Make, name: str) -> None:
    source, expected = CASES[name]
    problem = make('[tests.1]\nleak_check = "lsan"', [("", "")])
    outcome = judge(problem, SourceText("cpp", (HEAD + source).encode()))
    assert outcome.verdict is UNSEEN_BY_LSAN.get(name, expected), outcome.groups


def test_lsan_says_where_it_cannot_watch(
    judge: Judge, make: Make, tree: Callable[..., SourceTree]
) -> None:
    problem = make('[tests.1]\nleak_check = "lsan"', [("", "")])
    makefile = "code: main.c\n\tgcc -static -o code main.c\n"
    source = tree({"main.c": "int main(void) { return 0; }", "Makefile": makefile})
    result = judge(problem, source).groups[0].results[0]
    assert result.verdict is ERROR
    assert "linked statically" in result.message


def test_how_much_was_lost_is_told(judge: Judge, problem: Problem) -> None:
    source = HEAD + "int main() { lose(16); lose(24); }"
    outcome = judge(problem, SourceText("cpp", source.encode()))
    assert outcome.groups[0].results[0].message == "40 bytes lost in 2 blocks."


def test_where_memory_was_misused_is_told(judge: Judge, problem: Problem) -> None:
    source = b"int main() {\nvolatile int* p = new int[2];\np[2] = 1;\ndelete[] p;\n}\n"
    outcome = judge(problem, SourceText("cpp", source))
    message = outcome.groups[0].results[0].message
    assert message == "Invalid write of size 4 in main (main.cpp:3)."
    null = b"int main() {\n*(int* volatile)nullptr = 1;\n}\n"
    message = judge(problem, SourceText("cpp", null)).groups[0].results[0].message
    assert message == "Died of SIGSEGV. Invalid write of size 4 in main (main.cpp:2)."


def test_a_wrong_answer_outranks_a_leak(judge: Judge, make: Make) -> None:
    problem = make("[tests.1]\nleak_check = true", [("", "right\n")])
    source = HEAD + 'int main() { lose(9); puts("wrong"); }'
    assert judge(problem, SourceText("cpp", source.encode())).verdict is Verdict.WRONG_ANSWER


def test_a_slow_check_is_not_the_program_s_fault(judge: Judge, make: Make) -> None:
    """A quarter of the time limit alone, some times the limit under memcheck."""
    problem = make('[limits]\ntime = "200ms"\n[tests.1]\nleak_check = true', [("", "")])
    source = (
        HEAD + "int main() { for (int i = 0; i < 1000000; ++i) { keep = malloc(9); free(keep); } }"
    )
    outcome = judge(problem, SourceText("cpp", source.encode()))
    assert outcome.verdict is Verdict.ACCEPTED
    assert outcome.usage is not None
    assert outcome.usage.cpu_ns > 200_000_000


def test_deep_recursion_has_the_stack_that_it_has_without_the_check(
    judge: Judge, problem: Problem
) -> None:
    source = "int f(int n) { volatile char a[1000]; a[0] = n; return n ? f(n - 1) + a[0] : 0; }"
    source += "int main() { return f(50000) & 0; }"
    assert judge(problem, SourceText("cpp", source.encode())).verdict is Verdict.ACCEPTED


def test_a_program_that_removes_its_report_gains_nothing(judge: Judge, problem: Problem) -> None:
    source = HEAD + 'int main() { lose(9); return system("rm -r /tmp/leaks") & 0; }'
    outcome = judge(problem, SourceText("cpp", source.encode()))
    assert outcome.verdict is Verdict.RUNTIME_ERROR
