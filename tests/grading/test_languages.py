"""Each language of the table says hello, where this machine has what it needs."""

import shutil
from collections.abc import Callable

import pytest

from judge.grading import Slot, Source, SourceText, try_languages
from judge.model import LANGUAGES, Language, Outcome, Problem, Verdict, language, language_of

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

NEEDS = {"java": "javac", "javascript": "node", "go": "go", "rust": "rustc"}


def is_installed(entry: Language) -> bool:
    found = shutil.which(NEEDS.get(entry.id, "gcc"), path="/usr/local/bin:/usr/bin:/bin")
    return found is not None


def test_the_self_test_finds_what_works(slot: Slot) -> None:
    tried = {entry.language.id: entry for entry in try_languages(slot)}
    assert set(tried) == {entry.id for entry in LANGUAGES}
    for entry in tried.values():
        assert entry.works == is_installed(entry.language), entry
        assert entry.works or "No such file or directory" in entry.reason


@pytest.mark.parametrize("memory", ["16MiB", "64MiB", "4GiB"])
@pytest.mark.parametrize("id_", ["java", "javascript", "go"])
def test_big_runtimes_under_any_limit(judge: Judge, make: Make, id_: str, memory: str) -> None:
    entry = language(id_)
    if not is_installed(entry):
        pytest.skip(f"{NEEDS[id_]} is not installed")
    definition = f'languages = ["{id_}"]\n[limits]\nmemory = "{memory}"\ntime = "10s"'
    outcome = judge(make(definition, [("", "hello\n")]), SourceText(id_, entry.hello.encode()))
    allowed = {Verdict.ACCEPTED, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.RUNTIME_ERROR}
    assert outcome.verdict in (allowed if memory == "16MiB" else {Verdict.ACCEPTED})


@pytest.mark.parametrize(
    ("id_", "verdict"), [("cpp11", Verdict.COMPILE_ERROR), ("cpp23", Verdict.ACCEPTED)]
)
def test_standards_differ(judge: Judge, make: Make, id_: str, verdict: Verdict) -> None:
    source = "#include <optional>\n#include <cstdio>\n"
    source += 'int main() { std::optional<int> x = 7; std::printf("%d\\n", *x); }\n'
    problem = make(f'languages = ["{id_}"]')
    assert judge(problem, SourceText(id_, source.encode())).verdict is verdict


def test_extensions_tell_languages() -> None:
    names = ["a.c", "a.cc", "a.cpp", "a.hpp", "a.py", "A.java", "a.js", "a.go", "a.rs", "a.txt"]
    found = [kind.id for name in names if (kind := language_of(name))]
    assert found == ["c", "cpp", "cpp", "cpp", "python", "java", "javascript", "go", "rust", "text"]
    assert language_of("README") is None
