"""Text of unknown origin, made fit to be stored and shown."""

import io
import os
import re
from typing import BinaryIO

LONGEST = 4096

# The workspace of a box; what comes before must not be part of a longer path.
_WORKSPACE = re.compile(r"(?<![\w./-])/work/")
# Control characters other than tab and newline: PostgreSQL stores no NUL, and terminals obey ESC.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def tidy(raw: bytes, longest: int = LONGEST) -> str:
    """The text of `raw`, at most `longest` bytes in UTF-8, with replacement characters for what is
    none and for control characters, and without the workspace's path.

    Where it is too long, its middle is left out: the first error says most, the last line how it
    ended.
    """
    return tidy_file(io.BytesIO(raw), longest)


def tidy_file(file: BinaryIO, longest: int = LONGEST) -> str:
    """As `tidy`, of a file of any size."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= longest:
        return _cut(_clean(file.read()), longest)
    head = file.read(longest * 5 // 8)
    file.seek(size - longest // 4)
    tail = file.read()
    left_out = size - len(head) - len(tail)
    return _cut(f"{_clean(head)}\n[... {left_out} bytes left out ...]\n{_clean(tail)}", longest)


def _clean(raw: bytes) -> str:
    text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _WORKSPACE.sub("", text)).strip()


def _cut(text: str, longest: int) -> str:
    return text.encode()[:longest].decode("utf-8", errors="ignore")
