"""Text of unknown origin is cut, cleaned and kept readable."""

import pytest

from judge.grading.message import LONGEST, tidy


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"main.cpp:1: error\n", "main.cpp:1: error"),
        (b"/work/src/main.cpp:1: error", "src/main.cpp:1: error"),
        (b"In file included from /work/a.h,", "In file included from a.h,"),
        (b"/usr/work/a.h", "/usr/work/a.h"),
        (b"a\0b", "a\N{REPLACEMENT CHARACTER}b"),
        (b"\xff\xed\xa0\x80", "\N{REPLACEMENT CHARACTER}" * 4),
        (b"\x1b[31mred", "\N{REPLACEMENT CHARACTER}[31mred"),
        (b"<img src=x>", "<img src=x>"),
        (b"one\r\ntwo\ttab", "one\ntwo\ttab"),
    ],
)
def test_what_is_shown(raw: bytes, text: str) -> None:
    assert tidy(raw) == text


@pytest.mark.parametrize("piece", [b"x", b"\xff", "ü".encode(), b"\0", b"line\n"])
def test_a_long_text_loses_its_middle(piece: bytes) -> None:
    text = tidy(b"first " + piece * 100_000 + b" last")
    assert text.startswith("first")
    assert LONGEST / 2 < len(text.encode()) <= LONGEST


def test_the_end_of_a_long_text_is_kept() -> None:
    assert tidy(b"first " + b"x" * 100_000 + b" last").endswith("x last")
