"""A problem as the judge sees it, whatever format its package was written in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from judge.model.check import Check, Comparison, ScoreMap, Tolerance, Tool
from judge.model.constants import Constants
from judge.model.group import Group
from judge.model.limits import NS_PER_SECOND, Limits

DEFAULT = "default"
"""In place of a language's id: of all languages."""


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
    files: Path | None = None
    """A folder whose content lies in the workspace when the program starts."""
    after: str | None = None
    continues: bool = False
    leak_check: LeakCheck | None = None
    main: Path | None = None
    arguments: tuple[str, ...] = ()
    """What the program is told on its command line."""
    check_arguments: tuple[str, ...] = ()
    """What the problem's own checker or interactor is told in this test, beside its own."""
    input_arguments: tuple[str, ...] = ()
    """What the input validators are told of this test, beside their own."""
    languages: tuple[str, ...] = ()
    """The languages of the submissions that this test is for; empty: all."""
    compare: Comparison | Tolerance | None = None
    """How output is compared with this test's answer, in place of the problem's rule."""
    score_map: ScoreMap | None = None
    """From this test's raw score to its share of the points, in place of the problem's."""


class Trial(StrEnum):
    """What the problem's own programs must make of something, by the name of its folder
    (2023-07-draft)."""

    INVALID_INPUT = "invalid_input"
    INVALID_OUTPUT = "invalid_output"
    VALID_OUTPUT = "valid_output"


@dataclass(frozen=True, slots=True)
class Specimen:
    """An input, or an output of some program, that shows whether the problem's own programs tell
    right from wrong. `test` has the input and the answer; `output` is None where the input is what
    is tried."""

    trial: Trial
    test: Test
    output: Path | None = None


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
    included: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Files that a submission in a language is built and run with, by the language's id; those of
    "default" where a language has no entry."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What a build sees in its environment beside the judge's own."""

    def included_in(self, language: str) -> tuple[Path, ...]:
        """The files that go with a submission in that language; those of C++ in each standard."""
        family = "cpp" if language.startswith("cpp") else language
        return self.included.get(family, self.included.get(DEFAULT, ()))


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
    input_validators: tuple[Tool, ...] = ()
    """Programs that say of each input whether it is one; run when a package is verified."""
    specimens: tuple[Specimen, ...] = ()
    """What those programs and the checker are tried on when a package is verified."""
    constants: Constants = field(default_factory=dict)
    """Filled into the problem's own programs and into what is included in a submission."""
    timing: "Timing | None" = None
    """How the time limit follows from the solutions, or how far from them a named one must be."""

    @property
    def points(self) -> float:
        """The full score."""
        return sum(group.points for group in self.groups)

    def in_language(self, language: str) -> "Problem":
        """The problem with the tests alone that are for submissions in that language."""
        tests = tuple(t for t in self.tests if not t.languages or language in t.languages)
        if len(tests) == len(self.tests):
            return self
        ids = {test.id for test in tests}
        return replace(self, tests=tests, groups=tuple(group.of(ids) for group in self.groups))

    def test(self, test_id: str) -> Test:
        """The test of that id. KeyError where there is none."""
        for test in self.tests:
            if test.id == test_id:
                return test
        raise KeyError(test_id)


@dataclass(frozen=True, slots=True)
class Timing:
    """A time limit that follows from the package's solutions: the smallest multiple of
    `resolution_ns` that is at least `accepted_factor` times what the slowest one takes that must
    not be too slow; and what must be too slow still is so at `slow_factor` times the limit.

    `limit_is_named`: the limit is one that the package names, which must be as far from them.
    """

    accepted_factor: float
    slow_factor: float
    resolution_ns: int = NS_PER_SECOND
    only_accepted: bool = False
    """Whether only accepted solutions count, and not also those that fail otherwise."""
    limit_is_named: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A sample of the statement."""

    name: str
    input: str
    output: str
