"""What the C++ preprocessor makes of a file of the repository.

`g++ -E -dI` prints every include directive that it obeys, macros expanded, even where the header
was read before and is skipped; line markers say which file it is in (GCC manual, "Preprocessor
Output"). A repository cannot lie about the place: raw strings are skipped as such, and a file that
writes line markers of its own is not trusted at all.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.results.review.desk import Desk, ReviewFailed

STANDARD = "-std=c++20"
OWN_BYTES = 4 << 20
_ROOT = "/work/"
_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)\s*$')
_INCLUDE = re.compile(r'#(?:include|include_next|import) (?:<([^>]*)>|"([^"]*)")')
_TOKEN = re.compile(
    r"""(?:u8|u|U|L)?R"(?P<raw>[^()\\\s]{0,16})\("""
    r"""|"(?:\\.|[^"\\])*"|\w[\w.']*|'(?:\\.|[^'\\])*'|.""",
    re.DOTALL,
)
_GAP = r"(?:[ \t\f\v]|/\*.*?\*/)*"
_OWN_MARKER = re.compile(
    rf"^{_GAP}(?:\#|%:|\?\?=){_GAP}\d+(?:[ \t\f\v]|/\*.*?\*/)+\S", re.MULTILINE | re.DOTALL
)
_SPLICE = re.compile(r"(?:\\|\?\?/)[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Include:
    """An include directive in a file of the repository. `own`: what it names is of the repository
    too."""

    file: str
    line: int
    header: str
    own: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the repository, macros expanded."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """What the repository itself contributes to a translation unit. `fault` says why it could not
    be preprocessed, or not be trusted (place and reason); the rest is empty then."""

    includes: tuple[Include, ...] = ()
    lines: tuple[Line, ...] = ()
    fault: tuple[str, int | None, str] | None = None


def preprocess(desk: Desk, file: str, include_dirs: Sequence[str]) -> Preprocessed:
    """Asks g++ in the box about one file. ReviewFailed where the limits are passed."""
    if any(ord(letter) < ord(" ") for letter in file):
        return Preprocessed(fault=(file, None, "has a name with control characters"))
    dirs = [f"-I{directory}" for directory in include_dirs]
    argv = ("g++", "-x", "c++", STANDARD, "-E", "-dI", "-w", *dirs, "--", f"./{file}")
    answer = desk.ask(*(word for word in argv if word != "--"))
    if answer.code != 0:
        return Preprocessed(fault=_complaint(file, answer.err))
    text = answer.out.decode("utf-8", "replace")
    if len(text) == 0:
        raise ReviewFailed(f"g++ said nothing about {file}")
    found = list(_Reader(desk, include_dirs).read(text))
    if sum(len(one.text) for one in found if isinstance(one, Line)) > OWN_BYTES:
        return Preprocessed(fault=(file, None, "is too large once its macros are expanded"))
    for name in {one.file for one in found}:
        forged = _own_marker(desk, name)
        if forged is not None:
            reason = "has a line marker of its own, so its includes cannot be told"
            return Preprocessed(fault=(name, forged, reason))
    return Preprocessed(
        includes=tuple(one for one in found if isinstance(one, Include)),
        lines=tuple(one for one in found if isinstance(one, Line)),
    )


class _Reader:
    """Follows the markers through the output, with a stack of the files that are open."""

    def __init__(self, desk: Desk, include_dirs: Sequence[str]) -> None:
        self.files = frozenset(desk.files)
        self.include_dirs = include_dirs
        self.stack: list[str] = []
        self.line = 1
        self.raw: str | None = None
        self.pending: tuple[str, int, str, bool] | None = None

    def read(self, text: str) -> Iterator[Include | Line]:
        for line in text.split("\n"):
            own = _own(self.stack[-1]) if self.stack else None
            if self.raw is None:
                marker = _MARKER.match(line)
                if marker:
                    yield from self._move(marker)
                    continue
                include = _INCLUDE.match(line) if own else None
                if own and include:
                    yield from self._settle(entered=None)
                    angled, quoted = include.groups()
                    header = angled if angled is not None else quoted
                    self.pending = (own, self.line, header, angled is None)
                    self.line += 1
                    continue
            if own:
                yield from self._settle(entered=None) if line.strip() else ()
                yield Line(own, self.line, line)
                self._scan(line)
            self.line += 1
        yield from self._settle(entered=None)

    def _move(self, marker: re.Match[str]) -> Iterator[Include]:
        number, flags = int(marker[1]), marker[3].split()
        name = re.sub(r"\\(.)", r"\1", marker[2])
        if "1" in flags:
            self.stack.append(name)
            yield from self._settle(entered=name)
        elif "2" in flags:
            yield from self._settle(entered=None)
            if len(self.stack) > 1:
                self.stack.pop()
        elif not self.stack:
            self.stack.append(name)
        self.line = number

    def _settle(self, entered: str | None) -> Iterator[Include]:
        """The directive before is known now to have entered a file, or not."""
        if self.pending is None:
            return
        file, line, header, quoted = self.pending
        self.pending = None
        own = _own(entered) is not None if entered else self._finds(file, header, quoted=quoted)
        yield Include(file, line, header, own)

    def _finds(self, file: str, header: str, *, quoted: bool) -> bool:
        """Whether a header that was skipped is one of the repository."""
        places = ([posixpath.dirname(file)] if quoted else []) + list(self.include_dirs)
        return any(_own(posixpath.join(place, header)) in self.files for place in places)

    def _scan(self, line: str) -> None:
        """Notes where a raw string begins that the line does not end."""
        position = 0
        while position < len(line) or self.raw is not None:
            if self.raw is not None:
                end = line.find(self.raw, position)
                if end < 0:
                    return
                position, self.raw = end + len(self.raw), None
                continue
            token = _TOKEN.match(line, position)
            if token is None:
                return
            position = token.end()
            if token["raw"] is not None:
                self.raw = f'){token["raw"]}"'


def _own(path: str) -> str | None:
    """The path inside the repository; None for a file elsewhere."""
    if path.startswith("<"):
        return None
    path = posixpath.normpath(path)
    if path.startswith(_ROOT):
        path = path.removeprefix(_ROOT)
    return None if path.startswith(("/", "../")) else path


def _own_marker(desk: Desk, name: str) -> int | None:
    """The line of the first line marker that the file writes itself."""
    content = desk.read(name)
    text = "" if content is None else content.decode("utf-8", "replace")
    spliced = _SPLICE.sub("", text)
    found = _OWN_MARKER.search(spliced)
    return None if found is None else spliced.count("\n", 0, found.end()) + 1


def _complaint(file: str, said: str) -> tuple[str, int | None, str]:
    for line in said.splitlines():
        found = re.match(r"(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)", line)
        if found:
            place = _own(found[1])
            if place:
                return place, int(found[2]), f"cannot be preprocessed: {found[3]}"
    return file, None, f"cannot be preprocessed: {said.strip()[:300]}"
