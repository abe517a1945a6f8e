"""One submission through the judge: source, build, run, check, decide, score."""

from judge.grading.errors import Cancelled, GradingError
from judge.grading.grade import Compiling, Event, Finished, Judging, TestFinished, grade
from judge.grading.selftest import Tried, try_languages
from judge.grading.slot import Cancel, Slot
from judge.grading.source import Source, SourceCommit, SourceFiles, SourceText, SourceTree
from judge.grading.specimens import Mistaken, mistakes
from judge.grading.validate import Refused, refused_inputs

__all__ = [
    "Cancel",
    "Cancelled",
    "Compiling",
    "Event",
    "Finished",
    "GradingError",
    "Judging",
    "Mistaken",
    "Refused",
    "Slot",
    "Source",
    "SourceCommit",
    "SourceFiles",
    "SourceText",
    "SourceTree",
    "TestFinished",
    "Tried",
    "grade",
    "mistakes",
    "refused_inputs",
    "try_languages",
]
