"""The files of a problem that participants are given: what they may begin with."""

from pathlib import Path
from typing import NamedTuple

FOLDERS = ("starter", "attachments")
"""Of a native package, and of an ICPC one."""


class Attachment(NamedTuple):
    """A file; `name` is its path below the folder, with slashes."""

    name: str
    size_bytes: int
    path: Path


def attachments(package: Path) -> list[Attachment]:
    """The files of a package folder, by name. Links are none: they may lead anywhere."""
    folders = [package / name for name in FOLDERS]
    found = (
        Attachment(path.relative_to(folder).as_posix(), path.stat().st_size, path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    )
    return sorted(found)
