"""A problem as the judge sees it, whatever format its package was written in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from judge.model.check import Check, ScoreMap, Tool
from judge.model.limits import Limits


class LeakCheck(StrEnum):
    """What looks for memory that is lost: `VALGRIND` sees every access and is slow, `LSAN` sees
    leaks alone and is quick (docs/leaks.md)."""

    VALGRIND = "valgrind"
    LSAN = "lsan"


@dataclass(frozen=True, slots=True)
class Test:
    """One run of the submission.

    `continues`: the workspace of the test before it is kept (a stage of a chain); otherwise the
    test begins in an empty one. `after`: the test that must be accepted, or this one is skipped.
    `main`: the problem's own main program of this test (a header problem without a common one).
    """

    id: str
    limits: Limits
    input: Path | None = None
    answer: Path | None = None
    after: str | None = None
    continues: bool = False
    leak_check: LeakCheck | None = None
    main: Path | None = None
    check_arguments: tuple[str, ...] = ()
    """What the problem's own checker or interactor is told in this test, beside its own."""


@dataclass(frozen=True, slots=True)
class Group:
    """A subtask: its score is the least score of its tests times its points (ACMOJ)."""

    id: str
    name: str
    points: float
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """A header problem: the submission is saved as `name` and compiled into a main program of the
    problem, `main` for all tests or each test's own."""

    name: str
    main: Path | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """How a submission becomes a program. `limits` bound each step of it (each compiler call)."""

    limits: Limits
    header: Header | None = None
    overlay: Path | None = None
    """A folder laid over the repository before the build; its files win."""
    support: tuple[Path, ...] = ()
    """Files that lie beside the source when it is compiled, and over the root of a repository."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What a build sees in its environment beside the judge's own."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A loaded, valid package. `tests` stand in the order in which they are judged."""

    slug: str
    title: str
    statement: str
    languages: tuple[str, ...]
    build: Build
    check: Check
    tests: tuple[Test, ...]
    groups: tuple[Group, ...]
    source_bytes: int
    """The largest source text that is taken, in bytes."""
    examples: tuple["Example", ...] = field(default=())
    interactor: Tool | None = None
    """Talks with the program; what it says goes to `check` only where the protocol has it so."""
    output_only: bool = False
    """The submission is the output: nothing is built or run."""
    passes: int = 1
    """How often a checker (ICPC) may ask for another run of the program, the first included."""
    score_map: ScoreMap = field(default=ScoreMap())

    @property
    def points(self) -> float:
        """The full score."""
        return sum(group.points for group in self.groups)

    def test(self, test_id: str) -> Test:
        """The test of that id. KeyError where there is none."""
        for test in self.tests:
            if test.id == test_id:
                return test
        raise KeyError(test_id)


@dataclass(frozen=True, slots=True)
class Example:
    """A sample of the statement."""

    name: str
    input: str
    output: str
