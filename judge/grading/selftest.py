"""Which languages this machine can judge: each is tried, by judging a program that says hello."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from judge.grading.errors import GradingError
from judge.grading.grade import Finished, grade
from judge.grading.slot import Slot
from judge.grading.source import SourceText
from judge.model import (
    LANGUAGES,
    Build,
    Comparison,
    Group,
    Language,
    Limits,
    Problem,
    Test,
    Verdict,
    default_wall_ns,
)
from judge.model.limits import MIB, NS_PER_SECOND

_CPU_NS = 30 * NS_PER_SECOND
_LIMITS = Limits(
    cpu_ns=_CPU_NS,
    wall_ns=default_wall_ns(_CPU_NS),
    memory_bytes=1024 * MIB,
    processes=64,
    output_bytes=MIB,
    disk_bytes=1024 * MIB,
    files=10_000,
)


@dataclass(frozen=True, slots=True)
class Tried:
    """How the self-test of a language ended; `reason` is empty where it works."""

    language: Language
    reason: str = ""

    @property
    def works(self) -> bool:
        """Whether the language can be offered."""
        return not self.reason


def try_languages(slot: Slot, languages: Iterable[Language] = LANGUAGES) -> tuple[Tried, ...]:
    """Try each of the languages. Those that need no program of this machine just work."""
    return tuple(_try(slot, entry) for entry in languages)


def _try(slot: Slot, language: Language) -> Tried:
    if not language.hello:
        return Tried(language)
    with tempfile.TemporaryDirectory(prefix="adjudge-hello-") as folder:
        answer = Path(folder) / "hello.ans"
        answer.write_text("hello\n")
        problem = Problem(
            slug="hello",
            title="Hello",
            statement="",
            languages=(language.id,),
            build=Build(_LIMITS),
            check=Comparison.LINES,
            tests=(Test("hello", _LIMITS, answer=answer),),
            groups=(Group("1", "Hello", 1, ("hello",)),),
            source_bytes=MIB,
        )
        try:
            *_, last = grade(problem, SourceText(language.id, language.hello.encode()), slot)
        except GradingError as error:
            return Tried(language, error.reason)
    if not isinstance(last, Finished) or last.outcome.verdict is Verdict.ACCEPTED:
        return Tried(language)
    outcome = last.outcome
    details = [result.message for group in outcome.groups for result in group.results]
    return Tried(language, f"{outcome.verdict}: {' '.join([outcome.message, *details]).strip()}")
