"""Archives from strangers: unpacked whole, or not at all."""

import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from judge.packages.faults import Fault, PackageError

MOST_ENTRIES = 20_000
MOST_BYTES = 4 << 30
_CHUNK = 1 << 20


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip archive into the new folder `target`.

    PackageError, and nothing is written, where a name leads out of the folder, is a link or comes
    twice (be it in other letters), or where the archive is broken, locked or too large.
    """
    try:
        with zipfile.ZipFile(archive) as content:
            entries = content.infolist()
            _check(archive, entries)
            with tempfile.TemporaryDirectory(prefix=".unpacked-", dir=target.parent) as new:
                whole = Path(new) / "whole"
                whole.mkdir()
                _extract(archive, content, entries, whole)
                whole.rename(target)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise PackageError(
            Fault(archive, "", f"is no zip archive that can be read: {error}")
        ) from (error)


def _check(archive: Path, entries: Iterable[zipfile.ZipInfo]) -> None:
    entries = list(entries)
    if len(entries) > MOST_ENTRIES:
        raise PackageError(Fault(archive, "", f"has more than {MOST_ENTRIES} entries"))
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        path = PurePosixPath(name)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        reason = ""
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or not name:
            reason = "the name leads out of the archive"
        elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            reason = "is neither a file nor a folder"
        elif entry.flag_bits & 1:
            reason = "is encrypted"
        elif str(path).casefold() in seen:
            reason = "the name comes twice, maybe in other letters"
        if reason:
            raise PackageError(Fault(archive, name[:200], reason))
        seen.add(str(path).casefold())


def _extract(
    archive: Path, content: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], folder: Path
) -> None:
    """What an archive says of its sizes may be a lie, so the bytes are counted as they come."""
    left = MOST_BYTES
    for entry in entries:
        path = folder / entry.filename
        if entry.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with content.open(entry) as source, path.open("xb") as out:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise PackageError(Fault(archive, "", f"holds more than {MOST_BYTES} bytes"))
                out.write(chunk)


def pack(folders: Iterable[tuple[Path, str]], archive: Path) -> None:
    """Write folders, each under a name, into the new zip archive. The same content gives the same
    bytes. FileExistsError where there is one already."""
    with tempfile.NamedTemporaryFile(dir=archive.parent, prefix=".packed-") as new:
        with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as content:
            for folder, name in folders:
                for path in sorted(folder.rglob("*")):
                    if path.is_file() and "__pycache__" not in path.parts:
                        inside = f"{name}/{path.relative_to(folder).as_posix()}"
                        entry = zipfile.ZipInfo(inside)
                        entry.compress_type = zipfile.ZIP_DEFLATED
                        entry.external_attr = (stat.S_IFREG | 0o644) << 16
                        with path.open("rb") as source, content.open(entry, "w") as out:
                            shutil.copyfileobj(source, out, _CHUNK)
        new.flush()
        with archive.open("xb") as out, Path(new.name).open("rb") as whole:
            shutil.copyfileobj(whole, out, _CHUNK)
