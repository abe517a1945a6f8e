"""What can be known of a package without running anything."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from judge.model import Comparison, Problem, Trial, Verdict
from judge.packages.faults import Fault, Faults, PackageError
from judge.packages.laid import SUFFIX, is_laid
from judge.packages.loader import read, solutions, tests_folder

_BOM = b"\xef\xbb\xbf"
_LOOKED_AT = 1 << 20
_INPUT, _ANSWER, _OUTPUT = ".in", ".ans", ".out"
_NO_TESTS = ("invalid_", "valid_")


def check(package: Path, tests: Path | None = None) -> tuple[Fault, ...]:
    """All that is wrong with a package, and warnings of what is odd about it."""
    return _examined(package, tests_folder(package) if tests is None else tests)[1]


def approve(package: Path, tests: Path | None = None) -> tuple[Problem, tuple[Fault, ...]]:
    """The problem, and the warnings of `check`, before the package is served. PackageError with all
    that is wrong with it, where anything is."""
    problem, faults = _examined(package, tests_folder(package) if tests is None else tests)
    errors = [fault for fault in faults if not fault.is_warning]
    if problem is None or errors:
        raise PackageError(*errors)
    return problem, faults


def _examined(package: Path, tests: Path) -> tuple[Problem | None, tuple[Fault, ...]]:
    problem, faults = None, Faults()
    try:
        problem = read(package, tests, faults)
    except PackageError as error:
        faults.found.extend(fault for fault in error.faults if fault not in faults.found)
    else:
        _check_tests(problem, tests, faults)
        _check_points(problem, package, faults)
        _check_limits(problem, package, faults)
        _check_examples(problem, package, faults)
        _check_specimens(problem, tests, faults)
        _check_solutions(package, tests, faults)
    inside = tests.resolve().is_relative_to(package.resolve())
    for folder in (package,) if inside else (package, tests):
        _check_names(folder, faults)
    _check_text(tests, faults)
    return problem, tuple(faults.found)


def _check_tests(problem: Problem, tests: Path, faults: Faults) -> None:
    used = {test.input for test in problem.tests} | {test.answer for test in problem.tests}
    for file in _data(tests):
        if file not in used:
            faults.warn(file, "", "no group has a test that uses this file")
    laid = {test.files for test in problem.tests}
    for folder in sorted(tests.glob(f"*{SUFFIX}")):
        if folder not in laid:
            faults.warn(folder, "", "no test is called so: these files are used by none")
    groups = Counter(test for group in problem.groups for test in group.tests)
    for test, count in groups.items():
        if count > 1:
            faults.warn(tests / test, "", f"test {test} is in {count} groups")


def _check_points(problem: Problem, package: Path, faults: Faults) -> None:
    if problem.points == 0:
        faults.warn(package, "points", "all groups together give no points")
    if problem.score_map.points[-1][1] < 1:
        faults.warn(package, "score", "no raw score gives all of the points")
    waits_for = {test.id: test.after for test in problem.tests}
    for group in problem.groups:
        for test in group.tests:
            if waits_for[test] in group.tests:
                continue
            if waits_for[test] is not None and group.points:
                reason = f"test {test} waits for {waits_for[test]}, which is in another group"
                faults.warn(package, f"group {group.name}", reason)


def _check_limits(problem: Problem, package: Path, faults: Faults) -> None:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name, limits in [("build", problem.build.limits)] + [
        (f"test {test.id}", test.limits) for test in problem.tests
    ]:
        if limits.memory_bytes > memory:
            reason = f"{limits.memory_bytes} bytes are more than this machine has ({memory})"
            faults.warn(package, f"{name}: memory", reason)
        if limits.wall_ns < limits.cpu_ns:
            faults.add(package, f"{name}: wall", "is less than the CPU time: nobody can use it up")


def _check_examples(problem: Problem, package: Path, faults: Faults) -> None:
    """An example whose input is that of a test must have the answer of that test, where there is
    but one right output."""
    if not isinstance(problem.check, Comparison):
        return
    examples = {tuple(example.input.split()): example for example in problem.examples}
    for test in problem.tests:
        if test.input is None or test.answer is None:
            continue
        if max(file.stat().st_size for file in (test.input, test.answer)) > _LOOKED_AT:
            continue
        given = test.input.read_bytes().decode(errors="replace").split()
        example = examples.get(tuple(given))
        answer = test.answer.read_bytes().decode(errors="replace")
        if example is not None and example.output.split() != answer.split():
            reason = f"example {example.name} has another output than the answer of test {test.id}"
            faults.add(package / "statement.md", "", reason)


def _check_specimens(problem: Problem, tests: Path, faults: Faults) -> None:
    for specimen in problem.specimens:
        if specimen.output is None and not problem.input_validators:
            reason = "is not tried: there is no input validator that could refuse it"
            faults.warn(tests / specimen.test.id, "", reason)
        if specimen.output is not None and problem.interactor is not None:
            reason = "is not tried: what an interactive problem's programs print is no whole output"
            faults.warn(tests / specimen.test.id, "", reason)
    for trial in Trial:
        for file in sorted((tests / trial).rglob("*")):
            belongs = file.suffix in (_ANSWER, _OUTPUT)
            if belongs and not file.with_suffix(_INPUT).is_file():
                faults.warn(file, "", f"is not used: there is no {file.stem}{_INPUT} beside it")


def _check_solutions(package: Path, tests: Path, faults: Faults) -> None:
    try:
        found = solutions(package, tests)
    except PackageError as error:
        faults.found.extend(error.faults)
        return
    if not any(Verdict.ACCEPTED in solution.expected for solution in found):
        faults.warn(package / "solutions", "", "there is no accepted solution")
    known = {solution.path for solution in found}
    for folder in sorted((package / "solutions").glob("*")):
        if folder.is_dir() and not any(path.parent == folder for path in known):
            faults.warn(folder, "", "is named after no verdict, or empty")


def _check_names(folder: Path, faults: Faults) -> None:
    names = Counter(str(path.relative_to(folder)).lower() for path in _files(folder))
    for path in _files(folder):
        if names[str(path.relative_to(folder)).lower()] > 1:
            faults.warn(path, "", "another name differs from this one in case only")


def _check_text(tests: Path, faults: Faults) -> None:
    for file in _data(tests):
        with file.open("rb") as content:
            beginning = content.read(_LOOKED_AT)
        if beginning.startswith(_BOM):
            faults.warn(file, "", "begins with a byte order mark")
        if b"\r\n" in beginning and b"\0" not in beginning:
            faults.warn(file, "", "has lines that end in CRLF")


def _data(tests: Path) -> Iterable[Path]:
    """The inputs and answers. An ICPC package has groups in folders, and beside them what must be
    refused, and what programs find in their workspace."""
    for file in sorted((*tests.rglob(f"*{_INPUT}"), *tests.rglob(f"*{_ANSWER}"))):
        path = file.relative_to(tests)
        if file.is_file() and not is_laid(path) and not path.parts[0].startswith(_NO_TESTS):
            yield file


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
