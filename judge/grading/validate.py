"""Asks the problem's input validators about every input.

An ICPC validator ends with exit code 42 where an input is valid, one in testlib with 0; what else
it does, the input is refused.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.grading.errors import ProblemFault
from judge.grading.programs import ToolBox, tool_box
from judge.grading.slot import Cancel, Slot
from judge.model import Problem, Protocol, Test

_VALID = {Protocol.ICPC: 42, Protocol.TESTLIB: 0, Protocol.ACMOJ: 0}


@dataclass(frozen=True, slots=True)
class Refused:
    """An input that a validator does not take, and what it said; no input where the validator
    itself does not work."""

    validator: Path
    input: Path | None
    reason: str


def refused_inputs(problem: Problem, slot: Slot, cancel: Cancel | None = None) -> Iterator[Refused]:
    """The inputs of tests, and of outputs that the checker is tried on, that a validator of the
    problem does not take. GradingError, Cancelled.

    A test without an input has an empty one.
    """
    for tool in problem.input_validators:
        try:
            with tool_box(tool, problem, slot, cancel or Cancel()) as box:
                for test in (*problem.tests, *_tried_outputs(problem)):
                    if (reason := refusal(box, test)) is not None:
                        yield Refused(tool.file, test.input, reason)
        except ProblemFault as fault:
            yield Refused(tool.file, None, fault.reason)


def refusal(box: ToolBox, test: Test) -> str | None:
    """Why the validator in the box does not take the input of a test; None where it does."""
    tool = box.tool
    box.stand_among_its_files()
    with (test.input or Path(os.devnull)).open("rb") as given:
        try:
            ended = box.run((*tool.arguments, *test.input_arguments), given.fileno())
        except ProblemFault as fault:
            return fault.reason
    if ended.run.exit_code == _VALID[tool.protocol]:
        return None
    said = f" {ended.said}" if ended.said else ""
    return f"{tool.file.name}: exit code {ended.run.exit_code}.{said}"


def _tried_outputs(problem: Problem) -> Iterator[Test]:
    return (specimen.test for specimen in problem.specimens if specimen.output is not None)
