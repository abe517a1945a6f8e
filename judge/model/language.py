"""The languages: one declarative table, and what its words mean.

A command is a tuple of words. `{source}` stands for the source file, `{program}` for what the
compiler makes and the program is run from. Adding a language is adding an entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Language:
    """How a source text of that language becomes a program, and how the program is run.

    `source` is the fixed name under which a submitted text is saved, whatever it was called; a
    repository has none. `compile` is empty where nothing is compiled: the source is then the
    program. `debug` is added to `compile` where a leak check wants to say where.
    """

    id: str
    name: str
    extension: str | None
    source: str | None = None
    compile: tuple[str, ...] = ()
    debug: tuple[str, ...] = ()
    run: tuple[str, ...] = ("{program}",)
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_compiled(self) -> bool:
        """Whether there is a build before the first run."""
        return self.source is None or bool(self.compile)


LANGUAGES: tuple[Language, ...] = (
    Language(
        id="c",
        name="C17",
        extension="c",
        source="main.c",
        compile=(
            *("gcc", "-std=c17", "-O2", "-DONLINE_JUDGE", "-fmax-errors=10"),
            *("-o", "{program}", "{source}", "-lm"),
        ),
        debug=("-g",),
    ),
    Language(
        id="cpp",
        name="C++20",
        extension="cpp",
        source="main.cpp",
        compile=(
            *("g++", "-std=c++20", "-O2", "-DONLINE_JUDGE", "-fmax-errors=10"),
            *("-o", "{program}", "{source}"),
        ),
        debug=("-g",),
    ),
    Language(
        id="python",
        name="Python 3",
        extension="py",
        source="main.py",
        run=("python3", "{program}"),
        env={"PYTHONDONTWRITEBYTECODE": "1"},
    ),
    Language(id="text", name="Output only", extension="txt", source="output.txt"),
    Language(id="git", name="Git repository", extension=None),
)


def language(language_id: str) -> Language:
    """The language of that id. KeyError where there is none."""
    for entry in LANGUAGES:
        if entry.id == language_id:
            return entry
    raise KeyError(language_id)


def language_of(file_name: str) -> Language | None:
    """The language that a file's extension tells, or None."""
    extension = file_name.rpartition(".")[2] if "." in file_name else ""
    aliases = dict.fromkeys(("C", "cc", "cxx", "h", "hh", "hpp"), "cpp")
    wanted = aliases.get(extension, extension)
    for entry in LANGUAGES:
        if entry.extension == wanted:
            return entry
    return None
