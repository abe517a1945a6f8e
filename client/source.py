"""What is submitted: a source file, a repository on this machine, or a URL."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from client.errors import BadInput
from client.repository import Repository

LANGUAGES = {
    ".c": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".h": "cpp",
    ".hpp": "cpp",
    ".py": "python",
}
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class Text:
    """A source text and its language. Bytes where it is not UTF-8: it is sent as it is."""

    language: str
    code: str | bytes


def find(named: str, language: str | None) -> Text | Repository:
    """What `named` is: `-` for standard input, a URL, a source file, or a folder of a repository.

    Raises BadInput where it is none of them, or its language cannot be told.
    """
    if URL.match(named):
        return Text(language or "git", named)
    if named == "-":
        if language is None:
            raise BadInput("a source from standard input needs its --language")
        return Text(language, _decoded(sys.stdin.buffer.read()))
    path = Path(named)
    if path.is_dir():
        if language not in {None, "git"}:
            raise BadInput(f"{path} is a folder: it is submitted with git, not as {language}")
        return Repository(path)
    language = language or LANGUAGES.get(path.suffix.lower())
    if language is None:
        raise BadInput(f"the language of {path} cannot be told from its name: use --language")
    try:
        return Text(language, _decoded(path.read_bytes()))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def _decoded(text: bytes) -> str | bytes:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text
