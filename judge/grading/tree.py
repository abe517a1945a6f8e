"""Writes into, and reads from, a workspace that belongs to somebody hostile.

Nothing runs in the box meanwhile, but what lies there may be links and pipes. Every step goes
through the descriptor of a folder and follows no link.
"""

import io
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Size:
    """Of a folder: the lengths of its files together, and how many there are, links among them."""

    bytes: int = 0
    files: int = 0


def lay(source: Path, workspace: Path, skip: Iterable[str] = ()) -> None:
    """Lay the files of `source` over the workspace; they win over whatever bears their name.

    Folders are merged, links of `source` are copied as links, and pipes and the like left out.
    All that is written belongs to the owner of the workspace. `skip` names entries of the top.
    """
    with folder(workspace) as target:
        owner = os.fstat(target).st_uid
        _lay(source, target, owner, frozenset(skip))


def size(source: Path) -> Size:
    """What `lay` would write."""
    found = [status.st_size for status in _statuses(source, frozenset())]
    return Size(sum(found), len(found))


def exceeds(source: Path, most_bytes: int, most_files: int, skip: Iterable[str] = ()) -> bool:
    """Whether what `lay` would write is more than that; looks no further once it is."""
    total = count = 0
    for status in _statuses(source, frozenset(skip)):
        total, count = total + status.st_size, count + 1
        if total > most_bytes or count > most_files:
            return True
    return False


def put(workspace: Path, name: str, content: bytes) -> None:
    """Write one file into the root of the workspace, in place of whatever bears its name."""
    put_file(workspace, name, io.BytesIO(content))


def put_file(workspace: Path, name: str, content: BinaryIO) -> None:
    """As `put`, with the content of an open file. `name` may lead through one folder."""
    with _above(workspace, name) as (target, last):
        _clear(target, last)
        file = os.open(last, _NEW_FILE, 0o644, dir_fd=target)
        with os.fdopen(file, "wb") as out:
            shutil.copyfileobj(content, out, 1 << 20)
            os.fchown(file, os.fstat(target).st_uid, -1)


def put_folder(workspace: Path, name: str) -> None:
    """Make an empty folder in the root of the workspace."""
    with folder(workspace) as target:
        _clear(target, name)
        os.close(_enter(target, name, os.fstat(target).st_uid))


def read(workspace: Path, name: str, most: int) -> bytes | None:
    """The first `most` bytes of a file, or None if it is no regular file. `name` may lead through
    one folder."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with _above(workspace, name) as (target, last):
            file = os.open(last, flags, dir_fd=target)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return None
        with os.fdopen(file, "rb", closefd=False) as content:
            return content.read(most)
    finally:
        os.close(file)


def take(workspace: Path, name: str, target: Path) -> bool:
    """Copy a regular file of the workspace's root out as an executable; False if it is not one."""
    with folder(workspace) as root:
        try:
            # Not blocking, for it may be a pipe.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            file = os.open(name, flags, dir_fd=root)
        except OSError:
            return False
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            return False
        with os.fdopen(file, "rb") as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    target.chmod(0o755)
    return True


def kinds(workspace: Path) -> dict[str, int]:
    """The names in the workspace's root, with the type bits of their modes."""
    with folder(workspace) as root, os.scandir(root) as entries:
        return {
            entry.name: stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) for entry in entries
        }


@contextmanager
def folder(path: Path) -> Iterator[int]:
    """A descriptor of the folder."""
    descriptor = os.open(path, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _above(workspace: Path, name: str) -> Iterator[tuple[int, str]]:
    """A descriptor of the folder in which the name lies, and the last part of the name."""
    above, _, last = name.rpartition("/")
    with folder(workspace) as root, ExitStack() as stack:
        if above:
            root = os.open(above, _FOLDER, dir_fd=root)
            stack.callback(os.close, root)
        yield root, last


def _statuses(source: Path, skip: frozenset[str]) -> Iterator[os.stat_result]:
    """Of each regular file and link below the folder."""
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.name in skip:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _statuses(Path(entry.path), frozenset())
            elif entry.is_symlink() or entry.is_file():
                yield entry.stat(follow_symlinks=False)


def _lay(source: Path, target: int, owner: int, skip: frozenset[str]) -> None:
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.name in skip:
                continue
            if entry.is_symlink():
                _clear(target, entry.name)
                link = Path(entry.path).readlink()
                os.symlink(link, entry.name, dir_fd=target)
                os.chown(entry.name, owner, -1, dir_fd=target, follow_symlinks=False)
            elif entry.is_dir():
                below = _enter(target, entry.name, owner)
                try:
                    _lay(Path(entry.path), below, owner, frozenset())
                finally:
                    os.close(below)
            elif entry.is_file():
                _copy(Path(entry.path), target, entry.name, owner)


def _copy(source: Path, target: int, name: str, owner: int) -> None:
    _clear(target, name)
    with source.open("rb") as content:
        mode = stat.S_IMODE(os.fstat(content.fileno()).st_mode) & 0o755 | 0o644
        file = os.open(name, _NEW_FILE, mode, dir_fd=target)
        with os.fdopen(file, "wb") as out:
            shutil.copyfileobj(content, out, 1 << 20)
            os.fchmod(file, mode)
            os.fchown(file, owner, -1)


def _enter(target: int, name: str, owner: int) -> int:
    """The folder of that name, made where there is none or where something else bears the name."""
    try:
        return os.open(name, _FOLDER, dir_fd=target)
    except OSError:
        _clear(target, name)
        os.mkdir(name, dir_fd=target)
        below = os.open(name, _FOLDER, dir_fd=target)
        os.fchmod(below, 0o755)
        os.fchown(below, owner, -1)
        return below


def _clear(target: int, name: str) -> None:
    """Remove whatever bears the name."""
    try:
        mode = os.stat(name, dir_fd=target, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(name, dir_fd=target)
    else:
        os.unlink(name, dir_fd=target)
