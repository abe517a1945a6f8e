"""The folder `data` of an ICPC package: tests in nested groups, and what those say of scores."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from judge.model import Group, Limits, Test
from judge.packages.faults import Faults
from judge.packages.fields import Fields

_GROUP_FILES = ("test_group.yaml", "testdata.yaml")
_PASS_FAIL_POINTS = 100.0
_UNUSED = (
    *("on_reject", "grading", "grader_flags", "input_validator_flags", "input_validator_args"),
    *("args", "hint", "description", "full_feedback", "static_validation", "name", "reject_score"),
)


@dataclass(frozen=True, slots=True)
class Data:
    """Tests and groups; `full_score` is the raw score of a test that is all of its points."""

    tests: tuple[Test, ...]
    groups: tuple[Group, ...]
    full_score: float = 1.0


@dataclass(frozen=True, slots=True)
class _Settings:
    """What a group's file says, or its parent's where it says nothing."""

    accept_score: float = 1.0
    aggregation: str = "sum"
    highest: float | None = None
    """The most that the group can get, where its range or its score says so."""
    arguments: tuple[str, ...] = ()


def read_data(folder: Path, limits: Limits, faults: Faults, *, scoring: bool) -> Data:
    """The tests in `sample` and `secret`. A pass-fail problem has one group of all of them; in a
    scoring one the groups of `secret` get the points, and samples get none."""
    reader = _Reader(folder, limits, faults)
    samples = list(reader.walk(folder / "sample", _Settings()))
    top = reader.settings(folder, _Settings())
    secret = list(reader.walk(folder / "secret", top))
    tests = tuple(test for _, _, found in (*samples, *secret) for test in found)
    if not tests:
        faults.add(folder, "", "there are no tests in sample or secret")
    ids = tuple(test.id for test in tests)
    if not scoring:
        return Data(tests, (Group("1", "All", _PASS_FAIL_POINTS, ids),) if ids else ())
    groups: list[Group] = []
    if samples:
        names = tuple(test.id for _, _, found in samples for test in found)
        groups.append(Group("sample", "Sample", 0, names))
    highest = {settings.highest for _, settings, _ in secret if settings.highest is not None}
    for name, settings, found in secret:
        groups.extend(_groups(name, settings, found))
    is_scored = all(settings.highest is not None for _, settings, _ in secret) and len(highest) == 1
    return Data(tests, tuple(groups), highest.pop() if is_scored and reader.has_ranges else 1.0)


def _groups(name: str, settings: _Settings, tests: list[Test]) -> Iterator[Group]:
    """A group whose tests add up is one group for each test."""
    each = settings.accept_score if settings.highest is None else settings.highest
    if settings.aggregation == "min":
        yield Group(name, name, each, tuple(test.id for test in tests))
        return
    share = each if settings.highest is None else each / len(tests)
    for test in tests:
        yield Group(test.id, test.id, share, (test.id,))


class _Reader:
    def __init__(self, folder: Path, limits: Limits, faults: Faults) -> None:
        self._folder, self._limits, self._faults = folder, limits, faults
        self.has_ranges = False

    def walk(
        self, folder: Path, inherited: _Settings
    ) -> Iterator[tuple[str, _Settings, list[Test]]]:
        """The groups below a folder that have tests of their own, in order."""
        if not folder.is_dir():
            return
        settings = self.settings(folder, inherited)
        tests = [self._test(file, settings) for file in sorted(folder.glob("*.in"))]
        if tests:
            name = folder.relative_to(self._folder).as_posix().replace("/", "-")
            yield name, settings, tests
        for below in sorted(path for path in folder.iterdir() if path.is_dir()):
            # What a group can get is its own business; how, and with which arguments, is not.
            yield from self.walk(below, replace(settings, highest=None))

    def settings(self, folder: Path, inherited: _Settings) -> _Settings:
        """What the file of a group says."""
        file = next((folder / name for name in _GROUP_FILES if (folder / name).is_file()), None)
        if file is None:
            return inherited
        table = yaml.safe_load(file.read_bytes()) or {}
        fields = Fields(table if isinstance(table, dict) else {}, file, self._faults)
        for key in _UNUSED:
            fields.anything(key, None)
        settings = replace(
            inherited,
            accept_score=_number(fields.anything("accept_score", inherited.accept_score)),
            arguments=_arguments(fields, inherited.arguments),
        )
        flags = str(table.get("grader_flags", "")).split()
        if "min" in flags or "sum" in flags:
            settings = replace(settings, aggregation="min" if "min" in flags else "sum")
        span = str(fields.anything("range", "")).split()
        if len(span) == len(("least", "most")) and "inf" not in span[1]:
            self.has_ranges = True
            settings = replace(settings, highest=_number(span[1]))
        scoring = fields.table("scoring")
        for key in ("require_pass", "unbounded"):
            scoring.anything(key, None)
        score = scoring.anything("score", None)
        if isinstance(score, int | float):
            settings = replace(settings, highest=float(score))
        aggregation = scoring.text("aggregation", settings.aggregation)
        settings = replace(settings, aggregation="min" if aggregation != "sum" else "sum")
        scoring.close()
        fields.close()
        return settings

    def _test(self, file: Path, settings: _Settings) -> Test:
        answer = file.with_suffix(".ans")
        if not answer.is_file():
            self._faults.add(answer, "", "the answer is missing")
        id_ = file.relative_to(self._folder).with_suffix("").as_posix().replace("/", "-")
        return Test(id_, self._limits, file, answer, check_arguments=settings.arguments)


def _arguments(fields: Fields, inherited: tuple[str, ...]) -> tuple[str, ...]:
    flags = fields.anything("output_validator_flags", None)
    words = fields.anything("output_validator_args", None)
    if isinstance(flags, str):
        return tuple(flags.split())
    if isinstance(words, list):
        return tuple(str(word) for word in words)
    return inherited


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return 0.0
