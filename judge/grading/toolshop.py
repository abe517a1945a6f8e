"""Makes ready the problem's own programs, once per slot: by a compiler, by a script of their own,
or as they are."""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.grading import tree
from judge.grading.errors import GradingError, ProblemFault
from judge.grading.slot import Cancel, Slot
from judge.grading.workshop import StepFailed, Workshop
from judge.model import Constants, Language, Problem, Tool, filled, language_of

TOOL = "/judge"
"""Where a tool finds its own files."""

_PROGRAM = "code"
_BUILD, _RUN = "build", "run"


@dataclass(frozen=True, slots=True)
class BuiltTool:
    """The folder of a tool, which its box sees as TOOL, and its command line there."""

    folder: Path
    argv: tuple[str, ...]


def build_tool(tool: Tool, problem: Problem, slot: Slot, cancel: Cancel) -> BuiltTool:
    """The tool on the slot's shelf, built if it is not there yet. ProblemFault."""
    kind = language_of(tool.file.name)
    if tool.is_scripted:
        argv: Sequence[str] = (f"{TOOL}/{_RUN}",)
    elif tool.is_binary:
        argv = (f"{TOOL}/{tool.file.name}",)
    elif kind is None or kind.source is None:
        raise ProblemFault(f"{tool.file.name}: a checker is C, C++ or Python by its extension.")
    else:
        name = _PROGRAM if kind.compile else tool.file.name
        argv = [word.format(program=f"{TOOL}/{name}") for word in kind.run]
    folder = slot.shelf() / _key(tool, problem.constants)
    if not folder.exists():
        with _new(folder) as new:
            _copy(tool, problem.constants, new)
            if tool.is_scripted and (new / _BUILD).exists():
                _run_build(tool, new, problem, slot, cancel)
            elif kind is not None and kind.compile and not (tool.is_binary or tool.is_scripted):
                _compile(tool, kind, new, problem, slot, cancel)
    return BuiltTool(folder, tuple(argv))


def _compile(
    tool: Tool, kind: Language, folder: Path, problem: Problem, slot: Slot, cancel: Cancel
) -> None:
    sources = [file.name for file in (tool.file, *tool.together)]
    with slot.box() as box:
        tree.lay(folder, box.workspace)
        try:
            Workshop(box, problem.build.limits, cancel).step(
                "compiler", *kind.compiler(_PROGRAM, sources)
            )
        except StepFailed as failed:
            raise ProblemFault(f"{tool.file.name} does not compile: {failed.message}") from failed
        if not tree.take(box.workspace, _PROGRAM, folder / _PROGRAM):
            raise GradingError("tool", f"{tool.file} left no program")


def _run_build(tool: Tool, folder: Path, problem: Problem, slot: Slot, cancel: Cancel) -> None:
    """Run the script `build` where it lies; all that is there then is the tool's."""
    place = f"{tool.file.parent.name}/{_BUILD}"
    with slot.box() as box:
        tree.lay(folder, box.workspace)
        shop = Workshop(box, problem.build.limits, cancel)
        try:
            # By a shell, which takes a script without a first line that names one.
            shop.step("build", "sh", "-c", f"exec ./{_BUILD}")
        except StepFailed as failed:
            raise ProblemFault(f"{place} fails: {failed.message}") from failed
        shutil.rmtree(folder)
        try:
            shutil.copytree(box.workspace, folder, symlinks=True)
        except shutil.Error as error:
            raise ProblemFault(f"{place} leaves what is neither file nor folder.") from error
    run = folder / _RUN
    if run.is_symlink() or not run.is_file() or not run.stat().st_mode & stat.S_IXUSR:
        raise ProblemFault(f"{place} leaves no file {_RUN} that can be executed.")


@contextmanager
def _new(folder: Path) -> Iterator[Path]:
    """A folder to fill, which is put in its place whole; the user of a box may read all of it."""
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as scratch:
        new = Path(scratch) / "tool"
        new.mkdir()
        yield new
        for above, _, names in os.walk(new):
            Path(above).chmod(0o755)
            for file in (Path(above) / name for name in names):
                if not file.is_symlink():
                    file.chmod(0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644)
        new.rename(folder)


def _copy(tool: Tool, constants: Constants, folder: Path) -> None:
    """Copy the tool's files, with values in place of the names of constants."""
    for entry in tool.files:
        target = folder / entry.name
        if entry.is_dir():
            shutil.copytree(entry, target, symlinks=True)
        else:
            shutil.copy(entry, target)
        for file in _files(target) if constants else ():
            if file.is_file() and not file.is_symlink():
                file.write_bytes(filled(file.read_bytes(), constants))
    # An archive may have lost what says that they are programs.
    programs = (_BUILD, _RUN) if tool.is_scripted else (tool.file.name,) if tool.is_binary else ()
    for name in programs:
        if (folder / name).is_file():
            (folder / name).chmod(0o755)


def _files(entry: Path) -> Sequence[Path]:
    """The file, or all that is in the folder."""
    return sorted(entry.rglob("*")) if entry.is_dir() else (entry,)


def _key(tool: Tool, constants: Constants) -> str:
    together = [file.name for file in tool.together]
    parts = (tool.file.name, together, tool.is_scripted, tool.is_binary, sorted(constants.items()))
    digest = hashlib.sha256(repr(parts).encode())
    for entry in tool.files:
        for file in _files(entry):
            if file.is_file():
                name = file.relative_to(entry.parent).as_posix()
                content = hashlib.sha256(file.read_bytes()).digest()
                digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()
