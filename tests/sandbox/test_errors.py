"""Each fault of ours is one clear sentence."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import BoxClosedError, ExecError, SandboxError


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            SandboxError("pivot_root", errno.EINVAL),
            "the sandbox failed at 'pivot_root': Invalid argument (EINVAL)",
        ),
        (
            ExecError("exec", errno.EACCES),
            "the command cannot be executed: Permission denied",
        ),
        (BoxClosedError("run"), "the box is gone: its runner ended during 'run'"),
        (SandboxError("build", advice="apt install gcc"), "apt install gcc"),
    ],
)
def test_sentences(error: SandboxError, sentence: str) -> None:
    assert str(error) == sentence


def test_without_the_right_to_make_namespaces() -> None:
    """As in a container without privileges: the capability is taken away."""
    if os.geteuid() != 0:
        pytest.skip("takes a right away that only root has")
    command = (sys.executable, "-m", "sandbox", "run", "--", "true")
    done = subprocess.run(
        ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2
    assert "root may not make namespaces here" in done.stderr
    assert done.stderr.count("\n") == 1
