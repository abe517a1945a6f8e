"""The problem's own programs: built once per slot, and run in a box of their own."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.grading import tree
from judge.grading.errors import GradingError, ProblemFault
from judge.grading.measure import measured, sandbox_limits
from judge.grading.message import tidy_file
from judge.grading.slot import Cancel, Slot
from judge.grading.workshop import StepFailed, Workshop
from judge.model import Evidence, Language, Limits, Run, Tool, explain, language_of, needs_checker
from sandbox import Box, Command, ExecError, Mount

TOOL = "/judge"
SUBMISSION = "/submission"
_PROGRAM = "code"


@dataclass(frozen=True, slots=True)
class ToolRun:
    """How a tool ended, within its limits, and what it said on standard error."""

    run: Run
    said: str


@dataclass(frozen=True, slots=True)
class ToolBox:
    """An open box for one tool. Its workspace is ours to fill and to read between runs."""

    tool: Tool
    argv: tuple[str, ...]
    box: Box
    cancel: Cancel

    def fill(self, files: dict[str, Path | int | None], folders: Sequence[str]) -> None:
        """Empty the workspace, and put files and empty folders into it."""
        tree.clear(self.box.workspace)
        for name in folders:
            tree.put_folder(self.box.workspace, name)
        self.put(files)

    def put(self, files: dict[str, Path | int | None]) -> None:
        """Put files into the workspace: copies of a path's or a descriptor's content, or an empty
        one for None."""
        for name, content in files.items():
            match content:
                case None:
                    tree.put(self.box.workspace, name, b"")
                case Path():
                    with content.open("rb") as source:
                        tree.put_file(self.box.workspace, name, source)
                case _:
                    os.lseek(content, 0, os.SEEK_SET)
                    with os.fdopen(content, "rb", closefd=False) as source:
                        tree.put_file(self.box.workspace, name, source)

    def command(
        self, arguments: Sequence[str], stdin: int | None, stderr: int, *, limits: Limits
    ) -> Command:
        """The tool's command line with those arguments."""
        return Command(
            argv=(*self.argv, *arguments),
            limits=sandbox_limits(limits),
            stdin=stdin,
            stderr=stderr,
            keep_workspace=True,
        )

    def run(self, arguments: Sequence[str], stdin: int | None = None) -> ToolRun:
        """Run the tool. ProblemFault where it cannot be started or exceeds its limits."""
        with tempfile.TemporaryFile() as errors:
            command = self.command(arguments, stdin, errors.fileno(), limits=self.tool.limits)
            try:
                report = self.cancel.run(self.box, command)
            except ExecError as error:
                raise ProblemFault(f"{self.tool.file.name}: {error}.") from error
            said = tidy_file(errors)
        ended = ToolRun(measured(report, self.tool.limits), said)
        self.demand_end(ended, self.tool.limits)
        return ended

    def demand_end(self, ended: ToolRun, limits: Limits) -> None:
        """ProblemFault where the tool exceeded a limit or died of a signal."""
        run = ended.run
        if run.exit_code is None or (run.exit_code == 0 and not needs_checker(run, limits)):
            reason = explain(Evidence(limits=limits, run=run))
            raise ProblemFault(f"{self.tool.file.name}: {reason} {ended.said}".strip())

    def refuse(self, ended: ToolRun, what: str) -> ProblemFault:
        """A fault with what the tool did and what it said."""
        return ProblemFault(f"{self.tool.file.name}: {what} {ended.said}".strip())

    def read(self, name: str, most: int = 1 << 16) -> bytes | None:
        """The beginning of a file that the tool wrote, or None if it is no regular file."""
        return tree.read(self.box.workspace, name, most)


@contextmanager
def tool_box(
    tool: Tool, slot: Slot, cancel: Cancel, build: Limits, submission: Path | None = None
) -> Iterator[ToolBox]:
    """A box in which the tool is ready to run. ProblemFault where it does not build.

    `submission` is the workspace of the submission's runs, which the tool may read.
    """
    folder, argv = _built(tool, slot, cancel, build)
    mounts = [Mount(folder, TOOL)]
    if submission is not None:
        mounts.append(Mount(submission, SUBMISSION))
    with slot.box(mounts) as box:
        yield ToolBox(tool, argv, box, cancel)


def _built(tool: Tool, slot: Slot, cancel: Cancel, limits: Limits) -> tuple[Path, tuple[str, ...]]:
    """The folder of the built tool and its command line. ProblemFault."""
    folder = slot.shelf() / _key(tool)
    kind = language_of(tool.file.name)
    if tool.is_binary:
        _keep(folder, {tool.file: 0o755})
        return folder, (f"{TOOL}/{tool.file.name}",)
    if kind is None or kind.source is None:
        raise ProblemFault(f"{tool.file.name}: a checker is C, C++ or Python by its extension.")
    name = _PROGRAM if kind.compile else tool.file.name
    argv = tuple(word.format(program=f"{TOOL}/{name}") for word in kind.run)
    if not (folder / name).exists():
        _build(tool, kind, folder, slot, cancel, limits)
    return folder, argv


def _build(
    tool: Tool, kind: Language, folder: Path, slot: Slot, cancel: Cancel, limits: Limits
) -> None:
    files = (*tool.beside, tool.file)
    if not kind.compile:
        _keep(folder, dict.fromkeys(files, 0o644))
        return
    _keep(folder, {})
    with slot.box() as box:
        shop = Workshop(box, limits, cancel)
        for file in files:
            tree.put(shop.workspace, file.name, file.read_bytes())
        argv = [word.format(program=_PROGRAM, source=tool.file.name) for word in kind.compile]
        try:
            shop.step("compiler", *argv)
        except StepFailed as failed:
            raise ProblemFault(f"{tool.file.name} does not compile: {failed.message}") from failed
        if not tree.take(shop.workspace, _PROGRAM, folder / _PROGRAM):
            raise GradingError("tool", f"{tool.file} left no program")


def _keep(folder: Path, files: Mapping[Path, int]) -> None:
    """Copy files, with their new modes, into a folder that the user of a box may read."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    for file, mode in files.items():
        shutil.copyfile(file, folder / file.name)
        (folder / file.name).chmod(mode)


def _key(tool: Tool) -> str:
    digest = hashlib.sha256(tool.file.name.encode())
    for file in (tool.file, *tool.beside):
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
