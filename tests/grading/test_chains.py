"""Stages that keep their workspace, tests that wait for others, and limits over whole chains."""

from collections.abc import Callable

from judge.grading import Source, SourceText
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

APPEND = SourceText(
    "python",
    b"""
with open("log", "a+") as log:
    log.write(input() + "\\n")
    log.seek(0)
    print(log.read(), end="")
""",
)
CHAIN = '[limits]\ndisk = "4B"\n[tests.2]\ncontinues = true'


def verdicts(outcome: Outcome) -> list[Verdict]:
    return [result.verdict for result in outcome.groups[0].results]


def test_a_stage_finds_what_the_one_before_left(judge: Judge, make: Make) -> None:
    problem = make(CHAIN, [("a\n", "a\n"), ("b\n", "a\nb\n"), ("c\n", "c\n")])
    outcome = judge(problem, APPEND)
    assert verdicts(outcome) == [Verdict.ACCEPTED] * 3
    assert [result.usage.disk_bytes for result in outcome.groups[0].results if result.usage] == [
        *(2, 4, 2)
    ]


def test_disk_counts_over_the_chain(judge: Judge, make: Make) -> None:
    outcome = judge(make(CHAIN, [("ab\n", "ab\n"), ("c\n", "ab\nc\n")]), APPEND)
    assert verdicts(outcome) == [Verdict.ACCEPTED, Verdict.DISK_LIMIT_EXCEEDED]


def test_files_count_over_the_chain(judge: Judge, make: Make) -> None:
    name = SourceText("python", b"open(input(), 'w')\n")
    definition = '[limits]\ndisk = "1KiB"\nfiles = 1\n[tests.2]\ncontinues = true'
    problem = make(definition, [("a\n", ""), ("b\n", "")])
    assert verdicts(judge(problem, name)) == [Verdict.ACCEPTED, Verdict.DISK_LIMIT_EXCEEDED]


def test_no_content_may_be_left_where_no_disk_is_given(judge: Judge, make: Make) -> None:
    assert verdicts(judge(make(), APPEND)) == [Verdict.DISK_LIMIT_EXCEEDED]
    empty = SourceText("python", b"open('empty', 'w'); print(input())\n")
    assert verdicts(judge(make(), empty)) == [Verdict.ACCEPTED]


def test_a_test_waits_for_another_to_be_accepted(judge: Judge, make: Make) -> None:
    definition = '[tests.2]\nafter = "1"\n[tests.3]\nafter = "2"'
    problem = make(definition, [("1\n", "2\n"), ("1\n", "1\n"), ("1\n", "1\n"), ("1\n", "1\n")])
    outcome = judge(problem, SourceText("python", b"print(input())"))
    assert verdicts(outcome) == [
        *(Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.SKIPPED, Verdict.ACCEPTED)
    ]
    assert outcome.groups[0].results[1].message == "Test 1 was not accepted."
    assert outcome.verdict is Verdict.WRONG_ANSWER


def test_a_chain_whose_beginning_is_skipped_begins_empty(judge: Judge, make: Make) -> None:
    definition = '[limits]\ndisk = "1KiB"\n[tests.2]\nafter = "1"\n[tests.3]\ncontinues = true'
    problem = make(definition, [("a\n", "x\n"), ("b\n", "b\n"), ("c\n", "c\n")])
    assert verdicts(judge(problem, APPEND)) == [
        *(Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.ACCEPTED)
    ]
