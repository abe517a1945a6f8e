"""Submissions of several files, and what the problem includes in them."""

from collections.abc import Callable, Mapping

import pytest

from judge.grading import Source, SourceFiles, SourceText
from judge.model import Outcome, Problem, Verdict

Files = Mapping[str, str]
Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

MAIN_C = '#include <stdio.h>\nint twice(int);\nint main(void) { int x; scanf("%d", &x); '
MAIN_C += 'printf("%d\\n", twice(x)); }\n'
TWICE_C = "int twice(int x) { return 2 * x; }\n"
MAIN_GO = 'package main\n\nimport "fmt"\n\nfunc main() { var x int; fmt.Scan(&x); '
MAIN_GO += "fmt.Println(twice(x)) }\n"
TWICE_GO = "package main\n\nfunc twice(x int) int { return 2 * x }\n"
MAIN_JAVA = """import java.util.Scanner;
public class Main {
    public static void main(String[] a) {
        System.out.println(Twice.of(new Scanner(System.in).nextInt()));
    }
}
"""
TWICE_JAVA = "class Twice { static int of(int x) { return 2 * x; } }\n"
MAIN_PYTHON = "from twice import twice\nprint(twice(int(input())))\n"
TWICE_PYTHON = "def twice(x):\n    return 2 * x\n"
MAIN_RUST = """mod twice;
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", twice::of(line.trim().parse().unwrap()));
}
"""
TWICE_RUST = "pub fn of(x: i32) -> i32 { 2 * x }\n"
FOUR_LANGUAGES = [
    ("c", {"a.c": MAIN_C, "b.c": TWICE_C}),
    ("cpp", {"a.cpp": MAIN_C.replace("<stdio.h>", "<cstdio>"), "b.cc": TWICE_C}),
    ("go", {"x.go": MAIN_GO, "y.go": TWICE_GO}),
    ("java", {"Main.java": MAIN_JAVA, "Twice.java": TWICE_JAVA}),
    ("python", {"main.py": MAIN_PYTHON, "twice.py": TWICE_PYTHON}),
    ("rust", {"main.rs": MAIN_RUST, "twice.rs": TWICE_RUST}),
]


def files(language: str, content: Files) -> SourceFiles:
    return SourceFiles(language, tuple((name, text.encode()) for name, text in content.items()))


def doubling(make: Make, language: str, included: Files | None = None) -> Problem:
    folders = {f"include/{name}": text for name, text in (included or {}).items()}
    return make(f'languages = ["{language}"]', [("7\n", "14\n")], folders)


@pytest.mark.parametrize(("language", "content"), FOUR_LANGUAGES)
def test_several_files_are_one_program(
    judge: Judge, make: Make, language: str, content: Files
) -> None:
    outcome = judge(doubling(make, language), files(language, content))
    assert outcome.verdict is Verdict.ACCEPTED, outcome


def test_without_a_main_it_is_said_which_files_there_are(judge: Judge, make: Make) -> None:
    content = {"a.py": MAIN_PYTHON, "twice.py": TWICE_PYTHON}
    outcome = judge(doubling(make, "python"), files("python", content))
    assert outcome.verdict is Verdict.COMPILE_ERROR
    assert outcome.message == "Which of a.py, twice.py is the program? Name it main.py."


@pytest.mark.parametrize(
    ("language", "text", "included"),
    [
        ("cpp", TWICE_C, {"cpp/main.cpp": MAIN_C}),
        ("c", MAIN_C, {"c/twice.c": TWICE_C}),
        ("go", TWICE_GO, {"go/main.go": MAIN_GO}),
        ("python", MAIN_PYTHON, {"default/twice.py": "wrong", "python/twice.py": TWICE_PYTHON}),
        ("java", MAIN_JAVA, {"java/Twice.java": TWICE_JAVA}),
        ("rust", MAIN_RUST, {"rust/twice.rs": TWICE_RUST}),
    ],
)
def test_what_is_included_is_part_of_the_program(
    judge: Judge, make: Make, language: str, text: str, included: Files
) -> None:
    problem = doubling(make, language, included)
    outcome = judge(problem, SourceText(language, text.encode()))
    assert outcome.verdict is Verdict.ACCEPTED, outcome


def test_what_is_included_wins_over_a_file_of_that_name(judge: Judge, make: Make) -> None:
    problem = doubling(make, "c", {"c/b.c": TWICE_C})
    content = {"a.c": MAIN_C, "b.c": "int twice(int x) { return x; }\n"}
    assert judge(problem, files("c", content)).verdict is Verdict.ACCEPTED
