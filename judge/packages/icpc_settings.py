"""What the files beside ICPC test data say: `testdata.yaml` (legacy) or `test_group.yaml`
(2023-07-draft) of a group, `NAME.yaml` of one test."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import Constants
from judge.packages.faults import Faults
from judge.packages.fields import Fields
from judge.packages.yaml_file import read_yaml

LEGACY_FILE, FILE = "testdata.yaml", "test_group.yaml"
_NOT_USED = ("full_feedback", "hint", "description", "name")
_VERDICT_MODES = ("worst_error", "first_error", "no_errors", "always_accept")
_GRADER_FLAGS = (*_VERDICT_MODES, "accept_if_any_accepted", "ignore_sample")
_MODES = ("sum", "avg", "min", "max")


@dataclass(frozen=True, slots=True)
class Settings:
    """Of a group, and of the tests in it.

    `aggregation`: what it gets of what is in it, by the format's own word; None where nothing is
    said. `accept_score` and `reject_score`: what a test gets (legacy). `highest`: the most that the
    group can get. `requires`: tests and groups without which it gets nothing, by their paths in
    `data`.
    """

    arguments: tuple[str, ...] = ()
    check_arguments: tuple[str, ...] = ()
    input_arguments: tuple[str, ...] = ()
    aggregation: str | None = None
    accept_score: float | None = None
    reject_score: float = 0.0
    highest: float | None = None
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingsReader:
    """Reads the files beside the data, with constants in place; faults go to `faults`."""

    constants: Constants
    faults: Faults

    def of_group(self, folder: Path, inherited: Settings) -> Settings:
        """The settings of the group in a folder; `inherited` are those of the group around it."""
        for name, read in ((FILE, _group), (LEGACY_FILE, _legacy_group)):
            if (folder / name).is_file():
                return self._read(folder / name, read, inherited)
        return inherited

    def of_test(self, test_input: Path, inherited: Settings) -> Settings:
        """The settings of one test, where it has a file of its own."""
        file = test_input.with_suffix(".yaml")
        if not file.is_file() or file.name in (FILE, LEGACY_FILE):
            return inherited
        return self._read(file, _arguments, inherited)

    def _read(
        self, file: Path, read: Callable[[Fields, Settings], Settings], inherited: Settings
    ) -> Settings:
        fields = Fields(read_yaml(file, self.constants), file, self.faults)
        settings = read(fields, inherited)
        fields.close()
        return settings


def below(settings: Settings, *, is_legacy: bool) -> Settings:
    """What a group in a group inherits: in the legacy format all, later the arguments alone."""
    if is_legacy:
        return settings
    return replace(settings, aggregation=None, accept_score=None, highest=None, requires=())


def _arguments(fields: Fields, inherited: Settings) -> Settings:
    """The arguments that are said, and those of the group around where none are."""
    for key in _NOT_USED:
        fields.anything(key, None)
    if fields.anything("static_validation", False):
        fields.fault("static_validation", "static validators are not offered here")
    said = fields.anything("input_validator_args", None)
    return replace(
        inherited,
        arguments=fields.texts("args", inherited.arguments),
        check_arguments=fields.texts("output_validator_args", inherited.check_arguments),
        input_arguments=_of_validators(fields, "input_validator_args", said)
        if said is not None
        else inherited.input_arguments,
    )


def _group(fields: Fields, inherited: Settings) -> Settings:
    settings = _arguments(fields, inherited)
    scoring = fields.table("scoring")
    score, requires = scoring.anything("score", None), scoring.anything("require_pass", ())
    if isinstance(score, str):
        scoring.fault("score", f'"{score}" has no share of the points: name the most there is')
    how = scoring.text("aggregation", "")
    if how not in ("", "sum", "min", "pass-fail"):
        scoring.fault("aggregation", f'must be sum, min or pass-fail, not "{how}"')
    settings = replace(
        settings,
        highest=None if score is None or isinstance(score, str) else scoring.number("score"),
        aggregation=how or None,
        requires=(requires,) if isinstance(requires, str) else scoring.texts("require_pass", ()),
    )
    scoring.close()
    return settings


def _legacy_group(fields: Fields, _: Settings) -> Settings:
    """In the legacy format a file says all, and nothing is inherited where there is one."""
    on_reject = fields.text("on_reject", "break")
    if on_reject not in ("break", "continue", "first_error", "worst_error", "grade"):
        fields.fault("on_reject", f'must be break or continue, not "{on_reject}"')
    if fields.text("grading", "default") != "default":
        fields.fault("grading", "graders of one's own are not offered here: use groups")
    flags = fields.text("grader_flags", "").split()
    for flag in flags:
        if flag not in (*_MODES, *_GRADER_FLAGS):
            known = ", ".join((*_MODES, *_GRADER_FLAGS))
            fields.fault("grader_flags", f'"{flag}" is none of {known}')
    how = [flag for flag in flags if flag in _MODES]
    said = fields.anything("input_validator_flags", "")
    told = fields.anything("output_validator_flags", "")
    return Settings(
        check_arguments=_of_validators(fields, "output_validator_flags", told),
        input_arguments=_of_validators(fields, "input_validator_flags", said),
        aggregation=how[-1] if how else None,
        accept_score=fields.number("accept_score") if "accept_score" in fields else None,
        reject_score=fields.number("reject_score", 0),
        highest=_most(fields),
    )


def _most(fields: Fields) -> float | None:
    """The upper end of a range, where it has one."""
    least, _, most = fields.text("range", "-inf +inf").partition(" ")
    try:
        float(least), float(most)
    except ValueError:
        fields.fault("range", f'must be two numbers, not "{least} {most}"')
        return None
    return float(most) if "inf" not in most else None


def _of_validators(fields: Fields, key: str, said: object) -> tuple[str, ...]:
    """What the input validators are told: words, or words for the one that is named."""
    if isinstance(said, Mapping):
        values = [said["flags"]] if "flags" in said else list(said.values())
        if len(values) != 1:
            fields.fault(key, "must be the same for all validators here")
        said = values[0] if values else ""
    if isinstance(said, list):
        return tuple(str(word) for word in said)
    return tuple(str(said).split())
