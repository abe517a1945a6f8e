"""Sizes and durations as people write them: "64MiB", "1.5s"."""

import re

from humanfriendly import parse_size, parse_timespan  # type: ignore[import-untyped]

from judge.model.limits import NS_PER_SECOND

# humanfriendly takes the first letter for the unit ("1 monkey" is a megabyte): look first.
_SIZE = re.compile(r"\d+(\.\d+)?\s*(B|[KMGT]i?B)?", re.IGNORECASE)
_DURATION = re.compile(r"\d+(\.\d+)?\s*(ms|s|min|h)")


def parse_bytes(text: str) -> int:
    """A number of bytes: "0", "100 B", "64MiB" (binary) or "64MB" (decimal). ValueError."""
    if not _SIZE.fullmatch(text.strip()):
        raise ValueError(f'"{text}" is not a size (write "64MiB", or a number of bytes)')
    size: int = parse_size(text)
    return size


def parse_ns(text: str) -> int:
    """A duration in nanoseconds: "1s", "500ms", "2 min". ValueError."""
    if not _DURATION.fullmatch(text.strip()):
        raise ValueError(f'"{text}" is not a duration (write "1s" or "500ms")')
    seconds: float = parse_timespan(text)
    return round(seconds * NS_PER_SECOND)
