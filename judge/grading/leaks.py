"""Runs a program under a leak check, and reads what it found.

A check makes a program slower and fatter, so its limits are widened: a slow check is not the
program's fault.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from judge.grading import lsan, memcheck
from judge.grading.build import PROGRAMS, Program
from judge.grading.findings import Findings
from judge.model import LeakCheck, Limits, Run
from judge.model.limits import MIB, NS_PER_SECOND

_FOLDER = "/tmp/leaks"  # noqa: S108 - inside the box, where /tmp is private
_BEGIN = b"<!-- adjudge: report -->"
# Reports go to files, one a process, since processes that share one would mix their lines. They are
# handed out on standard error, which the program itself does not get to see.
_SCRIPT = f"""
mkdir {_FOLDER}
"$@" 2>/dev/null
status=$?
echo $$ >&2
for report in {_FOLDER}/*; do echo '{_BEGIN.decode()}' "${{report##*/}}"; cat "$report"; done >&2
exit $status
"""
_REPORT_BYTES = 16 * MIB
_SIGNAL_STATUS = 128  # and a signal's number: a shell's exit code where a command died of it


@dataclass(frozen=True, slots=True)
class _Cost:
    slower: int
    fatter: int
    start_ns: int
    start_bytes: int


_COSTS = {
    LeakCheck.VALGRIND: _Cost(30, 4, 2 * NS_PER_SECOND, 256 * MIB),
    LeakCheck.LSAN: _Cost(4, 4, 2 * NS_PER_SECOND, 128 * MIB),
}


def watched(check: LeakCheck, program: Program, limits: Limits) -> Program:
    """The program under a check; its standard error will hold the reports."""
    match check:
        case LeakCheck.VALGRIND:
            prefix = memcheck.command(_FOLDER, limits.memory_bytes)
        case LeakCheck.LSAN:
            prefix = lsan.command(_FOLDER, f"{PROGRAMS}/{lsan.HELPER}")
    return replace(program, argv=("sh", "-c", _SCRIPT, "sh", *prefix, *program.argv))


def widened(check: LeakCheck, limits: Limits) -> Limits:
    """The limits of a run under a check."""
    cost = _COSTS[check]
    return replace(
        limits,
        cpu_ns=limits.cpu_ns * cost.slower + cost.start_ns,
        wall_ns=limits.wall_ns * cost.slower + cost.start_ns,
        memory_bytes=limits.memory_bytes * cost.fatter + cost.start_bytes,
        processes=2 * limits.processes + 2,
        output_bytes=limits.output_bytes + _REPORT_BYTES,
    )


def findings(check: LeakCheck, said: BinaryIO) -> Findings:
    """What the reports of a watched run say."""
    said.seek(0)
    before, *parts = said.read().split(_BEGIN)
    words = before.split()
    shell = int(words[-1]) if words and words[-1].isdigit() else 0
    reports = dict(_named(parts))
    match check:
        case LeakCheck.VALGRIND:
            return memcheck.findings(shell, reports.values())
        case LeakCheck.LSAN:
            return lsan.findings(reports, shell, reports.values())


def unwrapped(run: Run, found: Findings) -> Run:
    """The run as it would have been reported without the shell around it."""
    if found.signal is not None and run.exit_code == _SIGNAL_STATUS + found.signal:
        return replace(run, exit_code=None, signal=found.signal)
    return run


def _named(parts: list[bytes]) -> Iterator[tuple[str, bytes]]:
    for part in parts:
        name, _, content = part.partition(b"\n")
        yield name.strip().decode(errors="replace"), content
