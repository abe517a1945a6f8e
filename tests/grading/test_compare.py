"""The three rules of comparison, as docs/problems.md writes them down."""

import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.grading import compare
from judge.grading.compare import Difference, difference
from judge.model import Comparison

EXACT, LINES, TOKENS, WORDS = (
    *(Comparison.EXACT, Comparison.LINES, Comparison.TOKENS, Comparison.WORDS),
)
BLANKS = b" \t\r\v\f"


def parted(rule: Comparison, output: bytes, answer: bytes) -> Difference | None:
    with ExitStack() as stack:
        files = []
        for content in (output, answer):
            file = os.memfd_create("content")
            stack.callback(os.close, file)
            os.write(file, content)
            files.append(file)
        return difference(rule, *files)


@pytest.mark.parametrize(
    ("output", "answer", "same_by"),
    [
        (b"1 2\n", b"1 2\n", {EXACT, LINES, TOKENS}),
        (b"1 2", b"1 2\n", {LINES, TOKENS}),
        (b"1 2\r\n3\r\n", b"1 2\n3\n", {LINES, TOKENS}),
        (b"1 2 \t\n", b"1 2\n", {LINES, TOKENS}),
        (b"1\n\n\n2\n\n", b"1\n2\n", {LINES, TOKENS}),
        (b"\n \n1\n", b"1\n", {LINES, TOKENS}),
        (b" 1\n", b"1\n", {TOKENS}),
        (b"1  2\n", b"1 2\n", {TOKENS}),
        (b"1\t2\n", b"1 2\n", {TOKENS}),
        (b"1\n2\n", b"1 2\n", {TOKENS}),
        (b"", b"\n", {LINES, TOKENS}),
        (b"", b"", {EXACT, LINES, TOKENS}),
        (b"", b"1\n", set()),
        (b"1\n1\n", b"1\n", set()),
        (b"12\n", b"1 2\n", set()),
        (b"a\0b\n", b"a\0b\n", {EXACT, LINES, TOKENS}),
        (b"a\0\n", b"a\n", set()),
        (b"\xff\xfe\n", b"\xff\xfe", {LINES, TOKENS}),
        (b"\xc2\xa01\n", b"1\n", set()),
    ],
)
def test_what_counts(output: bytes, answer: bytes, same_by: set[Comparison]) -> None:
    same_by = same_by | ({WORDS} if TOKENS in same_by else set())
    assert {rule for rule in Comparison if parted(rule, output, answer) is None} == same_by
    assert {rule for rule in Comparison if parted(rule, answer, output) is None} == same_by


def test_words_may_be_written_large_or_small() -> None:
    assert parted(WORDS, b"YES No\n", b"Yes  no") is None
    assert parted(TOKENS, b"YES No\n", b"Yes  no") == Difference("token", 1)
    assert parted(WORDS, "Ä".encode(), "ä".encode()) == Difference("token", 1)


def test_the_place_of_the_first_difference_is_told() -> None:
    assert parted(EXACT, b"abx", b"aby") == Difference("byte", 3)
    assert parted(LINES, b"1\n\n2\n3\n", b"1\n2\n4\n") == Difference("line", 3)
    assert parted(TOKENS, b"a b", b"a b c") == Difference("token", 3)
    assert parted(LINES, b"1", b"1\n2") == Difference("line", 2)


def plain_lines(content: bytes) -> list[bytes]:
    return [line for line in (raw.rstrip(BLANKS) for raw in content.split(b"\n")) if line]


texts = st.lists(st.sampled_from([b"a", b"b", b" ", b"\t", b"\r", b"\n", b"a \n", b"  "])).map(
    b"".join
)


@pytest.fixture(scope="module", params=[1, 3, 1 << 16])
def chunk(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever the size of the chunks, the result is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "CHUNK", request.param)
        yield


@pytest.mark.usefixtures("chunk")
@given(texts, texts)
@example(b"a  \n  b", b"a\n  b")
@example(b"a \r\n \n\n b ", b"a\n b")
def test_rules_agree_with_their_plain_definitions(output: bytes, answer: bytes) -> None:
    assert (parted(EXACT, output, answer) is None) == (output == answer)
    assert (parted(TOKENS, output, answer) is None) == (output.split() == answer.split())
    assert (parted(LINES, output, answer) is None) == (plain_lines(output) == plain_lines(answer))


@pytest.mark.usefixtures("chunk")
@given(texts)
def test_normal_forms_are_what_is_compared(content: bytes) -> None:
    assert parted(LINES, content, b"\n".join(plain_lines(content))) is None
    assert parted(TOKENS, content, b"\n".join(content.split())) is None


@pytest.mark.parametrize("rule", Comparison)
@pytest.mark.parametrize("piece", [b" ", b"a", b"\n", b"ab \n", b" \n"])
def test_memory_does_not_grow_with_the_files(
    rule: Comparison, piece: bytes, tmp_path: Path
) -> None:
    big = tmp_path / "big"
    big.write_bytes(piece * (16 * (1 << 20) // len(piece)) + b"x")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    file = os.open(big, os.O_RDONLY)
    try:
        assert difference(rule, file, file) is None
    finally:
        os.close(file)
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kib < 8 * 1024
