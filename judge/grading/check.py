"""Decides whether output is right."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from judge.grading.compare import difference
from judge.grading.errors import ProblemFault
from judge.grading.message import tidy
from judge.grading.programs import tool_box
from judge.grading.protocols import NEXT_INPUT, PASS_BYTES, Word, ask
from judge.grading.slot import Cancel, Slot
from judge.grading.tolerance import decimal, numeric_difference
from judge.model import (
    Checked,
    Comparison,
    OwnScore,
    Problem,
    Quiz,
    Test,
    Tolerance,
    Tool,
)

_OWN_SCORE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Answered:
    """The checker's word, and the input of the next pass where it asks for one (ICPC)."""

    checked: Checked
    next_input: bytes | None = None


class Checker(Protocol):
    """Judges the file of a descriptor as the output of a test, or, `again`, as that of a further
    pass of the same test. ProblemFault."""

    def __call__(self, test: Test, output: int, *, again: bool = False) -> Answered: ...


@contextmanager
def checker(
    problem: Problem, slot: Slot, cancel: Cancel, submission: Path | None
) -> Iterator[Checker]:
    """The problem's checker, ready for use. ProblemFault where its own program does not build.

    `submission` is the workspace of the submission's runs.
    """
    rule = problem.check
    match rule:
        case Tool():
            with tool_box(rule, problem, slot, cancel, submission) as box:

                def by_tool(test: Test, output: int, *, again: bool = False) -> Answered:
                    word = ask(box, test, output, again=again)
                    next_input = box.read(NEXT_INPUT, PASS_BYTES) if word.raw > 0 else None
                    return Answered(scored(word, problem, test), next_input or None)

                yield by_tool
        case Quiz(answers):

            def by_answers(test: Test, output: int, *, again: bool = False) -> Answered:  # noqa: ARG001
                return Answered(scored(quiz_word(answers, output), problem, test))

            yield by_answers
        case OwnScore():

            def by_itself(test: Test, output: int, *, again: bool = False) -> Answered:  # noqa: ARG001
                return Answered(scored(own_word(output), problem, test))

            yield by_itself
        case Comparison() | Tolerance():

            def by_rule(test: Test, output: int, *, again: bool = False) -> Answered:  # noqa: ARG001
                return Answered(_compare(test.compare or rule, output, test.answer))

            yield by_rule


def scored(word: Word, problem: Problem, test: Test) -> Checked:
    """A checker's word with its score mapped to a share of the points."""
    if not word.is_score:
        return Checked(word.raw, word.message, judge_message=word.judge_message)
    score_map = test.score_map or problem.score_map
    return Checked(score_map.share(word.raw), word.message, word.raw, word.judge_message)


def own_word(output: int) -> Word:
    """The score in the first line of a file, and the message in the others. ProblemFault, for the
    main that should have written it is the problem's."""
    first, _, rest = os.pread(output, _OWN_SCORE_BYTES, 0).partition(b"\n")
    score = decimal(first.strip())
    if score is None or score in (float("inf"), float("-inf")):
        raise ProblemFault(f'The program printed "{tidy(first, 100)}" for its score.')
    return Word(score, tidy(rest), is_score=True)


def quiz_word(answers: tuple[tuple[str, str], ...], output: int) -> Word:
    """How many questions are answered right by a JSON object in the file `output`."""
    try:
        given = json.loads(os.pread(output, _OWN_SCORE_BYTES, 0))
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return Word(0, "The answers must be a JSON object: question to answer.", is_score=True)
    right = sum(str(given.get(id_, "")).strip() == answer.strip() for id_, answer in answers)
    return Word(right, f"{right} of {len(answers)} answers are right.", is_score=True)


def _compare(rule: Comparison | Tolerance, output: int, answer: Path | None) -> Checked:
    if answer is None:
        raise ProblemFault("The test has no answer.")
    try:
        expected = os.open(answer, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        reason = f"The answer {answer.name} cannot be read: {error.strerror}."
        raise ProblemFault(reason) from error
    try:
        if isinstance(rule, Tolerance):
            found = numeric_difference(rule, output, expected)
        else:
            found = difference(rule, output, expected)
    finally:
        os.close(expected)
    if found is None:
        return Checked(1)
    return Checked(0, f"The output differs from the answer in {found.unit} {found.number}.")
