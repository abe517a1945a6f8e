"""Checks the rules of a definition against a repository on the desk."""

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from judge.results.files.reviews import Finding, RuleOutcome
from judge.results.review.bounded import SECONDS, TooSlow, bounded
from judge.results.review.cmake import executables
from judge.results.review.constructs import uses
from judge.results.review.definition import (
    AllowedHeaders,
    CMakeTarget,
    ForbiddenConstructs,
    ForbiddenPaths,
    ForbiddenPattern,
    Ignored,
    MinimumCommits,
    NoIgnoredFiles,
    RequiredFiles,
    Rule,
    UnchangedFiles,
)
from judge.results.review.desk import Desk, ReviewFailed, split_z
from judge.results.review.preprocessor import preprocess
from judge.results.review.search import search
from judge.results.review.unit import Preprocessed

MAX_FINDINGS = 100
"""Of one rule; more say nothing new."""


def check(desk: Desk, rules: Iterable[Rule]) -> tuple[RuleOutcome, ...]:
    """How each rule came out. ReviewFailed where the repository stops a check from being made."""
    outcomes = []
    for rule in rules:
        found = tuple(dict.fromkeys(_findings(desk, rule)))
        outcome = RuleOutcome(name=rule.name, passed=not found, findings=found[:MAX_FINDINGS])
        outcomes.append(outcome)
    return tuple(outcomes)


def _findings(desk: Desk, rule: Rule) -> Iterator[Finding]:
    match rule:
        case Ignored():
            return _not_ignored(desk, rule)
        case NoIgnoredFiles():
            return _ignored_but_committed(desk)
        case ForbiddenPaths():
            return _forbidden_paths(desk, rule)
        case ForbiddenPattern():
            return _pattern(desk, rule)
        case AllowedHeaders():
            return _headers(desk, rule)
        case ForbiddenConstructs():
            return _constructs(desk, rule)
        case RequiredFiles():
            return _missing(desk, rule.files)
        case UnchangedFiles():
            return _changed(desk, rule)
        case CMakeTarget():
            return _cmake_target(desk, rule)
        case MinimumCommits():
            return _commits(desk, rule)


def _not_ignored(desk: Desk, rule: Ignored) -> Iterator[Finding]:
    for path in rule.paths:
        # A folder is ignored when what is in it is.
        asked = f"{path}probe" if path.endswith("/") else path
        answer = desk.ask("git", "check-ignore", "--no-index", "--quiet", "--", asked)
        if answer.code not in (0, 1):
            raise ReviewFailed(f"git check-ignore: {answer.err.strip()}")
        if answer.code == 1:
            yield Finding(file=".gitignore", message=f"does not cover {path}")


def _ignored_but_committed(desk: Desk) -> Iterator[Finding]:
    listed = desk.ask(
        *("git", "ls-files", "-z", "--cached", "--ignored"), "--exclude-per-directory=.gitignore"
    )
    files = split_z(listed.out)
    if not files:
        return
    given = "\0".join(files).encode("utf-8", "surrogateescape")
    answer = desk.ask(
        *("git", "check-ignore", "--no-index", "--verbose", "-z", "--stdin"), given=given
    )
    words = _split_fields(answer.out)
    for source, line, pattern, path in zip(*(words[part::4] for part in range(4)), strict=True):
        yield Finding(
            file=_text(source) or ".gitignore",
            line=int(line) if line else None,
            message=f"ignores {_text(path)} ({_text(pattern)}), which is committed",
        )


def _split_fields(listed: bytes) -> list[str]:
    """Fields that end with NUL, empty ones kept."""
    return [field.decode("utf-8", "surrogateescape") for field in listed.split(b"\0")[:-1]]


def _forbidden_paths(desk: Desk, rule: ForbiddenPaths) -> Iterator[Finding]:
    for file in desk.matching(rule.patterns):
        yield Finding(file=_text(file), message="must not be committed")


def _pattern(desk: Desk, rule: ForbiddenPattern) -> Iterator[Finding]:
    texts = {}
    for file in desk.matching(rule.files):
        content = desk.read(file)
        if content is not None and (rule.files or b"\0" not in content):
            texts[_text(file)] = content.decode("utf-8", "replace")
    try:
        found = bounded(rule.seconds, search, texts, rule.expression(), rule.comments)
        for match in found:
            message = f"has {match.found!r}, which is forbidden"
            yield Finding(file=match.file, line=match.line, message=message)
    except TooSlow:
        # As with all that cannot be told: what hides is not allowed.
        message = (
            f"the search for {rule.pattern!r} takes more than {rule.seconds:g} s; a simpler pattern"
            " may be quicker"
        )
        yield Finding(file="", message=message)


def _headers(desk: Desk, rule: AllowedHeaders) -> Iterator[Finding]:
    for file in rule.files:
        allowed = set(rule.allowed) | _reference_headers(rule.reference, file)
        found = yield from _preprocessed(desk, file, rule.include_dirs)
        for include in found.includes:
            if not include.own and include.header not in allowed:
                message = f"includes <{include.header}>, which is not allowed"
                yield Finding(file=include.file, line=include.line, message=message)


def _reference_headers(reference: Path | None, file: str) -> set[str]:
    """What the operator's own version of the file includes, as it is written there."""
    path = reference / file if reference else None
    if path is None or not path.is_file():
        return set()
    lines = (line.split() for line in path.read_text("utf-8", "replace").splitlines())
    words = ("".join(line) for line in lines)
    return {
        word.removeprefix("#include")[1:-1]
        for word in words
        if word.startswith(("#include<", '#include"'))
    }


def _constructs(desk: Desk, rule: ForbiddenConstructs) -> Iterator[Finding]:
    for file in rule.files:
        found = yield from _preprocessed(desk, file, rule.include_dirs)
        try:
            used = bounded(SECONDS, uses, found.lines, rule.names)
        except TooSlow:
            yield Finding(file=file, message="takes too long to be parsed")
            continue
        for use in used:
            message = f"uses {use.name}, which is forbidden"
            yield Finding(file=use.file, line=use.line, message=message)


def _preprocessed(
    desk: Desk, file: str, include_dirs: tuple[str, ...]
) -> Generator[Finding, None, Preprocessed]:
    """The preprocessed file; a finding where that cannot be had: what hides is not allowed."""
    if file not in desk.files:
        yield Finding(file=file, message="is not committed")
        return Preprocessed()
    found = preprocess(desk, file, include_dirs)
    if found.fault is not None:
        place, line, reason = found.fault
        yield Finding(file=place, line=line, message=reason)
    return found


def _missing(desk: Desk, files: Iterable[str]) -> Iterator[Finding]:
    for file in files:
        if file not in desk.files:
            yield Finding(file=file, message="is not committed")


def _changed(desk: Desk, rule: UnchangedFiles) -> Iterator[Finding]:
    for file in rule.files:
        reference = rule.reference / file
        if not reference.is_file():
            raise ReviewFailed(f"rule {rule.name!r}: there is no reference {reference}")
        content = desk.read(file)
        if content is None:
            yield Finding(file=file, message="is not committed")
            continue
        line = _first_difference(reference.read_bytes(), content)
        if line is not None:
            yield Finding(file=file, line=line, message="must not be changed, and here it is")


def _first_difference(one: bytes, other: bytes) -> int | None:
    if one == other:
        return None
    ours, theirs = one.split(b"\n"), other.split(b"\n")
    for number, (left, right) in enumerate(zip(ours, theirs, strict=False), 1):
        if left != right:
            return number
    return min(len(ours), len(theirs)) + 1


def _cmake_target(desk: Desk, rule: CMakeTarget) -> Iterator[Finding]:
    path = "CMakeLists.txt" if rule.folder == "." else f"{rule.folder}/CMakeLists.txt"
    if path not in desk.files:
        yield Finding(file=path, message="is not committed")
        return
    found = executables(desk, rule.folder)
    if isinstance(found, str):
        yield Finding(file=path, message=f"CMake refuses it: {found}")
        return
    if any(target.name == rule.target for target in found):
        return
    for target in found:
        message = f"makes the executable {target.name}, not {rule.target}"
        yield Finding(file=target.file or path, line=target.line, message=message)
    if not found:
        yield Finding(file=path, message=f"makes no executable, so none called {rule.target}")


def _commits(desk: Desk, rule: MinimumCommits) -> Iterator[Finding]:
    if desk.commits is None:
        raise ReviewFailed(f"rule {rule.name!r}: a folder without history has no commits to count")
    if desk.commits < rule.commits:
        message = f"the history has {desk.commits} commits, and {rule.commits} are asked for"
        yield Finding(file="", message=message)


def _text(path: str) -> str:
    """A path for people and JSON: bytes that are no text become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
