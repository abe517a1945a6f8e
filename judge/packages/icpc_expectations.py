"""What submissions.yaml says of the submissions of an ICPC package."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from judge.model import Verdict
from judge.packages.faults import Faults
from judge.packages.fields import Fields
from judge.packages.icpc_languages import LANGUAGES
from judge.packages.laid import is_laid
from judge.packages.solution import Expectation, Points, read_points
from judge.packages.yaml_file import read_yaml

_AC, _WA, _TLE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED
CRASH = frozenset(
    {Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.OUTPUT_LIMIT_EXCEEDED}
)
ANY_FAILURE = frozenset({_WA, _TLE}) | CRASH
WORDS: Mapping[str, frozenset[Verdict]] = {
    **dict.fromkeys(("AC", "ACCEPTED", "CORRECT"), frozenset({_AC})),
    **dict.fromkeys(("WA", "WRONG_ANSWER", "WRONG-ANSWER", "NO-OUTPUT"), frozenset({_WA})),
    **dict.fromkeys(("TLE", "TIME_LIMIT_EXCEEDED", "TIMELIMIT"), frozenset({_TLE})),
    **dict.fromkeys(("RTE", "RUN_TIME_ERROR", "RUN-ERROR"), CRASH),
    **dict.fromkeys(("MEMORY-LIMIT", "OUTPUT-LIMIT"), CRASH),
    "COMPILER-ERROR": frozenset({Verdict.COMPILE_ERROR}),
}
_NOT_USED = ("authors", "model_solution", "entrypoint")
_BRACES = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of the submissions that a pattern matches. `verdicts` are those that will do for
    the whole; none where it says nothing of them."""

    pattern: str
    verdicts: frozenset[Verdict]
    score: Points | None
    language: str | None
    counts_for_time: bool
    expectations: tuple[Expectation, ...]

    def is_of(self, name: str) -> bool:
        """Whether the pattern names that submission, or the folder that it is in."""
        return _matches(self.pattern, name)


def read_entries(file: Path, data: Path, faults: Faults) -> list[Entry]:
    """The entries of submissions.yaml, none where there is no such file; `data` is the folder of
    the tests that it may speak of."""
    if not file.is_file():
        return []
    raw = read_yaml(file)
    inputs = (path.relative_to(data) for path in sorted(data.rglob("*.in")))
    names = [path.with_suffix("").as_posix() for path in inputs if not is_laid(path)]
    entries = []
    for pattern, fields in Fields(raw, file, faults).items():
        said = raw[pattern]
        pairs = said.items() if isinstance(said, dict) else ()
        groups = [str(key) for key, value in pairs if isinstance(value, dict)]
        entries.append(_entry(pattern, fields, groups, names))
    return entries


def _entry(pattern: str, fields: Fields, groups: list[str], tests: list[str]) -> Entry:
    """What a pattern is given; `groups` are its keys that name tests or groups of tests."""
    for key in _NOT_USED:
        fields.anything(key, None)
    spoken = fields.optional_text("language")
    if spoken is not None and spoken not in LANGUAGES:
        fields.fault("language", f'"{spoken}" is none of {", ".join(LANGUAGES)}')
    use = fields.anything("use_for_time_limit", True)
    if use not in (True, False, "lower", "upper"):
        fields.fault("use_for_time_limit", "must be true, false, lower or upper")
    whole = _expectation(fields, "all tests", None)
    parts = []
    for name in groups:
        part = fields.table(name)
        theirs = tuple(test.replace("/", "-") for test in tests if _matches(name, test))
        if not theirs and name != "sample":
            fields.fault(name, "names neither a test nor a group of tests")
        said = _expectation(part, name, theirs)
        part.anything("use_for_time_limit", None)
        part.close()
        if theirs:
            parts.append(said)
    fields.close()
    all_said = (replace(whole, score=None), *parts)
    return Entry(
        pattern=pattern,
        verdicts=_of_the_whole(whole),
        score=whole.score,
        language=LANGUAGES.get(spoken) if spoken else None,
        counts_for_time=use is not False,
        expectations=tuple(one for one in all_said if one != Expectation(one.of, one.tests)),
    )


def _expectation(fields: Fields, of: str, tests: tuple[str, ...] | None) -> Expectation:
    return Expectation(
        of=of,
        tests=tests,
        permitted=_verdicts(fields, "permitted"),
        required=_verdicts(fields, "required"),
        score=read_points(fields),
        message=fields.text("message", ""),
    )


def _of_the_whole(said: Expectation) -> frozenset[Verdict]:
    """The verdicts of a whole submission that will do: those that all tests may have, but accepted
    not where some test must have another one."""
    if not said.permitted and not said.required:
        return frozenset()
    permitted = said.permitted or ANY_FAILURE | {_AC}
    return permitted - {_AC} if said.required and _AC not in said.required else permitted


def _verdicts(fields: Fields, key: str) -> frozenset[Verdict]:
    found: frozenset[Verdict] = frozenset()
    for word in fields.texts(key, ()):
        if word.upper() not in WORDS:
            fields.fault(key, f'"{word}" is none of AC, WA, TLE, RTE')
        found |= WORDS.get(word.upper(), frozenset())
    return found


def _matches(pattern: str, name: str) -> bool:
    """Whether a pattern names a path, or a folder that it is in. `*` does not match a slash."""
    parts = name.split("/")
    for one in _expanded(pattern.strip("/")):
        wanted = one.split("/")
        if len(wanted) <= len(parts) and all(map(fnmatchcase, parts, wanted)):
            return True
    return False


def _expanded(pattern: str) -> Iterator[str]:
    """The patterns that one with `{one,other}` stands for."""
    found = _BRACES.search(pattern)
    if found is None:
        yield pattern
        return
    for word in found[1].split(","):
        yield from _expanded(pattern[: found.start()] + word + pattern[found.end() :])
