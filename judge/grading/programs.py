"""The problem's own programs, run in a box of their own."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.grading import tree
from judge.grading.errors import ProblemFault
from judge.grading.measure import measured, sandbox_limits
from judge.grading.message import tidy_file
from judge.grading.slot import Cancel, Slot
from judge.grading.toolshop import TOOL, BuiltTool, build_tool
from judge.model import Evidence, Limits, Problem, Run, Tool, explain, needs_checker
from sandbox import Box, Command, ExecError, Mount

SUBMISSION = "/submission"


@dataclass(frozen=True, slots=True)
class ToolRun:
    """How a tool ended, within its limits, and what it said on standard error."""

    run: Run
    said: str


@dataclass(frozen=True, slots=True)
class ToolBox:
    """An open box for one tool. Its workspace is ours to fill and to read between runs."""

    tool: Tool
    built: BuiltTool
    box: Box
    cancel: Cancel

    def fill(self, files: dict[str, Path | int | None], folders: Sequence[str]) -> None:
        """Empty the workspace, and put files and empty folders into it."""
        self.box.empty()
        for name in folders:
            tree.put_folder(self.box.workspace, name)
        self.put(files)

    def stand_among_its_files(self) -> None:
        """Empty the workspace, and put the tool's own files into it (ICPC's input validators)."""
        self.box.empty()
        tree.lay(self.built.folder, self.box.workspace)

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
            argv=(*self.built.argv, *arguments),
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
    tool: Tool, problem: Problem, slot: Slot, cancel: Cancel, submission: Path | None = None
) -> Iterator[ToolBox]:
    """A box in which the tool of the problem is ready to run. ProblemFault where it does not build.

    `submission` is the workspace of the submission's runs, which the tool may read.
    """
    built = build_tool(tool, problem, slot, cancel)
    mounts = [Mount(built.folder, TOOL)]
    if submission is not None:
        mounts.append(Mount(submission, SUBMISSION))
    with slot.box(mounts) as box:
        yield ToolBox(tool, built, box, cancel)
