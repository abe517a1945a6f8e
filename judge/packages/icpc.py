"""ICPC and Kattis packages: `problem.yaml`, in the legacy format and that of 2023-07-draft
(icpc.io/problem-package-format)."""

import math
import re
from dataclasses import dataclass, replace
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from judge.model import (
    TOOL_LIMITS,
    Build,
    Check,
    Comparison,
    Limits,
    Problem,
    Protocol,
    ScoreMap,
    Tolerance,
    Tool,
    default_wall_ns,
)
from judge.model.limits import MIB, NS_PER_SECOND
from judge.packages.faults import Fault, Faults, PackageError
from judge.packages.fields import Fields
from judge.packages.icpc_data import Data, read_data
from judge.packages.icpc_submissions import solutions
from judge.packages.native_limits import ANY_NUMBER_OF_FILES, BUILD
from judge.packages.statement import examples

__all__ = ["DEFINITION", "read", "solutions"]

DEFINITION = "problem.yaml"
_LEGACY = "legacy"
_VERSIONS = (_LEGACY, "legacy-icpc", "2023-07-draft", "2023-07")
_TEXT_FOLDERS = ("statement", "problem_statement")
_VALIDATOR_FOLDERS = ("output_validator", "output_validators")
_SOURCES = (".py", ".cpp", ".cc", ".c")
_MAINS = ("validate", "validator", "output_validator", "main", "__main__")
_NAMELESS_TIME = 5.0
_LANGUAGES = {
    **{name: name for name in ("c", "cpp", "java", "javascript", "go", "rust")},
    "python3": "python",
    "python": "python",
}
_UNUSED = (
    *("uuid", "version", "credits", "author", "source", "source_url", "license", "rights_owner"),
    *("rights-owner", "embargo_until", "keywords", "grading", "libraries", "allow_file_writing"),
)


def read(package: Path, tests: Path, faults: Faults) -> Problem:
    """The problem that `package/problem.yaml` describes; what is wrong goes to `faults`.

    `tests` is the folder `data` of the package, or one in its place.
    """
    fields = Fields(read_yaml(package / DEFINITION), package / DEFINITION, faults)
    problem = _Reader(package, tests, fields, faults).problem()
    fields.close()
    return problem


def read_yaml(file: Path) -> dict[str, object]:
    """A YAML file that holds a table; an empty one is an empty table. PackageError."""
    try:
        table = yaml.safe_load(file.read_bytes())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise PackageError(Fault(file, "", f"is not YAML: {reason}")) from error
    if table is None:
        return {}
    if not isinstance(table, dict) or not all(isinstance(key, str) for key in table):
        raise PackageError(Fault(file, "", "must be a table of names and values"))
    return table


@dataclass(frozen=True, slots=True)
class _Reader:
    package: Path
    tests: Path
    fields: Fields
    faults: Faults

    def problem(self) -> Problem:
        fields = self.fields
        for key in _UNUSED:
            fields.anything(key, None)
        version = str(fields.anything("problem_format_version", _LEGACY))
        if version not in _VERSIONS:
            fields.fault("problem_format_version", f"is none of {', '.join(_VERSIONS)}")
        kinds = self.kinds()
        statement = self.statement()
        limits, build, tool_limits, passes = self.limits()
        data = read_data(self.tests, limits, self.faults, scoring="scoring" in kinds)
        check, interactor = self.check(kinds, data, tool_limits)
        return Problem(
            slug=self.package.resolve().name,
            title=self.title(),
            statement=statement,
            languages=("git", "text") if "submit-answer" in kinds else self.languages(),
            build=build,
            check=check,
            tests=data.tests,
            groups=data.groups,
            source_bytes=self.code_bytes(),
            examples=examples(statement),
            interactor=interactor,
            output_only="submit-answer" in kinds,
            passes=passes if "multi-pass" in kinds else 1,
            score_map=ScoreMap(((0.0, 0.0), (data.full_score, 1.0))),
        )

    def kinds(self) -> frozenset[str]:
        """What the problem is, of both ways to say it: pass-fail, scoring, interactive, ..."""
        said = self.fields.anything("type", "pass-fail")
        kinds = set(said) if isinstance(said, list) else set(str(said).split())
        validation = self.fields.text("validation", "default").split()
        kinds |= {"custom"} if "custom" in validation else set()
        kinds |= {"interactive"} if "interactive" in validation else set()
        kinds |= {"multi-pass"} if "multipass" in validation else set()
        known = {"pass-fail", "scoring", "interactive", "multi-pass", "submit-answer", "custom"}
        for kind in kinds - known:
            self.fields.fault("type", f'"{kind}" is not offered here')
        return frozenset(kinds)

    def title(self) -> str:
        name = self.fields.anything("name", None)
        if isinstance(name, dict) and name:
            name = name.get("en") or next(iter(name.values()))
        if not isinstance(name, str) or not name:
            return self.package.resolve().name
        return name

    def statement(self) -> str:
        """The English statement, or the first one, with its constants in place."""
        found: list[Path] = []
        for folder in _TEXT_FOLDERS:
            for pattern in ("problem.en.md", "problem.md", "*.md", "problem.en.tex", "*.tex"):
                found.extend(sorted((self.package / folder).glob(pattern)))
        text = found[0].read_bytes().decode(errors="replace") if found else ""
        constants = self.fields.table("constants")
        for name in constants.names():
            text = text.replace("{{" + name + "}}", str(constants.anything(name, "")))
        return text

    def languages(self) -> tuple[str, ...]:
        said = self.fields.anything("languages", "all")
        if said == "all" or not isinstance(said, list):
            return ("c", "cpp", "python", "java", "git")
        return tuple(dict.fromkeys(_LANGUAGES[one] for one in said if one in _LANGUAGES)) or (
            "cpp",
        )

    def limits(self) -> tuple[Limits, Build, Limits, int]:
        """Those of a test, of the build, of a validator, and the number of passes."""
        fields = self.fields.table("limits")
        for key in ("time_multiplier", "time_safety_margin", "time_multipliers", "time_resolution"):
            fields.anything(key, None)
        for key in ("compilation_memory", "validation_output", "code"):
            fields.number(key, 0)
        seconds = fields.number("time_limit", self.named_time())
        if seconds == 0:
            reason = f"names no time limit: {_NAMELESS_TIME:g} s are assumed"
            self.faults.warn(self.package / DEFINITION, "limits.time_limit", reason)
            seconds = _NAMELESS_TIME
        limits = Limits(
            cpu_ns=_ns(seconds),
            wall_ns=default_wall_ns(_ns(seconds)),
            memory_bytes=int(fields.number("memory", 2048) * MIB) or MIB,
            processes=64,
            output_bytes=int(fields.number("output", 8) * MIB),
            disk_bytes=64 * MIB,
            files=ANY_NUMBER_OF_FILES,
        )
        compile_ns = _ns(fields.number("compilation_time", 60) or 60)
        check_ns = _ns(fields.number("validation_time", 60) or 60)
        tool = replace(
            TOOL_LIMITS,
            cpu_ns=check_ns,
            wall_ns=default_wall_ns(check_ns),
            memory_bytes=int(fields.number("validation_memory", 2048) * MIB) or MIB,
        )
        passes = fields.count("validation_passes", 2)
        fields.close()
        build = replace(BUILD, cpu_ns=compile_ns, wall_ns=default_wall_ns(compile_ns))
        return limits, Build(build, support=self.included()), tool, max(1, passes)

    def code_bytes(self) -> int:
        return int(self.fields.table("limits").number("code", 128) * 1024)

    def included(self) -> tuple[Path, ...]:
        """Files that lie beside a submission in C++ when it is compiled."""
        folders = [self.package / "include" / name for name in ("default", "cpp")]
        return tuple(file for folder in folders for file in sorted(folder.glob("*")))

    def named_time(self) -> float:
        """Where older packages name their time limit in seconds; 0 where they do not."""
        for name in (".timelimit", "domjudge-problem.ini"):
            file = self.package / name
            if file.is_file():
                found = re.search(r"\d+(\.\d+)?", file.read_text())
                return float(found[0]) if found else 0
        return 0

    def check(self, kinds: frozenset[str], data: Data, limits: Limits) -> tuple[Check, Tool | None]:
        arguments = tuple(self.fields.text("validator_flags", "").split())
        tool = self.validator(limits, arguments)
        if tool is None:
            if kinds & {"interactive", "multi-pass", "custom"}:
                self.faults.add(self.package, _VALIDATOR_FOLDERS[1], "there is no output validator")
            flags = {test.check_arguments for test in data.tests if test.check_arguments}
            if len(flags) > 1:
                reason = "the default validator is told different things in different tests"
                self.faults.add(self.tests, "output_validator_flags", reason)
            return default_validator((*arguments, *(next(iter(flags)) if flags else ()))), None
        return tool, tool if "interactive" in kinds else None

    def validator(self, limits: Limits, arguments: tuple[str, ...]) -> Tool | None:
        entries = [
            path
            for folder in _VALIDATOR_FOLDERS
            for path in sorted((self.package / folder).glob("*"))
            if not path.name.startswith(".")
        ]
        if len(entries) == 1 and entries[0].is_dir():
            entries = sorted(entries[0].glob("*"))
        sources = [path for path in entries if path.suffix in _SOURCES]
        if not sources:
            return None
        named = [path for path in sources if path.stem in _MAINS]
        sources = named if len(named) == 1 else sources
        if len(sources) > 1:
            names = ", ".join(path.name for path in sources)
            self.faults.add(sources[0].parent, "", f"which of {names} is the validator?")
        beside = tuple(path for path in entries if path != sources[0] and path.is_file())
        return Tool(sources[0], Protocol.ICPC, beside, arguments, limits)


def default_validator(arguments: tuple[str, ...]) -> Check:
    """What the default output validator does when it is told these things."""
    words = iter(arguments)
    absolute = relative = 0.0
    same_case = same_space = False
    for word in words:
        match word:
            case "case_sensitive":
                same_case = True
            case "space_change_sensitive":
                same_space = True
            case "float_tolerance":
                absolute = relative = _tolerance(next(words, ""))
            case "float_absolute_tolerance":
                absolute = _tolerance(next(words, ""))
            case "float_relative_tolerance":
                relative = _tolerance(next(words, ""))
            case _:
                pass
    if absolute or relative:
        return Tolerance(absolute, relative, ignores_case=not same_case)
    if same_space:
        return Comparison.EXACT
    return Comparison.TOKENS if same_case else Comparison.WORDS


def _tolerance(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        return 0
    return value if math.isfinite(value) else 0


def _ns(seconds: float) -> int:
    return max(1, round(seconds * NS_PER_SECOND))
