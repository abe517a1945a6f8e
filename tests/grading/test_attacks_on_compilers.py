"""Sources that mean harm to the compiler, or to who reads what it says."""

from collections.abc import Callable

import pytest

from judge.grading import Source, SourceText
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

LIMITS = '[build]\ntime = "3s"\nmemory = "512MiB"'
SECRET = "swordfish"

DOUBLING = "#define A0 int x y;\n" + "".join(
    f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    "source",
    [
        "#include </dev/stdin>\nint main() { return x; }",
        '#include "/proc/self/environ"',
        '#include "/proc/1/environ"',
        f"{DOUBLING}A11",
        "constexpr int f() { for (;;) {} } static_assert(f());",
        "template <class T> struct A { A<A<T>> a; A<T*> b; }; A<int> a;",
        "#pragma GCC dependency </dev/zero>\n#include </dev/zero>",
        "int a" + "[2]" * 100_000 + ";",
        "(" * 100_000,
        "int main() { auto f = " + "[] { return " * 1000,
    ],
    ids=[
        *("stdin", "environment", "environment of 1", "doubling macros", "endless constant"),
        *("recursive templates", "dependency", "dimensions", "parentheses", "lambdas"),
    ],
)
def test_the_compiler_gives_up_within_its_limits(judge: Judge, make: Make, source: str) -> None:
    outcome = judge(make(LIMITS), SourceText("cpp", source.encode()))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert 0 < len(outcome.message.encode()) <= 4096


@pytest.mark.parametrize(
    "source",
    [
        '#include "{file}"',
        'asm(".incbin \\"{file}\\""); int main() {{}}',
        'asm(".include \\"{file}\\""); int main() {{}}',
        '#pragma GCC dependency "{file}"\n#include "{file}"',
        'int main() {{ static const char a[] = {{\n#embed "{file}"\n}}; return a[0]; }}',
    ],
    ids=["include", "incbin", "assembler include", "dependency", "embed"],
)
def test_tests_are_out_of_a_compilers_sight(judge: Judge, make: Make, source: str) -> None:
    problem = make(LIMITS, [("7\n", f"{SECRET}\n")])
    answer = problem.tests[0].answer
    assert answer is not None
    text = source.format(file=answer).encode()
    outcome = judge(problem, SourceText("cpp", text))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert answer.name in outcome.message  # it says what it did not find, and not what is in it
    assert SECRET not in outcome.message


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("\x1b[2J\x1b]0;title\x07", "\N{REPLACEMENT CHARACTER}[2J"),
    ],
)
def test_what_a_source_says_is_text(judge: Judge, make: Make, said: str, shown: str) -> None:
    outcome = judge(make(LIMITS), SourceText("cpp", f"#error {said}\n".encode()))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert shown in outcome.message
    assert "\x1b" not in outcome.message
