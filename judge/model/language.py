"""The languages: one declarative table, and what its words mean.

A command is a tuple of words. `{source}` stands for the source file, `{program}` for what the
compiler makes and the program is run from. Adding a language is adding an entry.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.model.limits import MIB


@dataclass(frozen=True, slots=True)
class Language:
    """How a source text of that language becomes a program, and how the program is run.

    `source` is the fixed name under which a submitted text is saved, whatever it was called; a
    repository has none. `compile` is empty where nothing is compiled: the source is then the
    program. `together`: where there are several sources, `compile` is told all of them. `debug` is
    added to `compile` where a leak check wants to say where. `run` may also say `{memory_mib}`, the
    memory limit of the test.

    `processes` and `memory_bytes` are what its runtime needs for itself, on top of a test's limits.
    `hello` prints "hello": a worker offers the language if that works.
    """

    id: str
    name: str
    extension: str | None
    source: str | None = None
    compile: tuple[str, ...] = ()
    together: bool = False
    debug: tuple[str, ...] = ()
    run: tuple[str, ...] = ("{program}",)
    build_env: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    processes: int = 0
    memory_bytes: int = 0
    hello: str = ""

    @property
    def is_compiled(self) -> bool:
        """Whether there is a build before the first run."""
        return self.source is None or bool(self.compile)

    def compiler(self, program: str, sources: Sequence[str]) -> tuple[str, ...]:
        """The command that compiles the sources into the program."""
        words: list[str] = []
        for word in self.compile:
            if word == "{source}":
                words.extend(sources)
            else:
                words.append(word.format(program=program, source=shlex.join(sources)))
        return tuple(words)


_C = ("gcc", "-O2", "-DONLINE_JUDGE", "-fmax-errors=10", "-o", "{program}", "{source}", "-lm")
_CPP = ("g++", "-O2", "-DONLINE_JUDGE", "-fmax-errors=10", "-o", "{program}", "{source}")
_JAVAC = (
    "javac -J-XX:-UsePerfData -encoding UTF-8 -d /tmp/classes {source} && "
    "jar -J-XX:-UsePerfData --create --file {program} --main-class Main -C /tmp/classes ."
)
_HELLO_C = '#include <stdio.h>\nint main(void) { puts("hello"); }\n'
_HELLO_CPP = '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n'
# The library's headers cost most of a compile: that they are there, one standard shows for all.
_QUICK_HELLO_CPP = '#include <cstdio>\nint main() { std::puts("hello"); }\n'


def _c(id_: str, standard: int) -> Language:
    return Language(
        id=id_,
        name=f"C{standard}",
        extension="c",
        source="main.c",
        compile=(_C[0], f"-std=c{standard}", *_C[1:]),
        together=True,
        debug=("-g",),
        hello=_HELLO_C,
    )


def _cpp(id_: str, standard: int, hello: str = _QUICK_HELLO_CPP) -> Language:
    return Language(
        id=id_,
        name=f"C++{standard}",
        extension="cpp",
        source="main.cpp",
        compile=(_CPP[0], f"-std=c++{standard}", *_CPP[1:]),
        together=True,
        debug=("-g",),
        hello=hello,
    )


LANGUAGES: tuple[Language, ...] = (
    _c("c", 17),
    _cpp("cpp", 20, _HELLO_CPP),
    _cpp("cpp11", 11),
    _cpp("cpp14", 14),
    _cpp("cpp17", 17),
    _cpp("cpp23", 23),
    Language(
        id="python",
        name="Python 3",
        extension="py",
        source="main.py",
        run=("python3", "{program}"),
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        hello='print("hello")\n',
    ),
    Language(
        id="java",
        name="Java",
        extension="java",
        source="Main.java",
        compile=(
            *("sh", "-euc"),
            _JAVAC,
        ),
        together=True,
        run=(
            *("java", "-XX:-UsePerfData", "-XX:+UseSerialGC", "-Xss64m"),
            *("-Xmx{memory_mib}m", "-jar", "{program}"),
        ),
        processes=64,
        memory_bytes=192 * MIB,
        hello=(
            "public class Main { public static void main(String[] a)"
            ' { System.out.println("hello"); } }\n'
        ),
    ),
    Language(
        id="javascript",
        name="JavaScript (Node.js)",
        extension="js",
        source="main.js",
        run=("node", "--stack-size=60000", "--max-old-space-size={memory_mib}", "{program}"),
        processes=32,
        memory_bytes=64 * MIB,
        hello='console.log("hello");\n',
    ),
    Language(
        id="go",
        name="Go",
        extension="go",
        source="main.go",
        compile=("go", "build", "-o", "{program}", "{source}"),
        together=True,
        build_env={
            "GOCACHE": "/tmp/go",  # noqa: S108 - in the box
            "GOPATH": "/tmp/gopath",  # noqa: S108
            "GOFLAGS": "-p=1",
            "GO111MODULE": "off",
            "CGO_ENABLED": "0",
            "GOTOOLCHAIN": "local",
        },
        env={"GOMAXPROCS": "1"},
        processes=32,
        memory_bytes=16 * MIB,
        hello='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n',
    ),
    Language(
        id="rust",
        name="Rust",
        extension="rs",
        source="main.rs",
        compile=("rustc", "--edition=2021", "-O", "-o", "{program}", "{source}"),
        hello='fn main() { println!("hello"); }\n',
    ),
    Language(id="text", name="Output only", extension="txt", source="output.txt"),
    Language(id="quiz", name="Quiz", extension="json", source="quiz.json"),
    Language(id="git", name="Git repository", extension=None),
)


_HEADERS = ("h", "hh", "hpp", "hxx")
_ALIASES = dict.fromkeys(("C", "cc", "cxx", "c++", *_HEADERS), "cpp")


def language(language_id: str) -> Language:
    """The language of that id. KeyError where there is none."""
    for entry in LANGUAGES:
        if entry.id == language_id:
            return entry
    raise KeyError(language_id)


def language_of(file_name: str) -> Language | None:
    """The language that a file's extension tells (the first of the table), or None."""
    extension = _extension(file_name)
    wanted = _ALIASES.get(extension, extension)
    return next((entry for entry in LANGUAGES if entry.extension == wanted), None)


def is_source(file_name: str, kind: Language) -> bool:
    """Whether a file is a source in that language, and no header."""
    extension = _extension(file_name)
    return extension not in _HEADERS and _ALIASES.get(extension, extension) == kind.extension


def _extension(file_name: str) -> str:
    return file_name.rpartition(".")[2] if "." in file_name else ""
