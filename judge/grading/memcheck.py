"""Valgrind's memcheck: sees every access to memory, and makes a program some thirty times slower.

Memory that is definitely, indirectly or possibly lost when a process ends is a leak; what can still
be reached is not. An invalid read, write, jump or free is told with its place. Children are
followed.
"""

import contextlib
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator

from judge.grading.findings import Findings
from judge.model import Leak

_LOST = frozenset({"Leak_DefinitelyLost", "Leak_PossiblyLost"})
_INVALID = frozenset(
    {"InvalidRead", "InvalidWrite", "InvalidJump", "InvalidFree", "MismatchedFree"}
)


def command(folder: str, stack_bytes: int) -> tuple[str, ...]:
    """What to put before a program. Each process leaves a report in the folder."""
    return (
        *("valgrind", "--tool=memcheck", "--quiet", "--xml=yes", f"--xml-file={folder}/%p"),
        *("--trace-children=yes", "--leak-check=full", "--show-leak-kinds=definite,possible"),
        *("--undef-value-errors=no", "--num-callers=8", f"--main-stacksize={stack_bytes}"),
    )


def findings(shell: int, reports: Iterable[bytes]) -> Findings:
    """What the reports say. One that is cut short counts as far as it goes, but that of the main
    process, a child of `shell`, must be there: the program itself may have removed it."""
    lost_bytes = lost_blocks = 0
    invalid_access, died_of, main_is_there = "", None, False
    for report in reports:
        for element in _elements(report):
            kind = element.findtext("kind", "")
            if element.tag == "ppid":
                main_is_there |= element.text == str(shell)
            elif element.tag == "fatal_signal":
                died_of = died_of or int(element.findtext("signo", "0"))
            elif kind in _LOST:
                lost_bytes += int(element.findtext("xwhat/leakedbytes", "0"))
                lost_blocks += int(element.findtext("xwhat/leakedblocks", "0"))
            elif kind in _INVALID:
                invalid_access = invalid_access or _sentence(element)
    if not main_is_there:
        invalid_access = "The report of the leak check is gone."
    return Findings(Leak(lost_bytes, lost_blocks) if lost_blocks else None, invalid_access, died_of)


def _elements(report: bytes) -> Iterator[ET.Element]:
    """The parent, the errors and the fatal signals of one report."""
    # A program that was killed leaves its report without an end.
    with contextlib.suppress(ET.ParseError):
        for _, element in ET.iterparse(io.BytesIO(report)):  # noqa: S314 - expat limits expansion
            if element.tag in ("ppid", "error", "fatal_signal"):
                yield element


def _sentence(error: ET.Element) -> str:
    """ "Invalid write of size 4 in main (main.cpp:9)." """
    what = error.findtext("what", "Invalid access")
    for frame in error.iterfind("stack[1]/frame"):
        file, line = frame.findtext("file"), frame.findtext("line")
        if file is not None and line is not None:
            return f"{what} in {frame.findtext('fn', 'a function')} ({file}:{line})."
    function = error.findtext("stack[1]/frame/fn")
    return f"{what} in {function}." if function else f"{what}."
