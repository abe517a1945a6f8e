"""Faults of ours. What a program did wrong is never an exception: it is in the report."""

from __future__ import annotations

import errno as _errno
import os
from typing import final

_NO_NAMESPACES = (
    "this user may not make user namespaces: run as root, or allow them (sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu, user.max_user_namespaces above 0)"
)
_NO_RIGHTS = (
    "root may not make namespaces here, as in a container without CAP_SYS_ADMIN: "
    "start the container with --privileged"
)


class SandboxError(Exception):
    """The sandbox itself failed at `step`, for the reason `errno` (0 where there is none).

    `advice`, where given, is the whole sentence to show: what is wrong and how to mend it.
    """

    def __init__(self, step: str, errno: int = 0, advice: str = "") -> None:
        super().__init__(step, errno, advice)
        self.step = step
        self.errno = errno
        self.advice = advice

    def __str__(self) -> str:
        if self.advice:
            return self.advice
        if (self.step, self.errno) == ("namespaces", _errno.EPERM):
            return _NO_NAMESPACES if os.geteuid() else _NO_RIGHTS
        name = _errno.errorcode.get(self.errno, str(self.errno))
        return f"the sandbox failed at {self.step!r}: {os.strerror(self.errno)} ({name})"


@final
class ExecError(SandboxError):
    """The command could not be executed at all: absent, not executable, or of a foreign format."""

    def __str__(self) -> str:
        return f"the command cannot be executed: {os.strerror(self.errno)}"


@final
class BoxClosedError(SandboxError):
    """The box, or the runner that keeps it, is gone."""

    def __init__(self, step: str) -> None:
        super().__init__(step, _errno.EPIPE, f"the box is gone: its runner ended during {step!r}")
