"""The road as a whole: events in order, verdicts and why, cancelling, faults of ours."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.grading import (
    Cancel,
    Cancelled,
    Compiling,
    Finished,
    Judging,
    Slot,
    Source,
    SourceText,
    SourceTree,
    TestFinished,
    grade,
)
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]
Tree = Callable[[Mapping[str, str]], SourceTree]


def python(text: str) -> SourceText:
    return SourceText("python", text.encode())


def test_events_come_in_order(slot: Slot, make: Make) -> None:
    problem = make("", [("1\n", "1\n"), ("2\n", "2\n")])
    source = SourceText("c", b"#include <stdio.h>\nint main(void) { putchar(getchar()); }\n")
    events = list(grade(problem, source, slot))
    assert [type(event) for event in events] == [
        *(Compiling, Judging, TestFinished, TestFinished, Finished)
    ]
    assert isinstance(events[-1], Finished)
    assert events[-1].outcome.score == 100


def test_nothing_is_compiled_where_there_is_nothing_to_compile(slot: Slot, make: Make) -> None:
    first = next(iter(grade(make(), python("print(input())"), slot)))
    assert isinstance(first, Judging)


@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        ("print(8)", Verdict.WRONG_ANSWER, "The output differs from the answer in line 1."),
        ("exit(3)", Verdict.RUNTIME_ERROR, "Exit code 3."),
        ("import os; os.abort()", Verdict.RUNTIME_ERROR, "Died of SIGABRT."),
        ("while True: pass", Verdict.TIME_LIMIT_EXCEEDED, "More CPU time than 0.3 s."),
        ("import time; time.sleep(9)", Verdict.TIME_LIMIT_EXCEEDED, "More wall time than 1.6 s."),
        ("x = b'x' * 10**9", Verdict.MEMORY_LIMIT_EXCEEDED, "More memory than 268435456 bytes."),
        ("print('x' * 10**6)", Verdict.OUTPUT_LIMIT_EXCEEDED, "More output than 65536 bytes."),
        (
            "print(input(), file=open('left', 'w'))",
            Verdict.DISK_LIMIT_EXCEEDED,
            "More on disk than 0 bytes in 2147483648 files.",
        ),
    ],
)
def test_a_verdict_says_why(
    judge: Judge, make: Make, source: str, verdict: Verdict, message: str
) -> None:
    problem = make('[limits]\ntime = "300ms"\noutput = "64KiB"')
    result = judge(problem, python(source)).groups[0].results[0]
    assert (result.verdict, result.message) == (verdict, message)
    assert result.usage is not None


def test_output_of_any_bytes_is_compared(judge: Judge, make: Make) -> None:
    noise = python(r"import os; os.write(1, b'\0\xff\xed\xa0\x80\n' * 1000)")
    assert judge(make(), noise).verdict is Verdict.WRONG_ANSWER


def test_a_run_leaves_nothing_for_the_next_one(judge: Judge, make: Make) -> None:
    problem = make('[limits]\ndisk = "1MiB"', [("", "0\n")] * 3)
    source = python(
        "import os\n"
        "places = ['.', '/tmp', '/dev/shm']\n"
        "print(sum(len(os.listdir(place)) for place in places))\n"
        "for place in places: open(place + '/x', 'w').write('x')\n"
    )
    outcome = judge(problem, source)
    assert outcome.verdict is Verdict.ACCEPTED, outcome.groups


def test_a_missing_answer_is_the_problem_s_fault(judge: Judge, make: Make) -> None:
    problem = make()
    answer = problem.tests[0].answer
    assert answer is not None
    answer.unlink()
    outcome = judge(problem, python("print(input())"))
    assert outcome.verdict is Verdict.BAD_PROBLEM
    assert "cannot be read" in outcome.groups[0].results[0].message


def test_a_program_sees_the_judge_s_markers_and_little_else(judge: Judge, make: Make) -> None:
    names = {"ADJUDGE", "CI", "HOME", "LANG", "ONLINE_JUDGE", "PATH", "PYTHONDONTWRITEBYTECODE"}
    source = python(f"import os; print(set(os.environ) == {names!r})")
    assert judge(make("", [("", "True\n")]), source).verdict is Verdict.ACCEPTED


def test_tests_and_answers_are_out_of_sight(judge: Judge, make: Make, tmp_path: Path) -> None:
    source = python(
        "import os\n"
        f"print([p for p in ('{tmp_path}', '/data', '/root') if os.path.exists(p)])\n"
        "print(sorted(os.listdir('/program')), os.path.islink('/proc/self/fd/1'))\n"
    )
    problem = make("", [("", "[]\n['main.py'] True\n")])
    assert judge(problem, source).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("during", [Compiling, Judging])
def test_cancelling_ends_a_grading_at_once(
    slot: Slot, make: Make, tree: Tree, during: type
) -> None:
    problem = make('[limits]\ntime = "60s"\n[build]\ntime = "60s"')
    source: Source = python("while True: pass")
    if during is Compiling:
        source = tree({"Makefile": "all:\n\twhile :; do :; done\n"})
    cancel = Cancel()
    canceller = threading.Thread(target=cancel.cancel)
    events = grade(problem, source, slot, cancel)
    assert any(isinstance(event, during) for event in events)
    canceller.start()
    with pytest.raises(Cancelled):
        next(events)
    canceller.join(10)
    assert not canceller.is_alive()


def test_the_slot_is_of_use_after_its_runner_was_killed(
    slot: Slot, make: Make, judge: Judge
) -> None:
    assert judge(make(), python("print(input())")).verdict is Verdict.ACCEPTED
    runner = slot._runner
    assert runner is not None
    runner._process.kill()
    runner._process.wait()
    assert judge(make(), python("print(input())")).verdict is Verdict.ACCEPTED


def test_a_test_may_tell_the_program_something(judge: Judge, make: Make) -> None:
    problem = make('[tests.1]\narguments = ["7", "a b"]', [("", "7 a b\n")])
    source = b"import sys; print(*sys.argv[1:])"
    assert judge(problem, SourceText("python", source)).verdict is Verdict.ACCEPTED


def test_a_test_may_have_files_for_the_program(judge: Judge, make: Make, tmp_path: Path) -> None:
    """As they were, whatever the run before did, and beside the limits for what it writes."""
    for number in (1, 2):
        folder = tmp_path / "data" / "made" / f"{number}.files"
        (folder / "sub").mkdir(parents=True)
        (folder / "sub" / "name").write_text(f"{number}\n")
        (folder / "large").write_bytes(bytes(1 << 20))
    problem = make('[limits]\ndisk = "64KiB"\nfiles = 1', [("", "1\n"), ("", "2\n")])
    source = """
import os
print(open("sub/name").read().strip())
assert sorted(os.listdir()) == ["large", "sub"]
open("sub/name", "w").write("spoilt")
open("mine", "w").write("x" * 1000)
"""
    outcome = judge(problem, python(source))
    assert outcome.verdict is Verdict.ACCEPTED, outcome
    usage = outcome.groups[0].results[1].usage
    assert usage is not None
    assert (usage.files, usage.disk_bytes) == (1, 1000 + len("spoilt") - len("2\n"))
    more = source + "open('more', 'w')\n"
    assert judge(problem, python(more)).verdict is Verdict.DISK_LIMIT_EXCEEDED


def test_a_test_that_is_for_some_languages_is_left_out_in_others(judge: Judge, make: Make) -> None:
    definition = 'languages = ["c", "python"]\n[tests.2]\nleak_check = true\nlanguages = ["c"]'
    problem = make(definition, [("", ""), ("", "")])
    for language, source, verdicts in (
        ("python", b"pass", [Verdict.ACCEPTED]),
        ("c", b"int main(void) { return 0; }", [Verdict.ACCEPTED] * 2),
    ):
        outcome = judge(problem, SourceText(language, source))
        assert outcome.score == 100
        assert [result.verdict for result in outcome.groups[0].results] == verdicts
