"""Writes a problem down as a native package, whatever format it came in."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from judge.model import (
    TOOL_LIMITS,
    Aggregation,
    Comparison,
    Constants,
    Group,
    Limits,
    OwnScore,
    Problem,
    Quiz,
    ScoreMap,
    Test,
    Tolerance,
    Tool,
    Verdict,
    filled,
)
from judge.packages import native
from judge.packages.included import FOLDER as INCLUDED
from judge.packages.native_limits import ANY_NUMBER_OF_FILES, BUILD
from judge.packages.solution import Expectation, Solution

_NS_PER_MS = 1_000_000
Value = str | int | float | bool | Sequence[object]


def write(problem: Problem, solutions: Iterable[Solution], package: Path, tests: Path) -> None:
    """Write the new folders `package` and `tests`, with the problem's constants in place.
    FileExistsError where one of them is there."""
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    places = _places(solutions)
    statement = problem.statement or f"# {problem.title}\n"
    (package / native.STATEMENT).write_text(statement, encoding="utf-8")
    for test in problem.tests:
        _copy_test(test, tests)
    for specimen in problem.specimens:
        _copy_test(specimen.test, tests)
        if specimen.output is not None:
            _copy(specimen.output, tests / f"{specimen.test.id}.out")
    header = problem.build.header
    mains = [test.main for test in problem.tests] + [header.main if header else None]
    for file in (*mains, *problem.build.support):
        if file is not None:
            _copy(file, package / native.MAINS / file.name)
    constants = problem.constants
    for tool, folder in _tools(problem):
        for file in tool.files:
            _copy(file, tests / native.TOOLS / folder / file.name, constants)
    for id_, files in problem.build.included.items():
        for file in files if id_ != "git" else ():  # derived from those of C++
            _copy(file, package / INCLUDED / id_ / file.name, constants)
    if problem.build.overlay:
        shutil.copytree(problem.build.overlay, package / native.OVERLAY, symlinks=True)
    for place, solution in places.items():
        _copy(solution.path, package / native.SOLUTIONS / place, constants)
    text = "\n".join(_definition(problem, places))
    (package / native.DEFINITION).write_text(text + "\n", encoding="utf-8")


def _copy_test(test: Test, tests: Path) -> None:
    for file, suffix in ((test.input, "in"), (test.answer, "ans"), (test.files, "files")):
        if file is not None:
            _copy(file, tests / f"{test.id}.{suffix}")


def _tools(problem: Problem) -> Iterator[tuple[Tool, str]]:
    """The problem's own programs, and the folder of each: what lies beside a script is its own, and
    those that validate inputs may bear the same names as others."""
    for tool in (problem.check, problem.interactor):
        if isinstance(tool, Tool):
            yield tool, _folder(tool)
    for number, tool in enumerate(problem.input_validators, start=1):
        yield tool, f"input-{number}/"


def _folder(tool: Tool) -> str:
    return "script/" if tool.is_scripted else ""


def _places(solutions: Iterable[Solution]) -> dict[str, Solution]:
    """Where each solution lies: under its verdict, or the first of several that would do; with the
    name of its folder where another one has the name already."""
    places: dict[str, Solution] = {}
    for solution in solutions:
        verdict = next(verdict for verdict in Verdict if verdict in solution.expected)
        place = f"{verdict}/{solution.path.name}"
        if place in places:
            place = f"{verdict}/{solution.path.parent.name}-{solution.path.name}"
        places[place] = solution
    return places


def _copy(source: Path, target: Path, constants: Constants | None = None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)
    if constants:
        for file in (*target.rglob("*"), target):
            if file.is_file() and not file.is_symlink():
                file.write_bytes(filled(file.read_bytes(), constants))


def _definition(problem: Problem, places: Mapping[str, Solution]) -> Iterator[str]:
    yield _line("title", problem.title)
    yield _line("languages", list(problem.languages))
    yield _line("source", problem.source_bytes)
    if problem.output_only:
        yield _line("output_only", True)
    if problem.passes > 1:
        yield _line("passes", problem.passes)
    if isinstance(problem.check, Comparison):
        yield _line("compare", problem.check)
    if isinstance(problem.check, OwnScore):
        yield _line("own_score", True)
    yield from _check(problem)
    yield from _build(problem)
    common = problem.tests[0].limits
    yield from _table("limits", _limits(common))
    for group in problem.groups:
        yield from _group(group, "group")
    for test in problem.tests:
        yield from _test("tests", test, common)
    for specimen in problem.specimens:
        yield from _test("specimens", specimen.test, specimen.test.limits)
    yield from _expected(places)


def _expected(places: Mapping[str, Solution]) -> Iterator[str]:
    """What is expected of each solution beyond the verdict that its folder is named after."""
    for place, solution in places.items():
        found: dict[str, object] = {}
        if len(solution.expected) > 1:
            found["verdicts"] = sorted(solution.expected)
        if solution.score is not None:
            found["score"] = solution.score.written
        if solution.language is not None:
            found["language"] = solution.language
        name = f"expected.{json.dumps(place)}"
        if found or solution.expectations:
            yield from _table(name, found)
        for part in solution.expectations:
            yield from _table(f"{name}.of", _expectation(part), is_list=True)


def _expectation(part: Expectation) -> dict[str, object]:
    found: dict[str, object] = {"name": part.of}
    if part.tests is not None:
        found["tests"] = list(part.tests)
    for key, verdicts in (("permitted", part.permitted), ("required", part.required)):
        if verdicts:
            found[key] = sorted(verdicts)
    if part.score is not None:
        found["score"] = part.score.written
    if part.message:
        found["message"] = part.message
    return found


def _group(group: Group, name: str) -> Iterator[str]:
    found: dict[str, Value] = {"name": group.name, "points": group.points}
    if own := group.own:
        found["tests"] = list(own)
    if group.aggregation is not Aggregation.MIN:
        found["aggregation"] = group.aggregation
    if group.requires:
        found["requires"] = list(group.requires)
    if group.rejected:
        found["rejected"] = group.rejected
    yield from _table(name, found, is_list=True)
    for part in group.parts:
        yield from _group(part, f"{name}.part")


def _check(problem: Problem) -> Iterator[str]:
    match problem.check:
        case Tolerance() as tolerance:
            yield from _table("check", _tolerance(tolerance))
        case Tool() as tool:
            yield from _table("check", _tool(tool, _folder(tool)))
        case Quiz(answers):
            yield from _table("quiz", dict(answers))
        case _:
            pass
    if problem.interactor:
        tool = problem.interactor
        yield from _table("interact", _tool(tool, _folder(tool)))
    for number, tool in enumerate(problem.input_validators, start=1):
        yield from _table("validate", _tool(tool, f"input-{number}/"), is_list=True)
    if problem.score_map != ScoreMap() and not isinstance(problem.check, Quiz):
        yield from _table("score", _score_map(problem.score_map))


def _tolerance(rule: Tolerance) -> dict[str, Value]:
    found: dict[str, Value] = {"absolute": rule.absolute, "relative": rule.relative}
    return found | ({"ignores_case": True} if rule.ignores_case else {})


def _score_map(score_map: ScoreMap) -> dict[str, Value]:
    return {"points": [list(pair) for pair in score_map.points]}


def _tool(tool: Tool, folder: str) -> dict[str, Value]:
    found: dict[str, Value] = {"program": folder + tool.file.name, "protocol": tool.protocol}
    if tool.is_binary:
        found["binary"] = True
    if tool.is_scripted:
        found["script"] = True
    if tool.together:
        found["sources"] = [file.name for file in tool.together]
    if tool.arguments:
        found["arguments"] = list(tool.arguments)
    if tool.limits.cpu_ns != TOOL_LIMITS.cpu_ns:
        found["time"] = _duration(tool.limits.cpu_ns)
    if tool.limits.memory_bytes != TOOL_LIMITS.memory_bytes:
        found["memory"] = tool.limits.memory_bytes
    return found


def _build(problem: Problem) -> Iterator[str]:
    build, found = problem.build, dict[str, Value]()
    if build.limits.cpu_ns != BUILD.cpu_ns:
        found["time"] = _duration(build.limits.cpu_ns)
    if build.limits.memory_bytes != BUILD.memory_bytes:
        found["memory"] = build.limits.memory_bytes
    if build.header:
        found["header"] = build.header.name
        if build.header.main:
            found["main"] = build.header.main.name
    if build.support:
        found["support"] = [file.name for file in build.support]
    yield from _table("build", found, leave_empty=True)
    yield from _table("build.env", build.env, leave_empty=True)


def _limits(limits: Limits) -> dict[str, Value]:
    found: dict[str, Value] = {
        "time": _duration(limits.cpu_ns),
        "wall": _duration(limits.wall_ns),
        "memory": limits.memory_bytes,
        "processes": limits.processes,
        "output": limits.output_bytes,
        "disk": limits.disk_bytes,
    }
    if limits.files != ANY_NUMBER_OF_FILES or limits.disk_bytes:
        found["files"] = limits.files
    return found


def _test(kind: str, test: Test, common: Limits) -> Iterator[str]:
    name = f"{kind}.{json.dumps(test.id)}"
    yield from _table(name, _special(test, common), leave_empty=True)
    if isinstance(test.compare, Tolerance):
        yield from _table(f"{name}.check", _tolerance(test.compare))
    if test.score_map:
        yield from _table(f"{name}.score", _score_map(test.score_map))


def _special(test: Test, common: Limits) -> dict[str, Value]:
    found = _limits(test.limits) if test.limits != common else {}
    if test.after is not None:
        found["after"] = test.after
    if test.continues:
        found["continues"] = True
    if test.leak_check:
        found["leak_check"] = test.leak_check
    for key in ("arguments", "check_arguments", "input_arguments", "languages"):
        if words := getattr(test, key):
            found[key] = list(words)
    if isinstance(test.compare, Comparison):
        found["compare"] = test.compare
    if test.main is not None:
        found["main"] = test.main.name
    return found


def _table(
    name: str, values: Mapping[str, object], *, is_list: bool = False, leave_empty: bool = False
) -> Iterator[str]:
    if leave_empty and not values:
        return
    yield ""
    yield f"[[{name}]]" if is_list else f"[{name}]"
    for key, value in values.items():
        yield _line(key, value)


def _line(key: str, value: object) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    # The strings, numbers, flags and lists of JSON are those of TOML.
    return f"{key if bare else json.dumps(key)} = {json.dumps(value, ensure_ascii=False)}"


def _duration(ns: int) -> str:
    return f"{ns / _NS_PER_MS:g}ms" if ns % _NS_PER_MS else f"{ns // _NS_PER_MS}ms"
