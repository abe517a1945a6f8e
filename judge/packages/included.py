"""The folder `include/`: files that every submission is built and run with."""

from collections.abc import Mapping
from pathlib import Path

from judge.model import DEFAULT, language
from judge.packages.faults import Faults

FOLDER = "include"
_MAKES_WAY = ("c", "cpp", "go")
"""Languages in which a submission may bear another name than its usual one."""


def included(
    package: Path, languages: Mapping[str, str], faults: Faults
) -> dict[str, tuple[Path, ...]]:
    """The files by the id of a language: those for all, and in place of them those of its own.

    `languages` are the names of the folders and the languages that they are for. A repository gets
    what a program in C++ gets.
    """
    found = {DEFAULT: _files(package / FOLDER / DEFAULT, faults)}
    for folder in sorted((package / FOLDER).glob("*")):
        if folder.name == DEFAULT:
            continue
        if folder.name not in languages or not folder.is_dir():
            faults.warn(folder, "", "is not used: it is named after no language of the judge")
            continue
        id_ = languages[folder.name]
        own = _files(folder, faults)
        names = {file.name for file in own}
        found[id_] = (*(file for file in found[DEFAULT] if file.name not in names), *own)
    if "cpp" in found:
        found["git"] = found["cpp"]
    for id_, files in found.items():
        _check_names(id_, files, faults)
    return {id_: files for id_, files in found.items() if files}


def _files(folder: Path, faults: Faults) -> tuple[Path, ...]:
    entries = sorted(folder.glob("*"))
    for entry in entries:
        if entry.is_dir():
            faults.warn(entry, "", "is not used: files alone are included")
    return tuple(entry for entry in entries if entry.is_file())


def _check_names(id_: str, files: tuple[Path, ...], faults: Faults) -> None:
    if id_ in (DEFAULT, "git", *_MAKES_WAY):
        return
    for file in files:
        if file.name == language(id_).source:
            reason = "is the name of the submission itself here: use another one"
            faults.add(file, "", reason)
