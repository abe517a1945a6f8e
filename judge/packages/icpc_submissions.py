"""The submissions of an ICPC package, and what they are expected to get: by their folder, by a tag
in their text, or by submissions.yaml."""

import re
from dataclasses import dataclass
from pathlib import Path

from judge.model import Verdict
from judge.packages.solution import Solution
from judge.packages.yaml_file import read_yaml

_WA, _TLE, _RE = Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED, Verdict.RUNTIME_ERROR
_CRASH = frozenset({_RE, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.OUTPUT_LIMIT_EXCEEDED})
_ANY_FAILURE = frozenset({_WA, _TLE}) | _CRASH
_OUTPUT = Verdict.OUTPUT_LIMIT_EXCEEDED

_FOLDERS: dict[str, frozenset[Verdict]] = {
    "accepted": frozenset({Verdict.ACCEPTED}),
    "wrong_answer": frozenset({_WA}),
    "partially_accepted": frozenset({_WA}),
    "time_limit_exceeded": frozenset({_TLE}),
    "brute_force": frozenset({_TLE, _RE, Verdict.MEMORY_LIMIT_EXCEEDED}),
    "run_time_error": _CRASH,
    "runtime_error": _CRASH,
    "run-error": _CRASH,
    "memory_limit": _CRASH,
    "output_limit": _CRASH,
    "compiler_error": frozenset({Verdict.COMPILE_ERROR}),
    "compile_error": frozenset({Verdict.COMPILE_ERROR}),
    "rejected": _ANY_FAILURE,
    "mixed": _ANY_FAILURE | {Verdict.ACCEPTED},
}
_WORDS: dict[str, frozenset[Verdict]] = {
    "CORRECT": frozenset({Verdict.ACCEPTED}),
    "ACCEPTED": frozenset({Verdict.ACCEPTED}),
    "AC": frozenset({Verdict.ACCEPTED}),
    "WRONG-ANSWER": frozenset({_WA}),
    "WRONG_ANSWER": frozenset({_WA}),
    "WA": frozenset({_WA}),
    "NO-OUTPUT": frozenset({_WA}),
    "TIMELIMIT": frozenset({_TLE}),
    "TIME_LIMIT_EXCEEDED": frozenset({_TLE}),
    "TLE": frozenset({_TLE}),
    "RUN-ERROR": _CRASH,
    "RUN_TIME_ERROR": _CRASH,
    "RTE": _CRASH,
    "MEMORY-LIMIT": _CRASH,
    "OUTPUT-LIMIT": _CRASH,
    "COMPILER-ERROR": frozenset({Verdict.COMPILE_ERROR}),
}
_TAG = re.compile(rb"@EXPECTED_RESULTS@:\s*([A-Za-z_, -]+)")
_LOOKED_AT = 1 << 16


def solutions(package: Path) -> tuple[Solution, ...]:
    """The submissions in `submissions/`, each in a folder that tells what it is."""
    root = package / "submissions"
    listed = _listed(root / "submissions.yaml")
    found = []
    for path in sorted(root.glob("*/*")):
        if path.name.startswith(".") or path.name == "README.md":
            continue
        name = path.relative_to(root).as_posix()
        expected, score = _FOLDERS.get(path.parent.name, frozenset[Verdict]()), None
        expected = _tagged(path) or expected
        counts = True
        for entry in listed:
            if entry.is_of(name):
                expected, score = entry.verdicts or expected, entry.score
                counts = counts and entry.counts_for_time
        if expected:
            found.append(Solution(name, path, expected, score, counts_for_time=counts))
    return tuple(found)


def _tagged(path: Path) -> frozenset[Verdict]:
    """What the text of a submission says of itself (DOMjudge)."""
    if not path.is_file():
        return frozenset()
    with path.open("rb") as file:
        tag = _TAG.search(file.read(_LOOKED_AT))
    if tag is None:
        return frozenset()
    words = (word.strip().upper() for word in tag[1].decode().split(","))
    return frozenset().union(*(_WORDS.get(word, frozenset()) for word in words))


@dataclass(frozen=True, slots=True)
class _Entry:
    """What submissions.yaml says by one of its patterns."""

    pattern: str
    verdicts: frozenset[Verdict]
    score: float | None
    counts_for_time: bool

    def is_of(self, name: str) -> bool:
        """Whether the pattern names that submission, or the folder that it is in."""
        return any(path.match(self.pattern) for path in (Path(name), Path(name).parent))


def _listed(file: Path) -> list[_Entry]:
    """The entries of submissions.yaml; what they say of single groups of tests is left out."""
    found = []
    for pattern, entry in read_yaml(file).items() if file.is_file() else ():
        if not isinstance(entry, dict):
            continue
        words = entry.get("required") or entry.get("permitted") or []
        verdicts = frozenset[Verdict]().union(
            *(_WORDS.get(str(word).upper(), frozenset()) for word in words)
        )
        score = entry.get("score")
        points = float(score) if isinstance(score, int | float) else None
        counts = entry.get("use_for_time_limit") is not False
        found.append(_Entry(pattern, verdicts, points, counts))
    return found
