"""A problem package that comes as a zip archive: put on the shelf whole, or refused with all that
is wrong with it."""

import re
import tempfile
from pathlib import Path

from werkzeug.datastructures import FileStorage

from judge.model import Problem
from judge.packages import Fault, PackageError, approve, tests_folder
from judge.packages.archive import unpack
from judge.packages.loader import find
from judge.web.errors import ApiError
from judge.web.services import Shelf

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def put_on_shelf(
    upload: FileStorage, name: str, shelf: Shelf, scratch: Path
) -> tuple[str, Problem]:
    """The content hash and the problem of an uploaded package of any format.

    The archive holds `problems/NAME` and `data/NAME`, or one folder, or the package itself; `name`
    takes precedence over its own. ApiError 400, with every fault, where it cannot be served.
    """
    with tempfile.TemporaryDirectory(prefix=".upload-", dir=scratch) as new:
        root = Path(new).resolve()
        archive = root / "package.zip"
        upload.save(archive)
        try:
            unpack(archive, root / "whole")
            package = find(root / "whole")
            tests = tests_folder(package)
            wanted = name or _own_name(package, root / "whole", upload.filename or "")
            if not _NAME.fullmatch(wanted):
                raise ApiError(400, f"{wanted!r} cannot be a problem's name: give one as `name`")
            named = root / wanted
            if tests.is_relative_to(package):
                tests = named / tests.relative_to(package)
            package.rename(named)
            problem, _ = approve(named, tests)
            return shelf.put(named, tests, problem)
        except PackageError as error:
            raise _refusal(error, root) from error


def _own_name(package: Path, root: Path, file_name: str) -> str:
    return Path(file_name).stem if package == root else package.name


def _refusal(error: PackageError, root: Path) -> ApiError:
    faults = [
        {"file": _inside(fault, root), "key": fault.key, "reason": fault.reason}
        for fault in error.faults
    ]
    first = faults[0]
    place = ": ".join(part for part in (first["file"], first["key"]) if part)
    return ApiError(400, f"{place}: {first['reason']}", fields={"faults": faults})


def _inside(fault: Fault, root: Path) -> str:
    """Where the fault is in the package; our own folders are nobody's business."""
    if not fault.file.is_relative_to(root):
        return fault.file.name
    parts = [part for part in fault.file.relative_to(root).parts if part != "whole"]
    return "/".join(parts) or "package.zip"
