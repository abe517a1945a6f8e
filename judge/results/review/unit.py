"""What is the repository's own in a preprocessed C++ file.

`g++ -E -dI` prints every include directive that it obeys, macros expanded, even where the header
was read before and is skipped; line markers say which file it is in (GCC manual, "Preprocessor
Output"). A repository cannot lie about the place: raw strings are skipped as such, and a file that
writes line markers of its own is not trusted at all.

The text is hostile and the time depends on it: bound each call.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

OWN_BYTES = 4 << 20
_ROOT = "/work/"
_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)\s*$')
_INCLUDE = re.compile(r'#(?:include|include_next|import) (?:<([^>]*)>|"([^"]*)")')
_TOKEN = re.compile(
    r"""(?:u8|u|U|L)?R"(?P<raw>[^()\\\s]{0,16})\("""
    r"""|"(?:\\.|[^"\\])*"|\w[\w.']*|'(?:\\.|[^'\\])*'|.""",
    re.DOTALL,
)
_GAP = r"(?:[ \t\f\v]++|/\*(?:[^*]|\*(?!/))*+\*/)"
_OWN_MARKER = re.compile(rf"^{_GAP}*+(?:\#|%:|\?\?=){_GAP}*+\d+{_GAP}++\S", re.MULTILINE)
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


def read_unit(text: str, files: Sequence[str], include_dirs: Sequence[str]) -> Preprocessed | None:
    """What g++ printed, of a repository with these files; None where its own part is too large."""
    includes, lines, size = [], [], 0
    for one in _Reader(files, include_dirs).read(text):
        if isinstance(one, Include):
            includes.append(one)
            continue
        lines.append(one)
        size += len(one.text)
        if size > OWN_BYTES:
            return None
    return Preprocessed(tuple(includes), tuple(lines))


def own_marker(contents: Mapping[str, bytes | None]) -> tuple[str, int] | None:
    """File and line of a line marker that one of the files writes itself."""
    for name, content in contents.items():
        spliced = _SPLICE.sub("", (content or b"").decode("utf-8", "replace"))
        found = _OWN_MARKER.search(spliced)
        if found is not None:
            return name, spliced.count("\n", 0, found.end()) + 1
    return None


def own_path(path: str) -> str | None:
    """The path inside the repository; None for a file elsewhere."""
    if path.startswith("<"):
        return None
    path = posixpath.normpath(path)
    if path.startswith(_ROOT):
        path = path.removeprefix(_ROOT)
    return None if path.startswith(("/", "../")) else path


class _Reader:
    """Follows the markers through the output, with a stack of the files that are open."""

    def __init__(self, files: Sequence[str], include_dirs: Sequence[str]) -> None:
        self.files = frozenset(files)
        self.include_dirs = include_dirs
        self.stack: list[str] = []
        self.line = 1
        self.raw: str | None = None
        self.pending: tuple[str, int, str, bool] | None = None

    def read(self, text: str) -> Iterator[Include | Line]:
        for line in text.split("\n"):
            own = own_path(self.stack[-1]) if self.stack else None
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
        own = own_path(entered) is not None if entered else self._finds(file, header, quoted=quoted)
        yield Include(file, line, header, own)

    def _finds(self, file: str, header: str, *, quoted: bool) -> bool:
        """Whether a header that was skipped is one of the repository."""
        places = ([posixpath.dirname(file)] if quoted else []) + list(self.include_dirs)
        return any(own_path(posixpath.join(place, header)) in self.files for place in places)

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
