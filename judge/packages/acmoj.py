"""ACMOJ's packages: `config.json` and numbered files in one folder (acmoj.md section 2 of the notes
that this follows; DESIGN.md section 7).

Where ACMOJ is wrong by accident, the sensible thing is done: `Dependency` may be left out, a quiz's
FILL questions can be right, an output-only checker is given the input.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import (
    Build,
    Check,
    Comparison,
    Group,
    Header,
    LeakCheck,
    Limits,
    Problem,
    Quiz,
    ScoreMap,
    Test,
    Verdict,
    default_wall_ns,
)
from judge.model.limits import MIB
from judge.packages.acmoj_spj import Spj, read_spj
from judge.packages.faults import Fault, Faults, PackageError
from judge.packages.fields import Fields
from judge.packages.native_limits import ANY_NUMBER_OF_FILES, BUILD, RUN
from judge.packages.solution import Solution
from judge.packages.statement import examples

DEFINITION = "config.json"
_STATEMENTS = ("description.md", "statement.md", "README.md")
_HEADER = "src.hpp"
_COMMON_MAIN = "main.cpp"
_NS_PER_MS = 1_000_000
_SOURCE_BYTES = MIB


def read(package: Path, tests: Path, faults: Faults) -> Problem:
    """The problem that `package/config.json` describes; what is wrong goes to `faults`."""
    table = _parse(package / DEFINITION)
    fields = Fields(_without_nulls(table), package / DEFINITION, faults)
    problem = _Reader(package, tests, fields, faults).problem()
    fields.close()
    return problem


def solutions(package: Path, tests: Path) -> tuple[Solution, ...]:  # noqa: ARG001
    """ACMOJ's packages may hold `solution*.cpp`, which are right."""
    return tuple(
        Solution(path.name, path, frozenset({Verdict.ACCEPTED}))
        for path in sorted(package.glob("solution*.*"))
        if path.suffix in (".cpp", ".hpp", ".py")
    )


def _parse(file: Path) -> dict[str, object]:
    try:
        table = json.loads(file.read_bytes().decode("utf-8-sig"))
    except ValueError as error:
        raise PackageError(Fault(file, "", f"is not JSON: {error}")) from error
    if not isinstance(table, dict):
        raise PackageError(Fault(file, "", "must be a JSON object"))
    return table


def _without_nulls(value: object) -> dict[str, object]:
    """null means the default everywhere."""

    def clean(value: object) -> object:
        match value:
            case dict():
                return {key: clean(item) for key, item in value.items() if item is not None}
            case list():
                return [clean(item) for item in value]
            case _:
                return value

    cleaned = clean(value)
    return cleaned if isinstance(cleaned, dict) else {}


@dataclass(frozen=True, slots=True)
class _Reader:
    package: Path
    tests: Path
    fields: Fields
    faults: Faults

    def problem(self) -> Problem:
        fields = self.fields
        statement = self.statement()
        fields.anything("$schema", "")
        fields.text("RunnerGroup", "default")
        if fields.count("Scorer", 0) != 0:
            fields.fault("Scorer", "there are no scorers but 0")
        if fields.flag("Verilog"):
            fields.fault("Verilog", "Verilog is not offered here")
        support = tuple(self.file("SupportedFiles", name) for name in self.supported())
        spj = read_spj(fields, self.tests, support)
        is_quiz = fields.flag("Quiz")
        groups = self.groups()
        points = self.points(spj, groups)
        check: Check = self.quiz() if is_quiz else spj.check
        if is_quiz:
            groups, points = self.quiz_points(check)
        return Problem(
            slug=self.package.resolve().name,
            title=_title(statement) or self.package.resolve().name,
            statement=statement,
            languages=self.languages(spj, points, is_quiz=is_quiz),
            build=self.build(spj, support),
            check=check,
            tests=points,
            groups=groups,
            source_bytes=_SOURCE_BYTES,
            examples=examples(statement),
            interactor=spj.interactor,
            output_only=is_quiz or spj.runs_nothing,
            score_map=self.score_map(check),
        )

    def supported(self) -> tuple[str, ...]:
        return self.fields.texts("SupportedFiles", ())

    def score_map(self, check: Check) -> ScoreMap:
        if isinstance(check, Quiz):
            return ScoreMap(((0.0, 0.0), (float(max(1, len(check.answers))), 1.0)))
        return ScoreMap()

    def statement(self) -> str:
        for name in _STATEMENTS:
            if (self.package / name).is_file():
                return (self.package / name).read_bytes().decode("utf-8-sig", errors="replace")
        return ""

    def languages(self, spj: Spj, points: Iterable[Test], *, is_quiz: bool) -> tuple[str, ...]:
        """As ACMOJ derives them, but a header problem with one main takes no repository."""
        if is_quiz:
            return ("quiz",)
        if spj.runs_nothing:
            return ("cpp", "text")
        if spj.is_header:
            return ("cpp",)
        if any(test.leak_check for test in points):
            return ("cpp", "git")
        return ("cpp", "python", "git")

    def build(self, spj: Spj, support: tuple[Path, ...]) -> Build:
        cpu_ns = self.fields.count("CompileTimeLimit", 30_000) * _NS_PER_MS
        if cpu_ns == 0:
            self.fields.fault("CompileTimeLimit", "must be more than 0")
            cpu_ns = BUILD.cpu_ns
        limits = replace(BUILD, cpu_ns=cpu_ns, wall_ns=default_wall_ns(cpu_ns))
        main = self.tests / _COMMON_MAIN
        header = Header(_HEADER, main if main.is_file() else None) if spj.is_header else None
        return Build(limits, header, support=support)

    def groups(self) -> tuple[Group, ...]:
        groups = []
        for fields in self.fields.tables("Groups"):
            id_ = str(fields.count("GroupID"))
            tests = tuple(str(id_) for id_ in fields.counts("TestPoints"))
            if not tests:
                fields.fault("TestPoints", "must name at least one")
            groups.append(
                Group(
                    id=id_,
                    name=fields.text("GroupName", f"Task {id_}"),
                    points=fields.number("GroupScore"),
                    tests=tests,
                )
            )
            fields.close()
        return tuple(groups)

    def points(self, spj: Spj, groups: tuple[Group, ...]) -> tuple[Test, ...]:
        tables = self.fields.tables("Details")
        disks = [fields.whole("DiskLimit", 0) for fields in tables]
        is_chained = any(disk > 0 for disk in disks)
        points: list[Test] = []
        for fields, disk in zip(tables, disks, strict=True):
            continues = is_chained and disk >= 0 and bool(points)
            points.append(self.point(fields, spj, abs(disk), continues=continues))
            fields.close()
        self.check_ids(points, groups)
        return self.in_order(points)

    def point(self, fields: Fields, spj: Spj, disk_bytes: int, *, continues: bool) -> Test:
        id_ = str(fields.count("ID"))
        files = fields.whole("FileNumberLimit", -1)
        after = fields.count("Dependency", 0)
        cpu_ns = fields.count("TimeLimit", 1000) * _NS_PER_MS
        memory = fields.count("MemoryLimit", 512 * MIB)
        for key, value in (("TimeLimit", cpu_ns), ("MemoryLimit", memory)):
            if value == 0:
                fields.fault(key, "must be more than 0")
        limits = Limits(
            cpu_ns=max(cpu_ns, 1),
            wall_ns=default_wall_ns(cpu_ns),
            memory_bytes=max(memory, 1),
            processes=RUN.processes,
            output_bytes=256 * MIB,
            disk_bytes=disk_bytes,
            files=ANY_NUMBER_OF_FILES if files < 0 else files,
        )
        given, answer = self.tests / f"{id_}.in", self.answer(id_)
        if answer is None and isinstance(spj.check, Comparison) and not self.fields.flag("Quiz"):
            self.faults.add(self.tests / f"{id_}.ans", "", f"the answer of point {id_} is missing")
        return Test(
            id=id_,
            limits=limits,
            input=given if given.is_file() else None,
            answer=answer,
            after=str(after) if after else None,
            continues=continues,
            leak_check=LeakCheck.VALGRIND if fields.flag("ValgrindTestOn") else None,
            main=self.main(id_, fields) if spj.is_header else None,
        )

    def answer(self, id_: str) -> Path | None:
        found = (self.tests / f"{id_}.{suffix}" for suffix in ("ans", "out"))
        return next((file for file in found if file.is_file()), None)

    def main(self, id_: str, fields: Fields) -> Path | None:
        """The main of one point, where there is no common one."""
        if (self.tests / _COMMON_MAIN).is_file():
            return None
        main = self.tests / f"{id_}.cpp"
        if not main.is_file():
            fields.fault("ID", f"there is neither {_COMMON_MAIN} nor {main.name}")
        return main

    def check_ids(self, points: list[Test], groups: tuple[Group, ...]) -> None:
        ids = [test.id for test in points]
        for id_ in {id_ for id_ in ids if ids.count(id_) > 1}:
            self.fields.fault("Details", f"ID {id_} stands twice")
        for test in points:
            if test.after is not None and test.after not in ids:
                reason = f"point {test.id} depends on {test.after}, which does not exist"
                self.fields.fault("Details", reason)
        for group in groups:
            for id_ in group.tests:
                if id_ not in ids:
                    reason = f"group {group.name} names point {id_}, which does not exist"
                    self.fields.fault("Groups", reason)

    def in_order(self, points: list[Test]) -> tuple[Test, ...]:
        """Chains in an order in which each dependency is judged before it is needed."""
        chains: list[list[Test]] = []
        for test in points:
            if test.continues and chains:
                chains[-1].append(test)
            else:
                chains.append([test])
        ordered: list[Test] = []
        while chains:
            done = {test.id for test in ordered}
            ready = next((chain for chain in chains if _is_ready(chain, done)), None)
            if ready is None:
                names = ", ".join(test.id for chain in chains for test in chain)
                self.fields.fault("Details", f"points {names} wait for each other")
                return tuple(points)
            chains.remove(ready)
            ordered.extend(ready)
        return tuple(ordered)

    def file(self, key: str, name: str) -> Path:
        file = self.tests / name
        if "/" in name or not file.is_file():
            self.fields.fault(key, f'there is no file "{name}"')
        return file

    def quiz(self) -> Quiz:
        file = self.tests / "quiz.json"
        try:
            table = _parse(file)
        except FileNotFoundError:
            self.faults.add(file, "", "is missing")
            return Quiz(())
        fields = Fields(_without_nulls(table), file, self.faults)
        questions = fields.tables("problems")
        return Quiz(tuple((entry.text("id"), entry.text("answer")) for entry in questions))

    def quiz_points(self, check: Check) -> tuple[tuple[Group, ...], tuple[Test, ...]]:
        """One point for each right answer, in one group."""
        count = len(check.answers) if isinstance(check, Quiz) else 0
        return (Group("quiz", "Quiz", count, ("quiz",)),), (Test("quiz", RUN),)


def _is_ready(chain: list[Test], done: set[str]) -> bool:
    done = set(done)
    for test in chain:
        if test.after is not None and test.after not in done:
            return False
        done.add(test.id)
    return True


def _title(statement: str) -> str:
    first = statement.lstrip().partition("\n")[0]
    return first.lstrip("#").strip() if first.startswith("#") else ""
