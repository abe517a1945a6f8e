"""Makes a program of what was submitted, in a box without a network."""

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.grading import lsan
from judge.grading.errors import GradingError
from judge.grading.parts import NoEntry, parts_of
from judge.grading.slot import Cancel, Slot
from judge.grading.source import (
    Source,
    SourceCommit,
    SourceFiles,
    SourceText,
    SourceTree,
    mounts_for,
    write_repository,
)
from judge.grading.tree import kinds, lay, put, take
from judge.grading.workshop import MARKERS, StepFailed, Workshop
from judge.model import Header, Language, LeakCheck, Limits, Problem, Test, filled, language

PROGRAMS = "/program"
"""Where a run sees the folder of programs, read-only."""

ARTIFACT = "code"
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


@dataclass(frozen=True, slots=True)
class Program:
    """What a run starts: paths are those of the box. `message` is what the build said."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    message: str = ""
    processes: int = 0
    memory_bytes: int = 0
    """What its runtime needs on top of a test's limits."""

    def told(self, arguments: Sequence[str]) -> "Program":
        """The program with more words on its command line."""
        return replace(self, argv=(*self.argv, *arguments)) if arguments else self

    def allowed(self, limits: Limits) -> Limits:
        """The limits of a run, its runtime's own needs included."""
        return replace(
            limits,
            processes=limits.processes + self.processes,
            memory_bytes=limits.memory_bytes + self.memory_bytes,
        )


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """The submission does not build; `message` says why."""

    message: str


@dataclass(frozen=True, slots=True)
class Outputs:
    """The output of each test that the submission has one for (output only), by the test's id."""

    files: Mapping[str, Path]
    message: str = ""


Built = Program | Unbuilt


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds one submission. Programs are copied out of the box into `programs`, a folder that the
    runs see as PROGRAMS; what a build leaves elsewhere is gone with its box."""

    problem: Problem
    source: Source
    slot: Slot
    cancel: Cancel
    programs: Path
    _by_main: dict[Path, Built] = field(default_factory=dict)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to build before the first test."""
        if not isinstance(self.source, SourceText | SourceFiles):
            return True
        return not self.problem.output_only and language(self.source.language).is_compiled

    def build(self) -> Built | Outputs | None:
        """Build what all tests share; None where each test has a main of its own."""
        header = self.problem.build.header
        if self.problem.output_only:
            return self._outputs(self.source)
        if any(test.leak_check is LeakCheck.LSAN for test in self.problem.tests):
            self._leak_helper()
        match self.source:
            case SourceText() if header:
                return self._with_main(self.source, header, header.main) if header.main else None
            case SourceText() | SourceFiles():
                return self._text(self.source)
            case SourceTree() | SourceCommit():
                return self._repository(self.source)

    def build_for(self, test: Test) -> Built:
        """Build what is a test's own; each distinct main is compiled once."""
        header = self.problem.build.header
        main = test.main or (header.main if header else None)
        if header is None or main is None or not isinstance(self.source, SourceText):
            raise ValueError(f"test {test.id} has no main of its own")
        if main not in self._by_main:
            self._by_main[main] = self._with_main(self.source, header, main)
        return self._by_main[main]

    def _text(self, source: SourceText | SourceFiles) -> Built:
        kind = language(source.language)
        try:
            parts = parts_of(source, kind, self.problem)
        except NoEntry as error:
            return Unbuilt(error.message)
        if not kind.compile:
            for name, content in parts.files.items():
                (self.programs / name).write_bytes(content)
            return self._program(kind, parts.entry)
        with self._workshop() as shop:
            self._support(shop)
            for name, content in parts.files.items():
                put(shop.workspace, name, content)
            return self._compiled(shop, kind, ARTIFACT, *parts.sources)

    def _with_main(self, source: SourceText, header: Header, main: Path) -> Built:
        kind = language(source.language)
        with self._workshop() as shop:
            self._support(shop)
            put(shop.workspace, main.name, main.read_bytes())
            put(shop.workspace, header.name, source.text)
            return self._compiled(shop, kind, f"{ARTIFACT}-{len(self._by_main)}", main.name)

    def _compiled(self, shop: Workshop, kind: Language, program: str, *sources: str) -> Built:
        debug = kind.debug if any(test.leak_check for test in self.problem.tests) else ()
        compiler, *words = kind.compiler(program, sources)
        argv = (compiler, *debug, *words)
        try:
            said = shop.step("compiler", *argv, env=kind.build_env)
        except StepFailed as failed:
            return Unbuilt(failed.message)
        if not take(shop.workspace, program, self.programs / program):
            return Unbuilt("The compiler left no program.")
        return self._program(kind, program, said)

    def _repository(self, source: SourceTree | SourceCommit) -> Built:
        note = _note(source)
        with self._workshop() as shop:
            try:
                note = _lines(note, write_repository(source, shop))
                said = self._make(shop)
            except StepFailed as failed:
                return Unbuilt(_lines(note, failed.message))
            if not take(shop.workspace, ARTIFACT, self.programs / ARTIFACT):
                return Unbuilt(_lines(note, _no_artifact(shop.workspace), said))
        return self._program(language("git"), ARTIFACT, _lines(note, said))

    def _outputs(self, source: Source) -> Outputs | Unbuilt:
        """A text is the output of every test; a repository has a file TEST.out for each."""
        if isinstance(source, SourceText):
            file = self.programs / "output"
            file.write_bytes(source.text)
            return Outputs({test.id: file for test in self.problem.tests})
        if isinstance(source, SourceFiles):
            return Unbuilt("The output of a test is a file TEST.out of a repository.")
        files: dict[str, Path] = {}
        note = _note(source)
        with self._workshop() as shop:
            try:
                note = _lines(note, write_repository(source, shop))
            except StepFailed as failed:
                return Unbuilt(_lines(note, failed.message))
            for test in self.problem.tests:
                file = self.programs / f"{test.id}.out"
                if take(shop.workspace, file.name, file):
                    files[test.id] = file
        return Outputs(files, note)

    def _make(self, shop: Workshop) -> str:
        """`cmake .` and `make`, where there is something for them; what they said. StepFailed."""
        if not kinds(shop.workspace):
            raise StepFailed("The repository is empty.")
        if self.problem.build.overlay:
            lay(self.problem.build.overlay, shop.workspace)
        self._support(shop, self.problem.build.included_in("git"))
        said, built = [], False
        if "CMakeLists.txt" in kinds(shop.workspace):
            said.append(shop.step("cmake", "cmake", "."))
            built = True
        if any(name in kinds(shop.workspace) for name in _MAKEFILES):
            said.append(shop.step("make", "make"))
            built = True
        if not built and ARTIFACT not in kinds(shop.workspace):
            raise StepFailed(
                "The repository has no CMakeLists.txt and no makefile in its root, so there is "
                f"nothing to build `{ARTIFACT}` with."
            )
        return _lines(*said)

    def _support(self, shop: Workshop, included: Sequence[Path] = ()) -> None:
        for file in (*self.problem.build.support, *included):
            content = filled(file.read_bytes(), self.problem.constants)
            put(shop.workspace, file.name, content)

    def _leak_helper(self) -> None:
        """The library that is preloaded beside the leak sanitizer."""
        with self._workshop() as shop:
            put(shop.workspace, "helper.c", lsan.HELPER_SOURCE.encode())
            try:
                shop.step("helper", *lsan.HELPER_BUILD)
            except StepFailed as failed:
                raise GradingError("leak check", failed.message) from failed
            take(shop.workspace, lsan.HELPER, self.programs / lsan.HELPER)

    def _program(self, kind: Language, name: str, message: str = "") -> Program:
        path = f"{PROGRAMS}/{name}"
        argv = tuple(word.replace("{program}", path) for word in kind.run)
        env = {**MARKERS, **kind.env}
        return Program(argv, env, message, kind.processes, kind.memory_bytes)

    @contextmanager
    def _workshop(self) -> Iterator[Workshop]:
        with self.slot.box(mounts_for(self.source)) as box:
            yield Workshop(box, self.problem.build.limits, self.cancel, self.problem.build.env)


def _no_artifact(workspace: Path) -> str:
    """Why there is no program to take."""
    mode = kinds(workspace).get(ARTIFACT)
    if mode is None:
        found = "there is none"
    elif stat.S_ISLNK(mode):
        found = "it is a symbolic link"
    elif stat.S_ISDIR(mode):
        found = "it is a folder"
    else:
        found = "it is something else"
    return f"The build must leave a regular file `{ARTIFACT}` in the repository's root: {found}."


def _note(source: SourceTree | SourceCommit) -> str:
    return f"Using git commit {source.commit}" if isinstance(source, SourceCommit) else ""


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
