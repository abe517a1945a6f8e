"""The ids of a group's tests."""

import re
from collections import Counter

from judge.packages.fields import Fields

_RANGE = re.compile(r"(?P<first>\d+)\.\.(?P<last>\d+)")
_LONGEST_RANGE = 100_000


def read_ids(fields: Fields) -> tuple[str, ...]:
    """The ids of a group's tests; "01..10" counts up with the same number of digits."""
    ids: list[str] = []
    for entry in fields.texts("tests"):
        span = _RANGE.fullmatch(entry)
        if span is None:
            ids.append(entry)
            continue
        first, last, width = int(span["first"]), int(span["last"]), len(span["first"])
        if width != len(span["last"]) or not first <= last < first + _LONGEST_RANGE:
            fields.fault("tests", f'"{entry}" does not count up (write "01..10")')
            continue
        ids.extend(str(number).zfill(width) for number in range(first, last + 1))
    for id_, count in Counter(ids).items():
        if count > 1:
            fields.fault("tests", f'"{id_}" stands twice')
        if not id_ or "/" in id_ or id_.startswith("."):
            fields.fault("tests", f'"{id_}" is not the name of a test')
    if not ids:
        fields.fault("tests", "must name at least one test")
    return tuple(ids)
