"""What a model sees of a repository: its text files, cut to a budget, and nothing it can change."""

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from judge.results.review.desk import Desk

_FIRST = ("readme", "cmakelists.txt", "makefile")
_LATER = frozenset({".md", ".txt", ".json", ".csv", ".in", ".out", ".ans", ".lock", ".svg"})
_SHARE = 4
"""No file may take more than a quarter of the budget."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The text of the repository between two marks that it cannot contain, and what was cut."""

    text: str
    mark: str
    cut: tuple[str, ...]
    left_out: tuple[str, ...]


def bundle(desk: Desk, budget: int) -> Bundle:
    """At most about `budget` bytes: build files and README first, then sources, then data."""
    parts, cut, left_out = [], [], []
    left = budget
    for path in sorted(desk.files, key=_order):
        content = desk.read(path)
        if content is None or b"\0" in content[:8192]:
            continue
        name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        room = min(left, budget // _SHARE)
        if room <= 0:
            left_out.append(name)
            continue
        if len(content) > room:
            cut.append(name)
        text = content[:room].decode("utf-8", "replace")
        numbered = "\n".join(f"{n}: {line}" for n, line in enumerate(text.split("\n"), 1))
        parts.append(f"--- file {name!r}, {len(content)} bytes\n{numbered}")
        left -= min(len(content), room)
    text = "\n".join(parts)
    # A text cannot contain its own hash, so nobody can write the mark into a repository.
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Bundle(text, mark, tuple(cut), tuple(left_out))


def _order(path: str) -> tuple[int, str]:
    pure = PurePosixPath(path)
    if pure.name.lower().startswith(_FIRST) and len(pure.parts) == 1:
        return 0, path
    return (2 if pure.suffix.lower() in _LATER else 1), path
