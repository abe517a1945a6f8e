"""The solutions of a package, and what each of them is expected to get."""

from dataclasses import dataclass
from pathlib import Path

from judge.model import Verdict


@dataclass(frozen=True, slots=True)
class Solution:
    """A submission that comes with a package: a file, or a folder that is a repository.

    `score` is the expected score in points, where the package names one. `language` is that of a
    file whose extension does not tell. `counts_for_time`: whether a time limit that follows from
    the solutions follows from this one too.
    """

    name: str
    path: Path
    expected: frozenset[Verdict]
    score: float | None = None
    language: str | None = None
    counts_for_time: bool = True
