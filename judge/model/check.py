"""How output is judged: by a rule of ours, or by a program of the problem's own."""

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

from judge.model.limits import MIB, NS_PER_SECOND, Limits, default_wall_ns


class Comparison(StrEnum):
    """How output is compared with the answer.

    `TOKENS`: the words between white space are the same. `WORDS`: the same, but capital and small
    letters do not differ (ICPC). `LINES`: ACMOJ's default compare, blanks at the end of a line and
    blank lines do not count. `EXACT`: byte for byte.
    """

    WORDS = "words"
    TOKENS = "tokens"
    LINES = "lines"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """As TOKENS, but where the answer has a decimal number the output may be off: by `absolute`,
    or by `relative` times the answer. What is no decimal number is never near one (`nan`, `0x1p3`).
    """

    absolute: float
    relative: float
    ignores_case: bool = False


class Protocol(StrEnum):
    """How a problem's own program is called, and how it says what it found (docs/problems.md)."""

    TESTLIB = "testlib"
    ACMOJ = "acmoj"
    ICPC = "icpc"


TOOL_LIMITS = Limits(
    cpu_ns=10 * NS_PER_SECOND,
    wall_ns=default_wall_ns(10 * NS_PER_SECOND),
    memory_bytes=1024 * MIB,
    processes=64,
    output_bytes=64 * MIB,
    disk_bytes=4096 * MIB,
    files=10_000,
)
"""ACMOJ gives checkers 10 s and 1 GiB."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of the problem's own, a checker or an interactor: `file` is its source (C, C++ or
    Python) or the program itself, `together` are more sources that are compiled with it, `beside`
    are files and folders that it includes or imports.

    `is_scripted`: `file` is a script `build`, which is run and leaves `run`, or that `run` itself
    (ICPC); what lies beside it is beside `run` as well.
    """

    file: Path
    protocol: Protocol
    beside: tuple[Path, ...] = ()
    together: tuple[Path, ...] = ()
    arguments: tuple[str, ...] = ()
    limits: Limits = TOOL_LIMITS
    is_binary: bool = False
    is_scripted: bool = False

    @property
    def files(self) -> tuple[Path, ...]:
        """All files and folders that it is made of; its own file is the last."""
        return (*self.beside, *self.together, self.file)


@dataclass(frozen=True, slots=True)
class OwnScore:
    """The output says its own score in its first line, and a message in the others. Right where a
    main of the problem's own writes it (ACMOJ's check "skip")."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """The output is a JSON object with an answer to each question; the raw score is how many are
    right. `answers` are pairs of a question's id and its answer (ACMOJ)."""

    answers: tuple[tuple[str, str], ...]


Check = Comparison | Tolerance | Tool | OwnScore | Quiz


@dataclass(frozen=True, slots=True)
class ScoreMap:
    """From a raw score to the share of a test's points: linear between break points, which rise,
    and level beyond the first and the last of them."""

    points: tuple[tuple[float, float], ...] = field(default=((0.0, 0.0), (1.0, 1.0)))

    def __post_init__(self) -> None:
        raws = [raw for raw, _ in self.points]
        if len(raws) < 2 or any(one >= other for one, other in pairwise(raws)):
            raise ValueError("a score map needs at least two points whose raw scores rise")
        if any(not 0 <= share <= 1 for _, share in self.points):
            raise ValueError("a share of the points is from 0 to 1")

    def share(self, raw: float) -> float:
        """The share, from 0 to 1, of a raw score."""
        at = bisect_right([point for point, _ in self.points], raw)
        if at == 0:
            return self.points[0][1]
        if at == len(self.points):
            return self.points[-1][1]
        (left, low), (right, high) = self.points[at - 1 : at + 1]
        return low + (high - low) * (raw - left) / (right - left)
