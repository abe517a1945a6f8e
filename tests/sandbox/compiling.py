"""The hostile programs are compiled: one when a test asks for it, or all of them, ahead.

`python -m tests.sandbox.compiling FOLDER` does the latter for the machine of script/vm, in which a
compiler takes long.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "programs"
COMPILERS = {".c": ("gcc", "-O1", "-pthread"), ".cc": ("g++", "-O1")}
OPTIONS = {"leak.c": ("-fsanitize=address", "-static-libasan")}
"""What a program is compiled with beside what all are."""


def compile_into(folder: Path, source: Path) -> Path | None:
    """The program; it is compiled unless it is there. None where there is no compiler for it."""
    program = folder / source.stem
    compiler, *options = COMPILERS[source.suffix]
    if not program.exists():
        if shutil.which(compiler) is None:
            return None
        own = OPTIONS.get(source.name, ())
        subprocess.run([compiler, *options, *own, "-o", program, source, "-lrt"], check=True)
    return program


if __name__ == "__main__":
    for source in sorted(SOURCES.iterdir()):
        compile_into(Path(sys.argv[1]), source)
