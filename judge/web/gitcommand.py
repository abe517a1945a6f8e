"""Git, run on repositories that others fill: with settings of ours alone."""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from judge.web.processes import end

# Pushed bytes are unpacked by git itself: bounded, so that a pack that unfolds without end stops.
MOST_OUTPUT_BYTES = 1 << 20

PROCESS_BOUNDS = ("prlimit", "--cpu=300", "--as=4294967296", "--core=0", "--")

SETTINGS: Mapping[str, str] = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.bigFileThreshold": "16m",
    "gc.autoDetach": "false",
    "pack.threads": "1",
    "protocol.allow": "never",
    "safe.directory": "*",
    "transfer.hideRefs": "refs/submissions",
}


class GitError(Exception):
    """Git ended with `code`; `stderr` are its words, for the log."""

    def __init__(self, arguments: tuple[str, ...], code: int, stderr: str) -> None:
        super().__init__(f"git {' '.join(arguments)} ended with {code}: {stderr.strip()}")
        self.arguments = arguments
        self.code = code
        self.stderr = stderr


def environment(settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """The whole environment for git: no user's and no system's settings, no secrets of ours."""
    merged = dict(SETTINGS) | dict(settings or {})
    variables = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": str(len(merged)),
    }
    for number, (key, value) in enumerate(merged.items()):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables


def git(
    *arguments: str,
    directory: Path,
    seconds: float = 60,
    settings: Mapping[str, str] | None = None,
    file_bytes: int | None = None,
    source: IO[bytes] | None = None,
) -> str:
    """Run one git command in a bare repository and return its output.

    `settings` are added to ours; no file that it writes passes `file_bytes`; `source` is its
    standard input. GitError where it fails, or needs more than `seconds`.
    """
    bounds = [] if file_bytes is None else [f"--fsize={file_bytes}"]
    # Into files: what the other side makes git say must not fill our memory.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            ["prlimit", *bounds, *PROCESS_BOUNDS[1:], "git", f"--git-dir={directory}", *arguments],
            env=environment(settings),
            cwd=directory,
            stdin=subprocess.DEVNULL if source is None else source,
            stdout=output,
            stderr=complaints,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise GitError(arguments, -1, f"not done after {seconds:g} s") from error
        finally:
            end(process)  # helpers of git may outlive it
        if code != 0:
            raise GitError(arguments, code, _text(complaints))
        return _text(output).strip()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MOST_OUTPUT_BYTES).decode("utf-8", "replace")
