"""ICPC and Kattis packages: `problem.yaml`, in the legacy format and that of 2023-07-draft
(icpc.io/problem-package-format)."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import (
    TOOL_LIMITS,
    Build,
    Check,
    Constants,
    Limits,
    Problem,
    Test,
    Timing,
    Tool,
    default_wall_ns,
)
from judge.model.limits import MIB, NS_PER_SECOND
from judge.packages.faults import Faults
from judge.packages.fields import Fields
from judge.packages.icpc_check import compared
from judge.packages.icpc_constants import filled_statement, read_constants
from judge.packages.icpc_data import read_data
from judge.packages.icpc_kinds import DEFINITION, named_kinds
from judge.packages.icpc_languages import LANGUAGES
from judge.packages.icpc_programs import OUTPUT_VALIDATORS, input_validators, output_validator
from judge.packages.icpc_samples import samples
from judge.packages.icpc_submissions import solutions
from judge.packages.included import included
from judge.packages.native_limits import ANY_NUMBER_OF_FILES, BUILD
from judge.packages.statement import examples
from judge.packages.yaml_file import read_yaml

__all__ = ["DEFINITION", "read", "solutions"]

_LEGACY = ("legacy", "legacy-icpc")
_VERSIONS = (*_LEGACY, "2023-07-draft", "2023-07")
_TEXT_FOLDERS = ("statement", "problem_statement")
_NAMELESS_TIME = 5.0
_TIME_FILES = {
    ".timelimit": re.compile(rb"(\d+(?:\.\d+)?)"),
    "domjudge-problem.ini": re.compile(rb"(?m)^\s*timelimit\s*=\s*['\"]?(\d+(?:\.\d+)?)"),
}
_EITHER_OR = (
    ("pass-fail", "scoring"),
    ("multi-pass", "submit-answer"),
    ("interactive", "submit-answer"),
)
_UNUSED = (
    *("uuid", "version", "credits", "author", "source", "source_url", "license", "rights_owner"),
    *("rights-owner", "embargo_until", "keywords", "libraries", "allow_file_writing"),
)


def read(package: Path, tests: Path, faults: Faults) -> Problem:
    """The problem that `package/problem.yaml` describes; what is wrong goes to `faults`.

    `tests` is the folder `data` of the package, or one in its place.
    """
    fields = Fields(read_yaml(package / DEFINITION), package / DEFINITION, faults)
    problem = _Reader(package, tests, fields, faults).problem()
    fields.close()
    return problem


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
        version = str(fields.anything("problem_format_version", _LEGACY[0]))
        if version not in _VERSIONS:
            fields.fault("problem_format_version", f"is none of {', '.join(_VERSIONS)}")
        legacy = version in _LEGACY
        constants = read_constants(fields)
        kinds = self.kinds()
        self.refuse_graders()
        statement = self.statement(
            constants, shows_samples=not kinds & {"interactive", "multi-pass"}
        )
        limits, build, tool_limits, passes = self.limits()
        data = read_data(
            self.tests,
            limits,
            constants,
            self.faults,
            scoring="scoring" in kinds,
            legacy=legacy,
            scores="score" in self.validation(),
        )
        examined = (*data.tests, *(specimen.test for specimen in data.specimens))
        check, tests, interactor = self.check(kinds, examined, tool_limits)
        tests, tried = tests[: len(data.tests)], tests[len(data.tests) :]
        return Problem(
            slug=self.package.resolve().name,
            title=self.title(),
            statement=statement,
            languages=("git", "text") if "submit-answer" in kinds else self.languages(),
            build=build,
            check=check,
            tests=tests,
            groups=data.groups,
            source_bytes=self.code_bytes(),
            examples=examples(statement),
            interactor=interactor,
            output_only="submit-answer" in kinds,
            passes=passes if "multi-pass" in kinds else 1,
            input_validators=tuple(input_validators(self.package, tool_limits, self.faults)),
            specimens=tuple(
                replace(specimen, test=test)
                for specimen, test in zip(data.specimens, tried, strict=True)
            ),
            constants=constants,
            timing=self.timing(legacy=legacy),
        )

    def refuse_graders(self) -> None:
        """A grader of the package's own would decide what scores come to."""
        grading = self.fields.table("grading")
        grading.anything("show_test_data_groups", None)
        if grading.text("objective", "max") != "max":
            grading.fault("objective", "only more is better here")
        if grading.flag("custom_scoring"):
            grading.fault("custom_scoring", "graders of one's own are not offered here: use groups")
        grading.close()
        if any((self.package / "graders").glob("*")):
            reason = "graders of one's own are not offered here: use groups"
            self.faults.add(self.package / "graders", "", reason)

    def kinds(self) -> frozenset[str]:
        """What the problem is, of both ways to say it: pass-fail, scoring, interactive, ..."""
        kinds = named_kinds(self.fields.anything("type", "pass-fail"))
        validation = self.validation()
        kinds |= {"custom"} if "custom" in validation else set()
        kinds |= {"interactive"} if "interactive" in validation else set()
        kinds |= {"multi-pass"} if "multipass" in validation else set()
        known = {"pass-fail", "scoring", "interactive", "multi-pass", "submit-answer", "custom"}
        for kind in kinds - known:
            self.fields.fault("type", f'"{kind}" is not offered here')
        for one, other in _EITHER_OR:
            if {one, other} <= kinds:
                self.fields.fault("type", f"cannot be both {one} and {other}")
        return frozenset(kinds)

    def validation(self) -> list[str]:
        return self.fields.text("validation", "default").split()

    def title(self) -> str:
        name = self.fields.anything("name", None)
        if isinstance(name, dict) and name:
            name = name.get("en") or next(iter(name.values()))
        if not isinstance(name, str) or not name:
            return self.package.resolve().name
        return name

    def statement(self, constants: Constants, *, shows_samples: bool) -> str:
        """The English statement, or the first one, with its constants in place, and the samples
        after it: an input and output each, or what is said in an interaction."""
        found: list[Path] = []
        for folder in _TEXT_FOLDERS:
            for pattern in ("problem.en.md", "problem.md", "*.md", "problem.en.tex", "*.tex"):
                found.extend(sorted((self.package / folder).glob(pattern)))
        text = found[0].read_bytes().decode(errors="replace") if found else ""
        text = filled_statement(text, constants)
        return text + "".join(samples(self.tests / "sample", shows_samples=shows_samples))

    def languages(self) -> tuple[str, ...]:
        """Those that the package names and the judge knows; where it names all, those and git."""
        if self.fields.anything("languages", "all") == "all":
            return (*dict.fromkeys(LANGUAGES.values()), "git")
        said = self.fields.texts("languages", ())
        offered = tuple(dict.fromkeys(LANGUAGES[one] for one in said if one in LANGUAGES))
        if not offered:
            known = ", ".join(LANGUAGES)
            self.fields.fault("languages", f"must be all, or name some of {known}")
        return offered

    def limits(self) -> tuple[Limits, Build, Limits, int]:
        """Those of a test, of the build, of a validator, and the number of passes."""
        fields = self.fields.table("limits")
        for key in ("time_multiplier", "time_safety_margin", "time_multipliers", "time_resolution"):
            fields.anything(key, None)
        for key in ("compilation_memory", "validation_output", "code"):
            fields.number(key, 0)
        for key in ("time_limit", "memory", "time_resolution"):
            if key in fields and fields.anything(key, None) == 0:
                fields.fault(key, "must be more than 0")
        seconds = fields.number("time_limit", self.named_time())
        if not self.names_time:
            reason = f"names no time limit: {_NAMELESS_TIME:g} s are assumed; import derives it"
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
        files = included(self.package, LANGUAGES, self.faults)
        return limits, Build(build, included=files), tool, max(1, passes)

    @property
    def names_time(self) -> bool:
        return "time_limit" in self.fields.table("limits") or self.named_time() > 0

    def timing(self, *, legacy: bool) -> Timing | None:
        """How the time limit follows from the submissions, or how far from them one is that the
        package names. In the legacy format a named one goes by no rule, unless that is named too.
        """
        fields = self.fields.table("limits")
        if legacy and self.names_time and "time_multiplier" not in fields:
            return None
        if legacy:
            multiplier, margin = (
                fields.number(key, default)
                for key, default in (("time_multiplier", 5), ("time_safety_margin", 2))
            )
            return Timing(multiplier, margin, only_accepted=True, limit_is_named=self.names_time)
        factors = fields.table("time_multipliers")
        timing = Timing(
            factors.number("ac_to_time_limit", 2.0),
            factors.number("time_limit_to_tle", 1.5),
            _ns(fields.number("time_resolution", 1.0)),
            limit_is_named=self.names_time,
        )
        factors.close()
        return timing

    def code_bytes(self) -> int:
        return int(self.fields.table("limits").number("code", 128) * 1024)

    def named_time(self) -> float:
        """Where older packages name their time limit in seconds; 0 where they do not."""
        for name, pattern in _TIME_FILES.items():
            file = self.package / name
            found = pattern.search(file.read_bytes()) if file.is_file() else None
            if found:
                return float(found[1])
        return 0

    def check(
        self, kinds: frozenset[str], tests: tuple[Test, ...], limits: Limits
    ) -> tuple[Check, tuple[Test, ...], Tool | None]:
        """How output is judged, the tests, some of which may have rules of their own, and what
        talks with the program."""
        arguments = tuple(self.fields.text("validator_flags", "").split())
        tool = output_validator(self.package, arguments, limits, self.faults)
        if tool is None:
            if kinds & {"interactive", "multi-pass", "custom"}:
                self.faults.add(self.package, OUTPUT_VALIDATORS[1], "there is no output validator")

            def fault(reason: str) -> None:
                self.faults.add(self.package, "flags of the default output validator", reason)

            return *compared(tests, arguments, fault), None
        return tool, tests, tool if "interactive" in kinds else None


def _ns(seconds: float) -> int:
    return max(1, round(seconds * NS_PER_SECOND))
