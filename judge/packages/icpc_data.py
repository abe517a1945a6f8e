"""The folder `data` of an ICPC package: tests in nested groups, the points that they get, and what
the package's own programs are tried on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from judge.model import Constants, Group, Limits, Specimen, Test, Trial
from judge.packages.faults import Faults
from judge.packages.icpc_points import ALL_POINTS, Node, Points, apart
from judge.packages.icpc_settings import Settings, SettingsReader, below
from judge.packages.laid import SUFFIX, laid


@dataclass(frozen=True, slots=True)
class Data:
    """Tests, groups and specimens."""

    tests: tuple[Test, ...]
    groups: tuple[Group, ...]
    specimens: tuple[Specimen, ...] = ()


def read_data(
    folder: Path,
    limits: Limits,
    constants: Constants,
    faults: Faults,
    *,
    scoring: bool,
    legacy: bool,
    scores: bool,
) -> Data:
    """The tests in `sample` and `secret`; `constants` stand in the files of settings.

    A pass-fail problem has one group of all of them. In a scoring one the groups of `secret` get
    the points, and samples get none. `scores`: a validator gives scores in the legacy format.
    """
    reader = _Reader(folder, limits, SettingsReader(constants, faults), legacy)
    top = reader.settings.of_group(folder, Settings())
    sample, secret = (reader.node(folder / name, top) for name in ("sample", "secret"))
    tests = (*sample.all_tests, *secret.all_tests)
    specimens = tuple(reader.specimens(top))
    if not tests:
        faults.add(folder, "", "there are no tests in sample or secret")
        return Data((), ())
    if not scoring:
        group = Group("1", "All", ALL_POINTS, tuple(test.id for test in tests))
        return Data(tests, (group,), specimens)
    points = Points(folder, faults, tests, scores=scores)
    groups = points.legacy(secret) if legacy else points.of(secret, "sum", ALL_POINTS)
    shown = list(apart(groups)) if groups else []
    if sample.all_tests:
        shown.insert(0, Group("sample", "Sample", 0, tuple(test.id for test in sample.all_tests)))
    return Data(tuple(points.mapped(test) for test in tests), tuple(shown), specimens)


@dataclass(frozen=True, slots=True)
class _Reader:
    folder: Path
    limits: Limits
    settings: SettingsReader
    legacy: bool

    def node(self, folder: Path, inherited: Settings) -> Node:
        """The group in a folder, with all that is below it; an empty one where there is none."""
        path = folder.relative_to(self.folder)
        if not folder.is_dir():
            return Node(path, inherited)
        theirs = below(inherited, is_legacy=self.legacy)
        settings = self.settings.of_group(folder, theirs)
        folders = sorted(entry for entry in folder.iterdir() if entry.is_dir())
        for entry in folders:
            if entry.suffix == SUFFIX and not entry.with_suffix(".in").is_file():
                self.settings.faults.add(entry, "", f"there is no {entry.stem}.in beside it")
        return Node(
            path,
            settings,
            tuple(self.test(file, settings) for file in sorted(folder.glob("*.in"))),
            tuple(self.node(entry, settings) for entry in folders if entry.suffix != SUFFIX),
        )

    def specimens(self, inherited: Settings) -> Iterator[Specimen]:
        """What is in the folders of things that must be refused, or taken. No program is run on
        them, so what one would be given is left out."""
        for trial in Trial:
            node = self.node(self.folder / trial, inherited)
            for test in node.all_tests:
                id_ = f"{trial}/{test.id.removeprefix(f'{trial}-')}"
                output = test.input.with_suffix(".out") if test.input and test.answer else None
                if output is not None and not output.is_file():
                    self.settings.faults.add(output, "", "the output is missing")
                yield Specimen(trial, replace(test, id=id_, arguments=(), files=None), output)

    def test(self, file: Path, inherited: Settings) -> Test:
        answer = None if self._is_of_invalid_input(file) else file.with_suffix(".ans")
        if answer and not answer.is_file():
            self.settings.faults.add(answer, "", "the answer is missing")
        settings = self.settings.of_test(file, inherited)
        return Test(
            id=file.relative_to(self.folder).with_suffix("").as_posix().replace("/", "-"),
            limits=self.limits,
            input=file,
            answer=answer,
            files=laid(file),
            arguments=settings.arguments,
            check_arguments=settings.check_arguments,
            input_arguments=settings.input_arguments,
        )

    def _is_of_invalid_input(self, file: Path) -> bool:
        return file.relative_to(self.folder).parts[0] == Trial.INVALID_INPUT
