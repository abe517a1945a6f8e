"""Tries the problem's input validators and its checker on what they must refuse, or must take
(2023-07-draft, "Invalid Test Cases")."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from judge.grading.check import Checker, checker
from judge.grading.errors import ProblemFault
from judge.grading.programs import tool_box
from judge.grading.slot import Cancel, Slot
from judge.grading.validate import refusal
from judge.model import Problem, Protocol, Specimen, Test, Tool, Trial


@dataclass(frozen=True, slots=True)
class Mistaken:
    """A specimen that the problem's own programs are wrong about, and how."""

    specimen: Specimen
    reason: str


def mistakes(problem: Problem, slot: Slot, cancel: Cancel | None = None) -> Iterator[Mistaken]:
    """The specimens that the input validators or the checker are wrong about. GradingError,
    Cancelled.

    An invalid input must be refused by one of the validators, where there are any. The outputs of
    an interactive problem are part of a conversation, and are not tried.
    """
    cancel = cancel or Cancel()
    if problem.input_validators:
        yield from _about_inputs(problem, slot, cancel)
    if problem.interactor is None:
        yield from _about_outputs(problem, slot, cancel)


def _about_inputs(problem: Problem, slot: Slot, cancel: Cancel) -> Iterator[Mistaken]:
    taken = [one for one in problem.specimens if one.output is None]
    for tool in problem.input_validators if taken else ():
        # One that does not build is told of where the tests' inputs are looked at.
        with suppress(ProblemFault), tool_box(tool, problem, slot, cancel) as box:
            taken = [one for one in taken if refusal(box, one.test) is None]
    for one in taken:
        yield Mistaken(one, "every input validator takes it")


def _about_outputs(problem: Problem, slot: Slot, cancel: Cancel) -> Iterator[Mistaken]:
    tried = [(one, one.output) for one in problem.specimens if one.output is not None]
    if not tried:
        return
    try:
        with checker(problem, slot, cancel, None) as check:
            for one, output in tried:
                reason = _mistake(problem, check, one, output)
                if reason is not None:
                    yield Mistaken(one, reason)
    except ProblemFault as fault:
        yield Mistaken(tried[0][0], f"the checker fails: {fault.reason}")


def _mistake(problem: Problem, check: Checker, specimen: Specimen, output: Path) -> str | None:
    test, rule = specimen.test, problem.check
    try:
        if isinstance(rule, Tool) and rule.protocol is Protocol.ICPC and test.answer:
            said = _no(check, test, test.answer)
            if said is not None:
                return f"the checker refuses the answer. {said}".strip()
        said = _no(check, test, output)
    except ProblemFault as fault:
        return f"the checker fails: {fault.reason}"
    if specimen.trial is Trial.INVALID_OUTPUT:
        return "the checker takes the output" if said is None else None
    return None if said is None else f"the checker refuses the output. {said}".strip()


def _no(check: Checker, test: Test, file: Path) -> str | None:
    """What the checker says of a file that it gives no points; None where it gives some."""
    with file.open("rb") as output:
        checked = check(test, output.fileno()).checked
    return None if checked.score > 0 else checked.judge_message or checked.message
