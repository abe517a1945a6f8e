"""The C++ preprocessor is asked about a file of the repository."""

import re
from collections.abc import Sequence

from judge.results.review.bounded import SECONDS, TooSlow, bounded
from judge.results.review.desk import Desk, ReviewFailed
from judge.results.review.unit import Preprocessed, own_marker, own_path, read_unit

STANDARD = "-std=c++20"


def preprocess(
    desk: Desk, file: str, include_dirs: Sequence[str], seconds: float = SECONDS
) -> Preprocessed:
    """Asks g++ in the box about one file; understanding the answer may take so many seconds.
    ReviewFailed where the limits of the box are passed."""
    if any(ord(letter) < ord(" ") for letter in file):
        return Preprocessed(fault=(file, None, "has a name with control characters"))
    dirs = [f"-I{directory}" for directory in include_dirs]
    answer = desk.ask("g++", "-x", "c++", STANDARD, "-E", "-dI", "-w", *dirs, f"./{file}")
    if answer.code != 0:
        return Preprocessed(fault=_complaint(file, answer.err))
    text = answer.out.decode("utf-8", "replace")
    if len(text) == 0:
        raise ReviewFailed(f"g++ said nothing about {file}")
    try:
        found = bounded(seconds, read_unit, text, desk.files, include_dirs)
        if found is None:
            return Preprocessed(fault=(file, None, "is too large once its macros are expanded"))
        names = {one.file for part in (found.includes, found.lines) for one in part}
        forged = bounded(seconds, own_marker, {name: desk.read(name) for name in names})
    except TooSlow:
        return Preprocessed(fault=(file, None, "takes too long to be understood"))
    if forged is not None:
        reason = "has a line marker of its own, so its includes cannot be told"
        return Preprocessed(fault=(*forged, reason))
    return found


def _complaint(file: str, said: str) -> tuple[str, int | None, str]:
    for line in said.splitlines():
        found = re.match(r"(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)", line)
        if found:
            place = own_path(found[1])
            if place:
                return place, int(found[2]), f"cannot be preprocessed: {found[3]}"
    return file, None, f"cannot be preprocessed: {said.strip()[:300]}"
