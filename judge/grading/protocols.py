"""How a checker of the problem's own is called, and how its word is read.

testlib: `check INPUT OUTPUT ANSWER`; exit code 0 is yes, 1, 2, 4 and 8 are no, 7 is points, which
the message names ("points 0.5 ..."); anything else is a failure. The message is on standard error.

ACMOJ: `check INPUT OUTPUT ANSWER SCORE-FILE MESSAGE-FILE SUBMISSION'S-FOLDER`; exit code 0; the
first line of the score file is the score, what follows is added to the message.

ICPC: `check INPUT ANSWER FEEDBACK-FOLDER [ARGUMENTS] < OUTPUT`; exit code 42 is yes, 43 is no; the
folder may hold score.txt, teammessage.txt, judgemessage.txt and, for another pass, nextpass.in.
"""

import math
import os
from dataclasses import dataclass

from judge.grading.message import tidy
from judge.grading.programs import SUBMISSION, ToolBox, ToolRun
from judge.grading.tolerance import decimal
from judge.model import Protocol, Test

INPUT, OUTPUT, ANSWER = "input", "output", "answer"
SCORE, MESSAGE, FEEDBACK = "score", "message", "feedback"
NEXT_INPUT = f"{FEEDBACK}/nextpass.in"
PASS_BYTES = 1 << 26
"""The most that is read of an input for another pass."""

_TESTLIB_NO = (1, 2, 4, 8)
_TESTLIB_POINTS = 7
_TRACEBACK = "Traceback (most recent call last)"
_ICPC_YES, _ICPC_NO = 42, 43


@dataclass(frozen=True, slots=True)
class Word:
    """A checker's word: its score as it gave it, and its message to the participant."""

    raw: float
    message: str = ""
    is_score: bool = False
    """Whether it gave a number of its own, and not just yes or no."""
    judge_message: str = ""
    """What it tells the judges, and no participant."""


def ask(box: ToolBox, test: Test, output: int, *, again: bool) -> Word:
    """Ask a checker about the file `output` (a descriptor). ProblemFault where it fails.

    `again` in a further pass of the same test: what the checker left is still there then.
    """
    if again:
        box.put({OUTPUT: output, NEXT_INPUT: None})
    else:
        box.fill({INPUT: test.input, OUTPUT: output, ANSWER: test.answer}, [FEEDBACK])
    arguments = (*box.tool.arguments, *test.check_arguments)
    match box.tool.protocol:
        case Protocol.TESTLIB:
            return testlib_word(box, box.run((INPUT, OUTPUT, ANSWER, *arguments)))
        case Protocol.ACMOJ:
            files = (INPUT, OUTPUT, ANSWER, SCORE, MESSAGE, SUBMISSION)
            ended = box.run((*files, *arguments))
            if ended.run.exit_code != 0:
                raise box.refuse(ended, f"exit code {ended.run.exit_code}.")
            return score_file_word(box, ended)
        case Protocol.ICPC:
            os.lseek(output, 0, os.SEEK_SET)
            ended = box.run((INPUT, ANSWER, f"{FEEDBACK}/", *arguments), output)
            return icpc_word(box, ended)


def testlib_word(box: ToolBox, ended: ToolRun) -> Word:
    """What a testlib program's end means."""
    code = ended.run.exit_code
    if code == 0:
        return Word(1, ended.said)
    if code == 1 and _TRACEBACK in ended.said:
        raise box.refuse(ended, "it crashed.")  # Python's exit code for that is testlib's for "no"
    if code in _TESTLIB_NO:
        return Word(0, ended.said)
    if code == _TESTLIB_POINTS:
        words = ended.said.split()
        said = words[1] if words[:1] == ["points"] and len(words) > 1 else ""
        return Word(_score(box, ended, said.encode()), ended.said, is_score=True)
    raise box.refuse(ended, f"exit code {code}.")


def icpc_word(box: ToolBox, ended: ToolRun) -> Word:
    """What the end of an ICPC validator or interactor means."""
    message, for_judges = (
        tidy(box.read(f"{FEEDBACK}/{name}") or b"")
        for name in ("teammessage.txt", "judgemessage.txt")
    )
    match ended.run.exit_code:
        case code if code == _ICPC_NO:
            return Word(0, message, judge_message=for_judges)
        case code if code == _ICPC_YES:
            if (said := box.read(f"{FEEDBACK}/score.txt")) is not None:
                return Word(_score(box, ended, said.strip()), message, True, for_judges)
            if (said := box.read(f"{FEEDBACK}/score_multiplier.txt")) is not None:
                share = _share(box, ended, said.strip())
                return Word(share, message, judge_message=for_judges)
            return Word(1, message, judge_message=for_judges)
        case code:
            what = f"exit code {code}, which is neither 42 nor 43. {for_judges}".strip()
            raise box.refuse(ended, what)


def score_file_word(box: ToolBox, ended: ToolRun) -> Word:
    """What an ACMOJ checker wrote."""
    said = box.read(SCORE)
    if said is None:
        raise box.refuse(ended, "it wrote no score.")
    first, _, rest = said.partition(b"\n")
    score = _score(box, ended, first.strip())
    return Word(score, tidy((box.read(MESSAGE) or b"") + rest), is_score=True)


def _share(box: ToolBox, ended: ToolRun, said: bytes) -> float:
    share = _score(box, ended, said)
    if not 0 <= share <= 1:
        raise box.refuse(ended, f"its score multiplier is {share:g}, which is not from 0 to 1.")
    return share


def _score(box: ToolBox, ended: ToolRun, said: bytes) -> float:
    score = decimal(said)
    if score is None or not math.isfinite(score):
        shown = tidy(said, 100)
        raise box.refuse(ended, f'its score is "{shown}", which is no number.')
    return score
