"""Compares numbers that may be a little off."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from judge.grading.compare import Difference, tokens_form
from judge.model import Tolerance

# Python's own reading of numbers is too kind: it takes "1_000", "nan" and digits of any script.
_DECIMAL = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LONGEST_NUMBER = 1000


def numeric_difference(tolerance: Tolerance, output: int, answer: int) -> Difference | None:
    """Where the tokens of the file `output` differ from those of `answer` (descriptors), or None.

    Where the answer has a decimal number, the output must have one that is near enough; everything
    else must be the same.
    """
    pairs = zip_longest(_tokens(output), _tokens(answer))
    for number, (mine, other) in enumerate(pairs, start=1):
        if not _is_same(mine, other, tolerance):
            return Difference("token", number)
    return None


def decimal(token: bytes) -> float | None:
    """The value of a token that is a decimal number, or None; it may be infinite ("1e999")."""
    if len(token) > _LONGEST_NUMBER or not _DECIMAL.fullmatch(token):
        return None
    return float(token)


def _is_same(mine: bytes | None, other: bytes | None, tolerance: Tolerance) -> bool:
    if tolerance.ignores_case and mine is not None and other is not None:
        mine, other = mine.lower(), other.lower()
    return mine == other or _is_near(mine, other, tolerance)


def _is_near(mine: bytes | None, other: bytes | None, tolerance: Tolerance) -> bool:
    if mine is None or other is None:
        return False
    value, expected = decimal(mine), decimal(other)
    if value is None or expected is None:
        return False
    off = abs(value - expected)
    return off <= tolerance.absolute or off <= tolerance.relative * abs(expected)


def _tokens(file: int) -> Iterator[bytes]:
    held: list[bytes] = []
    for chunk in tokens_form(file):
        first, *more = chunk.split(b"\n")
        held.append(first)
        for token in more:
            if any(held):
                yield b"".join(held)
            held = [token]
    if any(held):
        yield b"".join(held)
