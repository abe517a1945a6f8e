"""LeakSanitizer's runtime, preloaded into a program as it is: sees leaks alone, and is quick.

Its check runs when a process ends by `exit`; a small library of ours beside it has it run at
`_exit` as well, and leaves a mark by which it is known that the program was watched at all (one
that is linked statically is not).
"""

import re
from collections.abc import Iterable

from judge.grading.findings import Findings
from judge.model import Leak

RUNTIME = "liblsan.so.0"
HELPER = "leak-helper.so"
HELPER_SOURCE = """
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int __lsan_do_recoverable_leak_check(void);

__attribute__((constructor)) static void mark(void)
{
	char name[64];
	snprintf(name, sizeof name, "/tmp/leaks/mark.%d", getppid());
	close(open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

void _exit(int status)
{
	__lsan_do_recoverable_leak_check();
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status) { _exit(status); }
"""
HELPER_BUILD = ("gcc", "-O2", "-shared", "-fPIC", "-o", HELPER, "helper.c")

_LEAK = re.compile(rb"^(?:Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object", re.MULTILINE)
_OPTIONS = "exitcode=0:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0"


def command(folder: str, helper: str) -> tuple[str, ...]:
    """What to put before a program. Each process that leaks leaves a report in the folder."""
    return (
        "env",
        f"LD_PRELOAD={helper}:{RUNTIME}",
        f"LSAN_OPTIONS={_OPTIONS}:log_path={folder}/report",
    )


def findings(names: Iterable[str], shell: int, reports: Iterable[bytes]) -> Findings:
    """What the reports say; among their names must be the mark of a child of `shell`."""
    if f"mark.{shell}" not in names:
        return Findings(None, "The leak check cannot watch the program (is it linked statically?).")
    found = [match for report in reports for match in _LEAK.finditer(report)]
    if not found:
        return Findings()
    return Findings(Leak(sum(int(one[1]) for one in found), sum(int(one[2]) for one in found)))
