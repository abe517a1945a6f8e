"""Decides whether output is right."""

import os
from pathlib import Path

from judge.grading.compare import difference
from judge.model import Checked, Comparison


class ProblemFault(Exception):
    """The problem did not do its part: `reason` is a sentence for the operator."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def check(comparison: Comparison, output: int, answer: Path | None) -> Checked:
    """The checker's word about the file `output` (a descriptor). ProblemFault."""
    if answer is None:
        raise ProblemFault("The test has no answer.")
    try:
        expected = os.open(answer, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        reason = f"The answer {answer.name} cannot be read: {error.strerror}."
        raise ProblemFault(reason) from error
    try:
        found = difference(comparison, output, expected)
    finally:
        os.close(expected)
    if found is None:
        return Checked(1)
    return Checked(0, f"The output differs from the answer in {found.unit} {found.number}.")
