"""The submissions of an ICPC package, and what they are expected to get: by their folder, by a tag
in their text, or by submissions.yaml."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from judge.model import Verdict, is_source, language, language_of
from judge.packages.faults import Faults
from judge.packages.icpc_expectations import ANY_FAILURE, CRASH, WORDS, Entry, read_entries
from judge.packages.icpc_kinds import DEFINITION, named_kinds
from judge.packages.solution import Expectation, Solution
from judge.packages.yaml_file import read_yaml

_AC, _WA, _TLE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED
_FOLDERS: Mapping[str, frozenset[Verdict]] = {
    "accepted": frozenset({_AC}),
    "wrong_answer": frozenset({_WA}),
    "partially_accepted": ANY_FAILURE,
    "time_limit_exceeded": frozenset({_TLE}),
    "brute_force": frozenset({_TLE}) | CRASH,
    "run_time_error": CRASH,
    "runtime_error": CRASH,
    "run-error": CRASH,
    "memory_limit": CRASH,
    "output_limit": CRASH,
    "compiler_error": frozenset({Verdict.COMPILE_ERROR}),
    "compile_error": frozenset({Verdict.COMPILE_ERROR}),
    "rejected": ANY_FAILURE,
    "mixed": ANY_FAILURE | {_AC},
}
_TAG = re.compile(rb"@EXPECTED_RESULTS@:\s*([A-Za-z_, -]+)")
_LOOKED_AT = 1 << 16
_BUILD_FILES = frozenset({"CMakeLists.txt", "GNUmakefile", "makefile", "Makefile"})


def solutions(package: Path, tests: Path) -> tuple[Solution, ...]:
    """The submissions in `submissions/`, each in a folder that tells what it is; `tests` is the
    folder of the data. PackageError with all that is wrong with submissions.yaml."""
    root = package / "submissions"
    paths = [
        path
        for path in sorted(root.glob("*/*"))
        if not path.name.startswith(".") and path.name != "README.md"
    ]
    names = {path: path.relative_to(root).as_posix() for path in paths}
    faults = Faults()
    entries = read_entries(root / "submissions.yaml", tests, faults)
    for entry in entries:
        if entry.pattern not in _FOLDERS and not any(map(entry.is_of, names.values())):
            faults.add(root / "submissions.yaml", entry.pattern, "names no submission")
    faults.raise_any()
    found = (
        _solution(path, name, [entry for entry in entries if entry.is_of(name)])
        for path, name in names.items()
    )
    told = tuple(solution for solution in found if solution.expected)
    return tuple(map(_at_any_score, told)) if _is_scoring(package) else told


def _is_scoring(package: Path) -> bool:
    return "scoring" in named_kinds(read_yaml(package / DEFINITION).get("type", ""))


def _at_any_score(solution: Solution) -> Solution:
    """In a scoring problem what is accepted need not have the full score, which here is a wrong
    answer to the whole."""
    if solution.expected != {_AC} or solution.expectations:
        return solution
    every = Expectation(permitted=solution.expected)
    return replace(solution, expected=frozenset({_AC, _WA}), expectations=(every,))


def _solution(path: Path, name: str, entries: Iterable[Entry]) -> Solution:
    expected = _tagged(path) or _FOLDERS.get(path.parent.name, frozenset())
    spoken = _language_of_folder(path) if path.is_dir() else None
    solution = Solution(name, path, expected, language=spoken)
    for entry in entries:
        solution = replace(
            solution,
            expected=entry.verdicts or solution.expected,
            score=entry.score or solution.score,
            language=entry.language or solution.language,
            counts_for_time=solution.counts_for_time and entry.counts_for_time,
            expectations=(*solution.expectations, *entry.expectations),
        )
    return solution


def _tagged(path: Path) -> frozenset[Verdict]:
    """What the text of a submission says of itself (DOMjudge)."""
    if not path.is_file():
        return frozenset()
    with path.open("rb") as file:
        tag = _TAG.search(file.read(_LOOKED_AT))
    if tag is None:
        return frozenset()
    words = (word.strip().upper() for word in tag[1].decode().split(","))
    return frozenset().union(*(WORDS.get(word, frozenset()) for word in words))


def _language_of_folder(folder: Path) -> str | None:
    """The one language of the sources in a folder; None where it builds itself, or there are none
    or several."""
    names = [path.name for path in folder.iterdir() if path.is_file()]
    if _BUILD_FILES.intersection(names):
        return None
    kinds = [kind for name in names if (kind := language_of(name)) and is_source(name, kind)]
    found = {kind.id for kind in kinds if kind.run and kind.hello}
    if found == {language("c").id, language("cpp").id}:
        return "cpp"
    return found.pop() if len(found) == 1 else None
