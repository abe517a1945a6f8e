"""Runs a program under valgrind's memcheck, and reads what it found.

The policy: memory that is definitely, indirectly or possibly lost when a process ends is a leak;
what can still be reached is not. An invalid read, write, jump or free is a runtime error that says
where. Children are followed. The check makes a program many times slower and fatter, so its limits
are widened (`widened`): a slow check is not the program's fault.
"""

import contextlib
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from judge.grading.build import Program
from judge.model import Leak, Limits, Run
from judge.model.limits import MIB, NS_PER_SECOND

_REPORTS = "/tmp/memcheck"  # noqa: S108 - inside the box, where /tmp is private
_BEGIN = b"<!-- adjudge: memcheck -->\n"
# The reports go to files, one a process, since processes that share one would mix their lines.
# They are handed out on standard error, which the program itself does not get to see.
_SCRIPT = f"""
stack=$1; shift
mkdir {_REPORTS}
valgrind --tool=memcheck --quiet --xml=yes --xml-file={_REPORTS}/%p --trace-children=yes \\
  --leak-check=full --show-leak-kinds=definite,possible --undef-value-errors=no \\
  --num-callers=8 --main-stacksize=$stack "$@" 2>/dev/null
status=$?
echo $$ >&2
for report in {_REPORTS}/*; do printf '%s' '{_BEGIN.decode()}'; cat "$report"; done >&2
exit $status
"""
_SLOWER, _FATTER = 30, 4
_START_NS, _START_BYTES = 2 * NS_PER_SECOND, 256 * MIB
_REPORT_BYTES = 16 * MIB
_SIGNAL_STATUS = (
    128  # a shell's exit code for a command that died of a signal is this and its number
)

_LOST = frozenset({"Leak_DefinitelyLost", "Leak_PossiblyLost"})
_INVALID = frozenset(
    {"InvalidRead", "InvalidWrite", "InvalidJump", "InvalidFree", "MismatchedFree"}
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What memcheck saw: memory lost by all processes together, the first invalid access ("" where
    there was none), and the signal of which a process died."""

    leak: Leak | None = None
    invalid_access: str = ""
    signal: int | None = None


def watched(program: Program, limits: Limits) -> Program:
    """The program under memcheck; its standard error will hold the reports."""
    argv = ("sh", "-c", _SCRIPT, "sh", str(limits.memory_bytes), *program.argv)
    return replace(program, argv=argv)


def widened(limits: Limits) -> Limits:
    """The limits of a run under memcheck."""
    return replace(
        limits,
        cpu_ns=limits.cpu_ns * _SLOWER + _START_NS,
        wall_ns=limits.wall_ns * _SLOWER + _START_NS,
        memory_bytes=limits.memory_bytes * _FATTER + _START_BYTES,
        processes=2 * limits.processes + 2,
        output_bytes=limits.output_bytes + _REPORT_BYTES,
    )


def findings(reports: BinaryIO) -> Findings:
    """What the reports of a watched run say. One that is cut short counts as far as it goes, but
    that of the main process must be there: it may have been removed by the program itself."""
    reports.seek(0)
    shell, *texts = reports.read().split(_BEGIN)
    lost_bytes = lost_blocks = 0
    invalid_access, died_of, main_is_there = "", None, False
    for text in texts:
        for element in _elements(text):
            kind = element.findtext("kind", "")
            if element.tag == "ppid":
                main_is_there |= shell.split()[-1:] == [(element.text or "").encode()]
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


def unwrapped(run: Run, found: Findings) -> Run:
    """The run as it would have been reported without the shell around it."""
    if found.signal is not None and run.exit_code == _SIGNAL_STATUS + found.signal:
        return replace(run, exit_code=None, signal=found.signal)
    return run


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
