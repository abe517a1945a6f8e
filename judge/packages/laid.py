"""Folders beside the tests that have what programs find in their workspace: NAME.files."""

from pathlib import Path

SUFFIX = ".files"


def laid(test_input: Path) -> Path | None:
    """The folder of the test whose input would be that file; None where it has none."""
    folder = test_input.with_suffix(SUFFIX)
    return folder if folder.is_dir() else None


def is_laid(path: Path) -> bool:
    """Whether something with that path below the tests is in such a folder."""
    return any(above.suffix == SUFFIX for above in path.parents)
