"""The starter files of a problem: what a participant may begin with."""

from pathlib import Path
from typing import NamedTuple

FOLDER = "starter"


class Attachment(NamedTuple):
    """A file; `name` is its path below the folder, with slashes."""

    name: str
    size_bytes: int
    path: Path


def attachments(package: Path) -> list[Attachment]:
    """The starter files of a package folder, by name. Links are none: they may lead anywhere."""
    folder = package / FOLDER
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    found = (
        Attachment(path.relative_to(folder).as_posix(), path.stat().st_size, path) for path in files
    )
    return sorted(found)
