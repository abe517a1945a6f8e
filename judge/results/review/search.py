"""Where a pattern stands in texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.results.review.comments import without_comments

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Match:
    """The first match of a line; `found` is its beginning."""

    file: str
    line: int
    found: str


def search(texts: Mapping[str, str], pattern: re.Pattern[str], comments: bool) -> list[Match]:
    """Each line of the texts (by file name) that the pattern matches; comments are passed over
    unless `comments` is set. The time depends on both: bound it."""
    matches = []
    for file, text in texts.items():
        searched = text if comments else without_comments(file, text)
        for number, line in enumerate(searched.split("\n"), 1):
            found = pattern.search(line)
            if found:
                matches.append(Match(file, number, found[0][:_SHOWN]))
    return matches
