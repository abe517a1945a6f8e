"""Compiles the runner on first use, into a folder named after the hash of its sources."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from sandbox.errors import SandboxError

SOURCES = Path(__file__).parent / "runner"
_NEEDS = (
    "the runner needs gcc, make and libseccomp-dev (Debian: apt install gcc make libseccomp-dev)"
)


@cache
def runner_program(sanitize: bool = False) -> Path:
    """The path of the compiled runner. SandboxError("build") with the compiler's words."""
    name = f"{_source_hash()}{'-sanitized' if sanitize else ''}"
    for folder in _caches():
        program = folder / name / "runner"
        if os.access(program, os.X_OK):
            return program
    for folder in _caches():
        if _writable(folder):
            return _make(folder, name, sanitize)
    raise SandboxError("build", advice=f"no folder to build the runner in: {_caches()}")


def _source_hash() -> str:
    digest = hashlib.sha256()
    for path in sorted([*SOURCES.glob("*.[ch]"), SOURCES / "Makefile"]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _caches() -> list[Path]:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return [SOURCES / "build", Path(home) / "adjudge"]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _make(folder: Path, name: str, sanitize: bool) -> Path:
    # Built beside and renamed into place: two processes may do this at once.
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        built = Path(scratch) / "built"
        command = ["make", "-s", "-C", str(SOURCES), f"BUILD={built}"]
        if sanitize:
            command.append("SANITIZE=1")
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise SandboxError("build", advice=f"make was not found: {_NEEDS}") from None
        if done.returncode != 0:
            raise SandboxError(
                "build", advice=f"the runner did not compile: {_NEEDS}\n{done.stderr.strip()}"
            )
        try:
            built.rename(folder / name)
        except OSError:
            if not (folder / name / "runner").exists():
                raise
    return folder / name / "runner"
