"""The name of a package's content, by which versions are told apart and fetched."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

_CHUNK = 1 << 20


def content_hash(package: Path, tests: Path) -> str:
    """SHA-256 (hex) over the names and bytes of both folders; times, owners and order do not count.

    A link counts as the text it points at. Python's caches are left out.
    """
    digest = hashlib.sha256()
    for part, folder in (("package", package), ("tests", tests)):
        for name, path in _files(folder):
            if path.is_symlink():
                content = hashlib.sha256(b"link:" + str(path.readlink()).encode()).digest()
            else:
                content = _file_digest(path)
            digest.update(f"{part}/{name}\0".encode() + content)
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    paths = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    named = sorted((path.relative_to(folder).as_posix(), path) for path in paths)
    return ((name, path) for name, path in named if "__pycache__" not in path.parts)


def _file_digest(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()
