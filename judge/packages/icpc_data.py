"""The folder `data` of an ICPC package: tests in nested groups, and the points that they get."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import Group, Limits, ScoreMap, Test
from judge.packages import icpc_settings
from judge.packages.faults import Faults
from judge.packages.icpc_settings import Settings

_ALL_POINTS = 100.0


@dataclass(frozen=True, slots=True)
class Data:
    """Tests and groups."""

    tests: tuple[Test, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A group of test data, and the groups in it; `path` is that of its folder in `data`."""

    path: Path
    settings: Settings
    tests: tuple[Test, ...] = ()
    below: tuple["_Node", ...] = ()

    @property
    def name(self) -> str:
        return self.path.as_posix().replace("/", "-")

    @property
    def all_tests(self) -> tuple[Test, ...]:
        deeper = (test for node in self.below for test in node.all_tests)
        return (*self.tests, *deeper)


def read_data(
    folder: Path, limits: Limits, faults: Faults, *, scoring: bool, legacy: bool, scores: bool
) -> Data:
    """The tests in `sample` and `secret`.

    A pass-fail problem has one group of all of them. In a scoring one the groups of `secret` get
    the points, and samples get none. `scores`: a validator gives scores in the legacy format.
    """
    reader = _Reader(folder, limits, faults, legacy)
    top = icpc_settings.of_group(folder, Settings(), faults)
    sample, secret = (reader.node(folder / name, top) for name in ("sample", "secret"))
    tests = (*sample.all_tests, *secret.all_tests)
    if not tests:
        faults.add(folder, "", "there are no tests in sample or secret")
        return Data((), ())
    if not scoring:
        return Data(tests, (Group("1", "All", _ALL_POINTS, tuple(test.id for test in tests)),))
    points = _Points(folder, faults, tests, scores)
    groups = list(points.legacy(secret) if legacy else points.of(secret, adds_up=True))
    if sample.tests:
        groups.insert(0, Group("sample", "Sample", 0, tuple(test.id for test in sample.all_tests)))
    return Data(tuple(points.mapped(test) for test in tests), tuple(groups))


@dataclass(frozen=True, slots=True)
class _Reader:
    folder: Path
    limits: Limits
    faults: Faults
    legacy: bool

    def node(self, folder: Path, inherited: Settings) -> _Node:
        """The group in a folder, with all that is below it; an empty one where there is none."""
        path = folder.relative_to(self.folder)
        if not folder.is_dir():
            return _Node(path, inherited)
        theirs = icpc_settings.below(inherited, is_legacy=self.legacy)
        settings = icpc_settings.of_group(folder, theirs, self.faults)
        folders = sorted(entry for entry in folder.iterdir() if entry.is_dir())
        for entry in folders:
            if entry.suffix == ".files":
                self.faults.add(entry, "", "files for the program to read are not offered here")
        return _Node(
            path,
            settings,
            tuple(self.test(file, settings) for file in sorted(folder.glob("*.in"))),
            tuple(self.node(entry, settings) for entry in folders if entry.suffix != ".files"),
        )

    def test(self, file: Path, inherited: Settings) -> Test:
        answer = file.with_suffix(".ans")
        if not answer.is_file():
            self.faults.add(answer, "", "the answer is missing")
        settings = icpc_settings.of_test(file, inherited, self.faults)
        return Test(
            id=file.relative_to(self.folder).with_suffix("").as_posix().replace("/", "-"),
            limits=self.limits,
            input=file,
            answer=answer,
            arguments=settings.arguments,
            check_arguments=settings.check_arguments,
            input_arguments=settings.input_arguments,
        )


class _Points:
    """Shares out points. What adds up is a group for each of its tests, for a group takes the least
    of its tests here; `full` is the raw score of each test that is all of its points."""

    def __init__(self, folder: Path, faults: Faults, tests: tuple[Test, ...], scores: bool) -> None:
        self._folder, self._faults, self._tests, self._scores = folder, faults, tests, scores
        self._full: dict[str, float] = {}

    def mapped(self, test: Test) -> Test:
        """The test with its own score map, where it needs one."""
        full = self._full.get(test.id, 1.0)
        if full in (0.0, 1.0):
            return test
        return replace(test, score_map=ScoreMap(((0.0, 0.0), (full, 1.0))))

    def legacy(self, node: _Node) -> Iterator[Group]:
        """A test gets its accept_score; where a validator scores, as much as the range allows."""
        settings = node.settings
        adds_up = settings.adds_up is not False
        count = len(node.tests) if adds_up else 1
        each = 1.0 if settings.accept_score is None else settings.accept_score
        if self._scores and settings.accept_score is None and settings.highest is not None:
            each = settings.highest / max(1, count)
        if not adds_up:
            yield from self._least(node, each)
            return
        for test in node.tests:
            yield self._group(test.id, each, (test,))
        for entry in node.below:
            yield from self.legacy(entry)

    def of(self, node: _Node, adds_up: bool, most: float = _ALL_POINTS) -> Iterator[Group]:
        """The groups of 2023-07-draft; `most` is what the node gets if it names nothing itself."""
        settings = node.settings
        most = most if settings.highest is None else settings.highest
        if not (adds_up if settings.adds_up is None else settings.adds_up):
            yield from self._least(node, most)
            return
        named = [entry.settings.highest for entry in node.below]
        spent = sum(points for points in named if points is not None)
        if spent > most:
            reason = f"its groups can get {spent:g} points, and it can get {most:g} itself"
            self._faults.add(self._folder / node.path, "scoring.score", reason)
        each = max(0.0, most - spent) / max(1, len(node.tests) + named.count(None))
        for test in node.tests:
            yield self._group(test.id, each, (test,), settings.requires)
        for entry in node.below:
            yield from self.of(entry, adds_up=False, most=each)

    def _least(self, node: _Node, points: float) -> Iterator[Group]:
        for entry in node.below:
            if entry.settings.adds_up and len(entry.all_tests) > 1:
                reason = "adds up inside a group that takes the least, which is not offered here"
                self._faults.add(self._folder / entry.path, "", reason)
        if node.all_tests:
            yield self._group(node.name, points, node.all_tests, node.settings.requires)

    def _group(
        self, name: str, points: float, tests: tuple[Test, ...], requires: tuple[str, ...] = ()
    ) -> Group:
        """What a group requires is among its tests: it gets nothing where one of them fails."""
        for test in tests:
            self._full[test.id] = points
        needed = [id_ for path in requires for id_ in self._below(path)]
        ids = dict.fromkeys((*(test.id for test in tests), *needed))
        return Group(name, name, points, tuple(ids))

    def _below(self, path: str) -> list[str]:
        """The tests of a group, or the test, at that path in `data`."""
        name = path.strip("/").replace("/", "-")
        found = [test.id for test in self._tests if f"{test.id}-".startswith(f"{name}-")]
        if not found:
            reason = f'"{path}" is neither a test nor a group of tests'
            self._faults.add(self._folder, "scoring.require_pass", reason)
        return found
