"""Ending what was started."""

import os
import signal
import subprocess
from contextlib import suppress


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a session of its own, with all its helpers, and reap it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
