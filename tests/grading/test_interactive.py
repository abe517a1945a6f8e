"""Two programs that talk: whose fault it is when they stop."""

from collections.abc import Callable

import pytest

from judge.grading import Source, SourceText
from judge.model import Outcome, Problem, TestResult, Verdict
from judge.packages import PackageError

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

YES, NO, BAD = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.BAD_PROBLEM
SLOW, ERROR = Verdict.TIME_LIMIT_EXCEEDED, Verdict.RUNTIME_ERROR

GUESS = """
import sys
arguments = sys.argv[1:]
secret = int(open(arguments[0]).read())
YES, NO = PROTOCOL
def end(code, message):
    sys.stderr.write(message)
    sys.exit(code)
for turn in range(20):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        end(NO, "no guess")
    if int(line) == 666:
        raise RuntimeError("broken")
    if int(line) == 667:
        while True: pass
    if int(line) == 668:
        end(77, "what?")
    if int(line) == 1234:
        end(YES, "magic")
    said = "=" if int(line) == secret else "<" if int(line) > secret else ">"
    try:
        print(said, flush=True)
    except BrokenPipeError:
        end(NO, "nobody listens")
    if said == "=":
        end(YES, "found")
end(NO, "too many")
"""
TESTLIB = {"judge/guess.py": GUESS.replace("PROTOCOL", "0, 1")}
ICPC = {"judge/guess.py": GUESS.replace("PROTOCOL", "42, 43")}
DEFINITION = '[limits]\ntime = "300ms"\n[interact]\nprogram = "guess.py"\ntime = "300ms"\n'

SEARCH = """
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    said = input()
    if said == "=": break
    if said == "<": high = guess - 1
    else: low = guess + 1
"""


def only(outcome: Outcome) -> TestResult:
    (result,) = outcome.groups[0].results
    return result


@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        (SEARCH, YES, "found"),
        ("pass", NO, "no guess"),
        ("while True: print(1, flush=True)", NO, "too many"),
        ("print(1, flush=True); input()\nwhile True: pass", SLOW, "More CPU time"),
        ("while True: pass", SLOW, "More CPU time"),
        ("input()", SLOW, "More wall time"),
        ("print('x', flush=True); input()", NO, "no guess"),
        ("print(1, flush=True); exit(3)", ERROR, "Exit code 3."),
        ("print(666, flush=True); input()", BAD, "guess.py: it crashed."),
        ("print(667, flush=True); input()", BAD, "guess.py: More CPU time than 0.3 s."),
        ("print(667, flush=True)", BAD, "guess.py: More CPU time than 0.3 s."),
        ("print(668, flush=True); input()", BAD, "guess.py: exit code 77. what?"),
        (SEARCH + "exit(4)", ERROR, "Exit code 4."),
        (SEARCH + "\nwhile True: pass", SLOW, "More CPU time"),
    ],
)
def test_the_first_cause_wins(
    judge: Judge, make: Make, source: str, verdict: Verdict, message: str
) -> None:
    problem = make(DEFINITION, [("500", "")], TESTLIB)
    result = only(judge(problem, SourceText("python", source.encode())))
    assert (result.verdict, result.message[: len(message)]) == (verdict, message)
    assert result.usage is not None


FLOOD = b"""#include <stdio.h>
int main(void) { for (int i = 0; i < 1000000; i++) puts("1"); fflush(stdout); return 0; }
"""
AFTERWARDS = b"""#include <stdio.h>
#include <unistd.h>
int main(void) {
    char line[9]; puts("1234"); fflush(stdout);
    while (1) { if (write(1, "1\\n", 2) < 0) return 0; usleep(1000); }
}
"""


def test_questions_without_end(judge: Judge, make: Make) -> None:
    """A million queries, and no reply read: the interactor has said no long before."""
    problem = make(DEFINITION, [("500", "")], TESTLIB)
    assert only(judge(problem, SourceText("c", FLOOD))).verdict is NO


def test_more_output_than_the_interaction_wants(judge: Judge, make: Make) -> None:
    result = only(judge(make(DEFINITION, [("5", "")], TESTLIB), SourceText("c", AFTERWARDS)))
    assert result.verdict is NO
    assert result.message == "The program wrote after the interaction had ended."


@pytest.mark.parametrize(("secret", "verdict"), [("500", YES), ("7777", NO)])
def test_icpc(judge: Judge, make: Make, secret: str, verdict: Verdict) -> None:
    problem = make(DEFINITION + 'protocol = "icpc"', [(secret, "")], ICPC)
    assert judge(problem, SourceText("python", SEARCH.encode())).verdict is verdict


ACMOJ = """
import sys
given, output = sys.argv[1:]
print(open(given).read(), flush=True)
said = input()
open(output, "w").write(said.replace("|", "\\n"))
"""


@pytest.mark.parametrize(
    ("said", "score", "message"),
    [("1", 1, ""), ("0.6|use fewer queries", 0.6, "use fewer queries")],
)
def test_acmoj_with_a_score_in_the_output_file(
    judge: Judge, make: Make, said: str, score: float, message: str
) -> None:
    definition = 'own_score = true\n[interact]\nprogram = "talk.py"\nprotocol = "acmoj"'
    problem = make(definition, [(said, "")], {"judge/talk.py": ACMOJ})
    result = only(judge(problem, SourceText("python", b"print(input())")))
    assert (result.score, result.message) == (score, message)


def test_acmoj_with_a_checker_of_the_output_file(judge: Judge, make: Make) -> None:
    definition = '[interact]\nprogram = "talk.py"\nprotocol = "acmoj"\n'
    definition += '[check]\nprogram = "check.py"\nprotocol = "acmoj"'
    check = (
        'import sys\nopen(sys.argv[4], "w").write("1" if open(sys.argv[2]).read() == "x" else "0")'
    )
    files = {"judge/talk.py": ACMOJ, "judge/check.py": check}
    echo = SourceText("python", b"print(input())")
    assert judge(make(definition, [("x", "")], files), echo).verdict is YES
    assert judge(make(definition, [("y", "")], files), echo).verdict is NO


def test_an_interactor_that_judges_nothing(make: Make) -> None:
    with pytest.raises(PackageError, match="judges nothing"):
        make('[interact]\nprogram = "t.py"\nprotocol = "acmoj"', files={"judge/t.py": ""})
