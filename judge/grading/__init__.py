"""One submission through the judge: source, build, run, check, decide, score."""

from judge.grading.errors import Cancelled, GradingError
from judge.grading.grade import Compiling, Event, Finished, Judging, TestFinished, grade
from judge.grading.selftest import Tried, try_languages
from judge.grading.slot import Cancel, Slot
from judge.grading.source import Source, SourceCommit, SourceText, SourceTree

__all__ = [
    "Cancel",
    "Cancelled",
    "Compiling",
    "Event",
    "Finished",
    "GradingError",
    "Judging",
    "Slot",
    "Source",
    "SourceCommit",
    "SourceText",
    "SourceTree",
    "TestFinished",
    "Tried",
    "grade",
    "try_languages",
]
