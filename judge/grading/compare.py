"""Compares output with an answer, byte by byte, in memory that does not grow with either.

Each rule is a function from a file to a normal form of its content, in chunks; two files are the
same if their normal forms are. No text is ever decoded.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

from judge.model import Comparison

CHUNK = 1 << 16

_BLANKS = b" \t\r\v\f"
_SPACE = _BLANKS + b"\n"
# The look-behind lets a run of blanks be tried at its first byte only, so time stays linear.
_LINE_ENDS = re.compile(rb"(?<![ \t\r\v\f])(?:[ \t\r\v\f]*+\n)+")


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two normal forms part: `number` counts lines, tokens or bytes from 1."""

    unit: str
    number: int


class Rule(Protocol):
    """A normal form: of the file of that descriptor, from its beginning, in chunks."""

    def __call__(self, file: int) -> Iterator[bytes]: ...


def difference(comparison: Comparison, output: int, answer: int) -> Difference | None:
    """Where the file `output` differs from the file `answer` (descriptors), or None."""
    rule, unit, separator = _RULES[comparison]
    return _difference(rule(output), rule(answer), unit, separator)


def exact_form(file: int) -> Iterator[bytes]:
    """Every byte."""
    return (chunk for _, chunk in _chunks(file))


def tokens_form(file: int) -> Iterator[bytes]:
    """The words between white space, each ended by one newline."""
    separator = b""
    in_word = False
    for _, chunk in _chunks(file):
        words = chunk.split()
        if in_word and chunk[:1].isspace():
            in_word, separator = False, b"\n"
        if not words:
            continue
        if not in_word:
            yield separator
        yield b"\n".join(words)
        separator = b"\n"
        in_word = not chunk[-1:].isspace()
    yield separator


def words_form(file: int) -> Iterator[bytes]:
    """As `tokens_form`, in small letters (of ASCII)."""
    return (chunk.lower() for chunk in tokens_form(file))


def lines_form(file: int) -> Iterator[bytes]:
    """ACMOJ's default: blanks at the end of a line and blank lines do not count, CRLF is LF.

    Blanks whose meaning is still open (they may turn out to end a line, or not) are not kept but
    read once more when it is known, for they may be as long as the file.
    """
    begun = False  # whether a line has been written: blank lines before it are dropped
    newline = False  # whether a newline is due before the next text
    blanks = (0, 0)  # the range of blanks since the last text or newline
    for offset, chunk in _chunks(file):
        text = chunk.lstrip(_SPACE)
        newline, blanks = _skip(chunk[: len(chunk) - len(text)], offset, newline, blanks)
        if not text:
            continue
        if newline and begun:
            yield b"\n"
        yield from _range(file, *blanks)
        kept = text.rstrip(_SPACE)
        yield _LINE_ENDS.sub(b"\n", kept)
        begun = True
        end = offset + len(chunk) - (len(text) - len(kept))
        newline, blanks = _skip(text[len(kept) :], end, False, (end, end))
    if begun:
        yield b"\n"


def _skip(
    space: bytes, offset: int, newline: bool, blanks: tuple[int, int]
) -> tuple[bool, tuple[int, int]]:
    """Take notice of white space that lies at `offset` of the file."""
    last = space.rfind(b"\n")
    if last >= 0:
        newline, blanks = True, (offset + last + 1, offset + last + 1)
    return newline, (blanks[0], offset + len(space))


def _chunks(file: int) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while chunk := os.pread(file, CHUNK, offset):
        yield offset, chunk
        offset += len(chunk)


def _range(file: int, start: int, end: int) -> Iterator[bytes]:
    while start < end:
        chunk = os.pread(file, min(CHUNK, end - start), start)
        if not chunk:
            return
        yield chunk
        start += len(chunk)


def _difference(
    output: Iterator[bytes], answer: Iterator[bytes], unit: str, separator: bytes
) -> Difference | None:
    number = 1
    for mine, other in zip_longest(_even(output), _even(answer), fillvalue=b""):
        if mine != other:
            same = mine[: _first_difference(mine, other)]
            return Difference(unit, number + (same.count(separator) if separator else len(same)))
        number += mine.count(separator) if separator else len(mine)
    return None


def _first_difference(mine: bytes, other: bytes) -> int:
    pairs = enumerate(zip(mine, other, strict=False))
    shorter = min(len(mine), len(other))
    return next((at for at, (one, another) in pairs if one != another), shorter)


def _even(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in chunks of one size, so that two forms can be compared chunk by chunk."""
    held = bytearray()
    for chunk in chunks:
        held += chunk
        while len(held) >= CHUNK:
            yield bytes(held[:CHUNK])
            del held[:CHUNK]
    if held:
        yield bytes(held)


_RULES: dict[Comparison, tuple[Rule, str, bytes]] = {
    Comparison.EXACT: (exact_form, "byte", b""),
    Comparison.WORDS: (words_form, "token", b"\n"),
    Comparison.TOKENS: (tokens_form, "token", b"\n"),
    Comparison.LINES: (lines_form, "line", b"\n"),
}
