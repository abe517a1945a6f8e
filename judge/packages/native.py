"""The native format: `problem.toml` and the folders beside it (docs/problems.md)."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import (
    LANGUAGES,
    TOOL_LIMITS,
    Build,
    Group,
    Header,
    Limits,
    Problem,
    Protocol,
    Specimen,
    Test,
    Tool,
    Verdict,
    default_wall_ns,
)
from judge.packages.faults import Fault, Faults, PackageError
from judge.packages.fields import Fields
from judge.packages.included import included
from judge.packages.native_check import read_check, read_score_map
from judge.packages.native_expected import Expected, read_expected
from judge.packages.native_groups import read_groups
from judge.packages.native_limits import BUILD, RUN, read_limits, read_memory
from judge.packages.native_specimens import read_specimens
from judge.packages.native_tests import (
    CHECKED_FOR_LEAKS,
    NO_LEAK_CHECK,
    TestReader,
    check_languages,
)
from judge.packages.solution import Solution
from judge.packages.statement import examples

DEFINITION = "problem.toml"
STATEMENT = "statement.md"
MAINS = "mains"
OVERLAY = "overlay"
TOOLS = "judge"
SOLUTIONS = "solutions"

SOURCE_BYTES = 128 * 1024
LANGUAGES_BY_DEFAULT = ("cpp", "python", "git")


def read(package: Path, tests: Path, faults: Faults) -> Problem:
    """The problem that `package/problem.toml` describes; what is wrong goes to `faults`."""
    fields = Fields(_parse(package / DEFINITION), package / DEFINITION, faults)
    problem = _Loader(package, tests, fields, faults).problem()
    _expected(fields, package, problem.groups)
    fields.close()
    return problem


def solutions(package: Path, tests: Path) -> tuple[Solution, ...]:  # noqa: ARG001
    """The solutions of `solutions/<verdict>/`; `[expected]` may say more of them."""
    fields = Fields(_parse(package / DEFINITION), package / DEFINITION, Faults())
    expected = read_expected(fields.table("expected"))
    found = []
    for path in sorted(package.glob(f"{SOLUTIONS}/*/*")):
        name = f"{path.parent.name}/{path.name}"
        if path.parent.name in list(Verdict):
            said = expected.get(name, Expected())
            solution = Solution(
                name=name,
                path=path,
                expected=said.verdicts or frozenset({Verdict(path.parent.name)}),
                score=said.score,
                language=said.language,
                expectations=said.expectations,
            )
            found.append(solution)
    return tuple(found)


def _expected(fields: Fields, package: Path, groups: Iterable[Group]) -> None:
    """The table of what is expected: each entry is of a solution that is there, and of tests."""
    table = fields.table("expected")
    known = {test for group in groups for test in group.tests}
    for name, said in read_expected(table).items():
        if not (package / SOLUTIONS / name).exists():
            table.fault(name, f"there is no solution {SOLUTIONS}/{name}")
        for part in said.expectations:
            for test in part.tests or ():
                if test not in known:
                    table.fault(name, f'there is no test "{test}"')


def _parse(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except tomllib.TOMLDecodeError as error:
        raise PackageError(Fault(file, "", f"is not TOML: {error}")) from error
    except UnicodeDecodeError as error:
        raise PackageError(Fault(file, "", "is not UTF-8 text")) from error


@dataclass(frozen=True, slots=True)
class _Loader:
    package: Path
    tests: Path
    fields: Fields
    faults: Faults

    def problem(self) -> Problem:
        fields = self.fields
        common = fields.table("limits")
        limits = read_limits(common, RUN)
        common.close()
        build = self.build(fields.table("build"))
        groups = read_groups(fields)
        reader = TestReader(
            self.tests, self.package / MAINS, limits, build.header, self.needs_answers()
        )
        special = fields.table("tests")
        tests = reader.read(special, groups)
        languages = self.languages(build, tests)
        check_languages(special, languages, tests, groups)
        statement = self.statement()
        return Problem(
            slug=self.package.resolve().name,
            title=fields.text("title"),
            statement=statement,
            languages=languages,
            build=build,
            check=read_check(fields, self.tool),
            tests=tests,
            groups=groups,
            source_bytes=fields.size("source", SOURCE_BYTES),
            examples=examples(statement),
            interactor=self.interactor(fields),
            output_only=fields.flag("output_only") or "quiz" in fields,
            passes=fields.count("passes", 1) or 1,
            score_map=read_score_map(fields),
            input_validators=tuple(self.tool(table) for table in fields.tables("validate")),
            specimens=self.specimens(limits),
        )

    def specimens(self, limits: Limits) -> tuple[Specimen, ...]:
        fields = self.fields.table("specimens")
        found = read_specimens(fields, self.tests, limits, is_compared=self.needs_answers())
        return tuple(found)

    def interactor(self, fields: Fields) -> Tool | None:
        if "interact" not in fields:
            return None
        tool = self.tool(fields.table("interact"))
        decides = "own_score" in fields or "program" in fields.table("check")
        if tool.protocol is Protocol.ACMOJ and not decides:
            reason = 'an acmoj interactor judges nothing: add "own_score" or a "check.program"'
            fields.fault("interact.protocol", reason)
        return tool

    def tool(self, fields: Fields) -> Tool:
        """A program of the problem's own, in `judge/` of the package or of its tests; what lies
        beside it there is beside it when it is built."""
        name = fields.text("program")
        folder = self.package / TOOLS
        if not (folder / name).is_file() and (self.tests / TOOLS / name).is_file():
            folder = self.tests / TOOLS
        file = fields.file("program", folder, name) if name else folder / "nothing"
        beside = sorted(path for path in file.parent.glob("*") if path.is_file() and path != file)
        together = tuple(
            fields.file("sources", file.parent, entry) for entry in fields.texts("sources", ())
        )
        is_scripted = fields.flag("script")
        if is_scripted:
            beside = sorted(path for path in file.parent.glob("*") if path != file)
        cpu_ns = fields.duration("time", TOOL_LIMITS.cpu_ns)
        tool = Tool(
            file=file,
            protocol=fields.word("protocol", Protocol, Protocol.TESTLIB),
            beside=tuple(path for path in beside if path not in together),
            together=together,
            is_scripted=is_scripted,
            arguments=fields.texts("arguments", ()),
            is_binary=fields.flag("binary"),
            limits=replace(
                TOOL_LIMITS,
                cpu_ns=cpu_ns,
                wall_ns=default_wall_ns(cpu_ns),
                memory_bytes=read_memory(fields, TOOL_LIMITS.memory_bytes),
            ),
        )
        fields.close()
        return tool

    def statement(self) -> str:
        file = self.package / STATEMENT
        try:
            return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        except FileNotFoundError:
            self.faults.add(file, "", "is missing")
        except UnicodeDecodeError:
            self.faults.add(file, "", "is not UTF-8 text")
        return ""

    def languages(self, build: Build, tests: tuple[Test, ...]) -> tuple[str, ...]:
        """The languages offered: those that the definition names, or all that the kind takes."""
        takes = {entry.id for entry in LANGUAGES} - {"text", "quiz"}
        reason = f"there is no such language (there are {', '.join(sorted(takes))})"
        default: tuple[str, ...] = LANGUAGES_BY_DEFAULT
        if "quiz" in self.fields:
            takes, reason, default = {"quiz"}, "a quiz takes answers only", ("quiz",)
        elif self.fields.flag("output_only"):
            takes, reason, default = {"text", "git"}, "output only takes text and git", ("text",)
        elif build.header:
            takes = {id_ for id_ in takes if id_.startswith("cpp")}
            reason, default = "a header problem takes C++ only", ("cpp",)
        elif any(test.leak_check and not test.languages for test in tests):
            takes, reason = takes & CHECKED_FOR_LEAKS, NO_LEAK_CHECK
        offered = self.fields.texts("languages", tuple(id_ for id_ in default if id_ in takes))
        for id_ in offered:
            if id_ not in takes:
                self.fields.fault("languages", f'"{id_}": {reason}')
        if not offered:
            self.fields.fault("languages", "must name at least one")
        return offered

    def build(self, fields: Fields) -> Build:
        cpu_ns = fields.duration("time", BUILD.cpu_ns)
        limits = replace(
            BUILD,
            cpu_ns=cpu_ns,
            wall_ns=default_wall_ns(cpu_ns),
            memory_bytes=read_memory(fields, BUILD.memory_bytes),
        )
        overlay = self.package / OVERLAY
        header = self.header(fields)
        support = tuple(
            fields.file("support", self.package / MAINS, name)
            for name in fields.texts("support", ())
        )
        environment = fields.table("env")
        env = {name: environment.text(name) for name in environment.names()}
        fields.close()
        return Build(
            limits,
            header,
            overlay if overlay.is_dir() else None,
            support,
            included(self.package, {entry.id: entry.id for entry in LANGUAGES}, self.faults),
            env,
        )

    def header(self, fields: Fields) -> Header | None:
        name = fields.optional_text("header")
        main = fields.optional_text("main")
        if name is None:
            if main is not None:
                fields.fault("main", 'is for header problems: name the "header" as well')
            return None
        if "/" in name:
            fields.fault("header", "must be the name of a file, without a folder")
        return Header(
            name=name,
            main=fields.file("main", self.package / MAINS, main) if main else None,
        )

    def needs_answers(self) -> bool:
        """A rule of ours compares with the answer; a program of the problem's may do without."""
        check = self.fields.table("check")
        own_score = self.fields.flag("own_score")
        named = "interact" in self.fields or "quiz" in self.fields
        return not ("program" in check or own_score or named)
