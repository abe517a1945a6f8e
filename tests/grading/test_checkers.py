"""Rules that bend, and checkers of the problem's own in each protocol."""

from collections.abc import Callable

import pytest

from judge.grading import Source, SourceText, SourceTree
from judge.model import Outcome, Problem, TestResult, Verdict
from judge.packages import PackageError

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

SAY = SourceText("python", b"print(open(0).read(), end='')")
YES, NO, BAD = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.BAD_PROBLEM


def only(outcome: Outcome) -> TestResult:
    (result,) = outcome.groups[0].results
    return result


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        *(("1", YES), ("1.0", YES), ("+1", YES), ("1e0", YES), ("0.9999995", YES)),
        (" 1\n\n", YES),
        *(("1.001", NO), ("nan", NO), ("inf", NO), ("0x1p0", NO), ("1_0", NO), ("1,", NO)),
        *(("\u0661", NO), ("", NO), ("1 1", NO), ("1e999", NO), ("-1", NO), ("one", NO)),
    ],
)
def test_a_number_may_be_a_little_off(
    judge: Judge, make: Make, output: str, verdict: Verdict
) -> None:
    problem = make("[check]\nabsolute = 1e-6", [(output, "1\n")])
    assert judge(problem, SAY).verdict is verdict


def test_off_by_a_share_of_the_answer(judge: Judge, make: Make) -> None:
    tests = [("1000001 x", "1e6 x"), ("1000002 x", "1e6 x"), ("1e6 y", "1e6 x"), ("x", "x")]
    outcome = judge(make("[check]\nrelative = 1e-6", tests), SAY)
    assert [result.verdict for result in outcome.groups[0].results] == [YES, NO, NO, YES]


def test_a_test_may_have_a_rule_of_its_own(judge: Judge, make: Make) -> None:
    rules = '[tests.2]\ncompare = "exact"\n[tests.3]\ncheck = { absolute = 0.5 }\n'
    outcome = judge(make(rules, [("1  2 ", "1  2"), ("1  2 ", "1  2"), ("1.4", "1")]), SAY)
    assert [result.verdict for result in outcome.groups[0].results] == [YES, NO, YES]


TESTLIB = """#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include "exits.h"
int main(int argc, char** argv) {
    std::ifstream input(argv[1]), output(argv[2]), answer(argv[3]);
    std::string said, expected;
    output >> said; answer >> expected;
    if (said == "points") { fputs("points 0.25 some", stderr); return POINTS; }
    if (said == "crash") abort();
    if (said == "spin") for (;;) {}
    if (said == "code") return 77;
    if (said == "long") { fputs(std::string(10 << 20, 'x').c_str(), stderr); return 1; }
    if (said == "nonsense") { fputs("points nan", stderr); return POINTS; }
    fputs(said == expected ? "well done" : "not quite", stderr);
    return said == expected ? 0 : 1;
}
"""
EXITS = {"judge/check.cpp": TESTLIB, "judge/exits.h": "enum { POINTS = 7 };\n"}


@pytest.mark.parametrize(
    ("said", "verdict", "score", "message"),
    [
        ("7", YES, 1, "well done"),
        ("8", NO, 0, "not quite"),
        ("points", NO, 0.25, "points 0.25 some"),
        ("crash", BAD, 0, "check.cpp: Died of SIGABRT."),
        ("spin", BAD, 0, "check.cpp: More CPU time than 0.2 s."),
        ("code", BAD, 0, "check.cpp: exit code 77."),
        ("nonsense", BAD, 0, 'check.cpp: its score is "nan", which is no number.'),
        ("long", NO, 0, "xxx"),
    ],
)
def test_testlib(
    judge: Judge, make: Make, said: str, verdict: Verdict, score: float, message: str
) -> None:
    problem = make('[check]\nprogram = "check.cpp"\ntime = "200ms"', [(said, "7\n")], EXITS)
    result = only(judge(problem, SAY))
    assert (result.verdict, result.score) == (verdict, score)
    assert result.message.startswith(message)
    assert len(result.message) < 5000


ACMOJ = """
import sys, os
given, output, answer, score, message, folder = sys.argv[1:]
said = open(output).read().split("|")
if said[0] == "link":
    os.symlink("/etc/passwd", score)
else:
    open(score, "w").write(said[0])
open(message, "w").write("files: %d. " % len(os.listdir(folder)))
"""


@pytest.mark.parametrize(
    ("said", "verdict", "score", "raw"),
    [
        *(("1", YES, 1, 1), ("0.5\nhalf", NO, 0.5, 0.5), ("0", NO, 0, 0), ("-3", NO, 0, -3)),
        *(("17", YES, 1, 17), ("nan", BAD, 0, None), ("inf", BAD, 0, None), ("", BAD, 0, None)),
        *(("1e999", BAD, 0, None), ("link", BAD, 0, None), ("x", BAD, 0, None)),
    ],
)
def test_acmoj(
    judge: Judge, make: Make, said: str, verdict: Verdict, score: float, raw: float | None
) -> None:
    definition = '[check]\nprogram = "check.py"\nprotocol = "acmoj"'
    result = only(judge(make(definition, [(said, "")], {"judge/check.py": ACMOJ}), SAY))
    assert (result.verdict, result.score, result.raw) == (verdict, score, raw)
    if verdict is NO:
        assert "files: 0." in result.message
        assert result.message.endswith(said.partition("\n")[2])


ICPC = """
import sys
given, answer, feedback, *arguments = sys.argv[1:]
said = sys.stdin.read().strip()
open(feedback + "/teammessage.txt", "w").write(" ".join(arguments))
open(feedback + "/judgemessage.txt", "w").write("secret")
if said == "half":
    open(feedback + "/score.txt", "w").write("50\\n")
sys.exit({"yes": 42, "no": 43, "half": 42}.get(said, 1))
"""


@pytest.mark.parametrize(
    ("said", "verdict", "score"),
    [("yes", YES, 1), ("no", NO, 0), ("half", NO, 0.25), ("what", BAD, 0)],
)
def test_icpc(judge: Judge, make: Make, said: str, verdict: Verdict, score: float) -> None:
    definition = '[check]\nprogram = "check.py"\nprotocol = "icpc"\narguments = ["a", "b"]\n'
    definition += "[score]\npoints = [[0, 0], [100, 0.5], [200, 1]]"
    result = only(judge(make(definition, [(said, "")], {"judge/check.py": ICPC}), SAY))
    assert (result.verdict, result.score) == (verdict, score)
    assert verdict is BAD or result.message.endswith("a b")
    assert ("Raw score 50." in result.message) == (said == "half")
    if verdict is BAD:  # which no participant is shown
        assert result.message.endswith("neither 42 nor 43. secret")
    else:
        assert "secret" not in result.message
        assert result.judge_message == "secret"


SCORES = """
import sys
said = sys.stdin.read().split()
for name, score in zip(said[::2], said[1::2]):
    open(sys.argv[3] + "/" + name + ".txt", "w").write(score)
sys.exit(42)
"""


@pytest.mark.parametrize(
    ("said", "verdict", "score", "raw"),
    [
        *(("score 15", NO, 0.5, 15), ("score 30", YES, 1, 30), ("score 31", YES, 1, 31)),
        *(("score_multiplier 0.5", NO, 0.5, None), ("score_multiplier 1", YES, 1, None)),
        *(("score_multiplier 1.5", BAD, 0, None), ("", YES, 1, None)),
    ],
)
def test_icpc_scores_are_a_share_of_the_test_s_own_full_score(
    judge: Judge, make: Make, said: str, verdict: Verdict, score: float, raw: float | None
) -> None:
    definition = '[check]\nprogram = "check.py"\nprotocol = "icpc"\n[tests.1]\nscore = {full = 30}'
    result = only(judge(make(definition, [(said, "")], {"judge/check.py": SCORES}), SAY))
    assert (result.verdict, result.score, result.raw) == (verdict, score, raw)


PASSES = """
import os, sys
given, answer, feedback = sys.argv[1:]
asked = open(given if not os.path.exists(feedback + "/next") else feedback + "/next").read()
said = sys.stdin.read()
open(feedback + "/judgemessage.txt", "a").write(said)
if int(said) != int(asked):
    sys.exit(43)
if int(said) < 3:
    for name in ("next", "nextpass.in"):
        open(feedback + "/" + name, "w").write(str(int(said) + 1))
sys.exit(42)
"""


def test_another_pass_is_run_where_the_checker_asks_for_it(judge: Judge, make: Make) -> None:
    definition = 'passes = 5\n[check]\nprogram = "check.py"\nprotocol = "icpc"'
    problem = make(definition, [("1", "")], {"judge/check.py": PASSES})
    assert judge(problem, SAY).verdict is YES
    stuck = SourceText("python", b"x = int(input()); print(min(x, 2))")
    assert judge(problem, stuck).verdict is NO
    crash = SourceText("python", b"x = int(input()); assert x < 3; print(x)")
    result = only(judge(problem, crash))
    assert (result.verdict, result.judge_message) == (Verdict.RUNTIME_ERROR, "1\n2")
    few = make(definition.replace("5", "2"), [("1", "")], {"judge/check.py": PASSES})
    result = only(judge(few, SAY))
    assert (result.verdict, result.message) == (BAD, "The checker asks for more than 2 passes.")


def test_a_checker_that_does_not_build_is_found_before_the_first_test(
    judge: Judge, make: Make
) -> None:
    problem = make('[check]\nprogram = "check.cpp"', files={"judge/check.cpp": "int main( {"})
    outcome = judge(problem, SAY)
    assert outcome.verdict is BAD
    assert outcome.message.startswith("check.cpp does not compile: check.cpp:1:")


def test_a_program_that_says_its_own_score(judge: Judge, make: Make) -> None:
    problem = make("own_score = true\n[score]\nfull = 250", [("125\nso so", "")])
    result = only(judge(problem, SAY))
    assert (result.verdict, result.score, result.raw, result.message) == (
        *(NO, 0.5, 125, "Raw score 125. so so"),
    )


def test_output_only(judge: Judge, make: Make, tree: Callable[..., SourceTree]) -> None:
    problem = make("output_only = true\nlanguages = ['text', 'git']", [("", "7\n"), ("", "8\n")])
    text = judge(problem, SourceText("text", b"7\n"))
    assert [result.verdict for result in text.groups[0].results] == [YES, NO]
    files = judge(problem, tree({"1.out": "7", "2.out": "8"}))
    assert files.verdict is YES
    files = judge(problem, tree({"1.out": "8", "2.out": "8"}))
    assert [result.verdict for result in files.groups[0].results] == [NO, YES]


def test_output_only_takes_regular_files_alone(
    judge: Judge, make: Make, tree: Callable[..., SourceTree]
) -> None:
    problem = make("output_only = true\nlanguages = ['text', 'git']", [("", "7\n"), ("", "8\n")])
    outcome = judge(problem, tree({"2.out": "-> /etc/passwd"}))
    messages = [result.message for result in outcome.groups[0].results]
    assert messages == ["There is no file 1.out.", "There is no file 2.out."]


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ('compare = "lines"\n[check]\nabsolute = 1', 'there is "compare" already'),
        ("[check]\nabsolut = 1", "must name a"),
        ('[check]\nprogram = "no.cpp"', 'there is no file "no.cpp"'),
        ('[check]\nprogram = "../x"', "leads out of judge/"),
        ('[check]\nprogram = "x.cpp"\nprotocol = "mine"', "must be one of testlib, acmoj, icpc"),
        ("[score]\nfull = 0", "must be above 0"),
        ("[score]\npoints = [[1, 0], [0, 1]]", "whose raw scores rise"),
        ("[score]\npoints = [[0, 0], [1, 2]]", "a share of the points is from 0 to 1"),
        ("[score]\npoints = [[0, 0, 0]]", "must be a list of pairs"),
        ("output_only = true\nlanguages = ['cpp']", "output only takes text and git"),
        ("languages = ['text']", "there is no such language"),
    ],
)
def test_what_is_no_way_to_check(make: Make, definition: str, reason: str) -> None:
    with pytest.raises(PackageError) as raised:
        make(definition)
    assert any(reason in fault.reason for fault in raised.value.faults), raised.value.faults
