"""The files that a submission in one language is made of: its own and what the problem adds."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.grading.source import SourceFiles, SourceText
from judge.model import Language, Problem, filled, is_source


class NoEntry(Exception):
    """None of several files is where the program begins: `message` is for their author."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Parts:
    """Files by their names; the program begins in `entry`, and the compiler is told `sources`."""

    files: Mapping[str, bytes]
    entry: str
    sources: tuple[str, ...]


def parts_of(source: SourceText | SourceFiles, kind: Language, problem: Problem) -> Parts:
    """What is built, or run, of a submission in that language. NoEntry.

    What the problem includes takes the place of a file of that name; a text, which has no name of
    its own, makes way for it.
    """
    included = {
        file.name: filled(file.read_bytes(), problem.constants)
        for file in problem.build.included_in(kind.id)
    }
    name = kind.source or "source"
    if isinstance(source, SourceText):
        if name in included:
            name = f"submission.{kind.extension}"
        files = {name: source.text, **included}
    else:
        files = {**dict(source.files), **included}
    sources = sorted(file for file in files if is_source(file, kind))
    entry = name if name in files else sources[0] if len(sources) == 1 else ""
    if not entry and not kind.together:
        found = ", ".join(sources) or "no files"
        raise NoEntry(f"Which of {found} is the program? Name it {name}.")
    return Parts(files, entry, tuple(sources) if kind.together else (entry,))
