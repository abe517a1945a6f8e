"""The executables that CMake would make, asked of its file API (cmake-file-api(7))."""

import json
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judge.results.review.desk import Desk, ReviewFailed

_BUILD = ".adjudge-review/cmake"
_REPLY = f"{_BUILD}/.cmake/api/v1/reply"
_QUERY = f"""
rm -rf {_BUILD}
mkdir -p {_BUILD}/.cmake/api/v1/query
: > {_BUILD}/.cmake/api/v1/query/codemodel-v2
exec cmake -S "$1" -B {_BUILD}
"""


@dataclass(frozen=True, slots=True)
class Executable:
    """A target, and where it is added (None where CMake does not say)."""

    name: str
    file: str | None
    line: int | None


def executables(desk: Desk, folder: str = ".") -> list[Executable] | str:
    """The executables by name, or what CMake says where it refuses the project."""
    answer = desk.ask("sh", "-euc", _QUERY, "sh", folder)
    if answer.code != 0:
        return _first_lines(answer.err)
    listed = desk.ask("ls", _REPLY)
    try:
        return sorted(_read(desk, folder, listed.out.decode().split()), key=lambda one: one.name)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ReviewFailed("the reply of CMake's file API cannot be read") from error


def _read(desk: Desk, folder: str, names: list[str]) -> Iterator[Executable]:
    index = max(name for name in names if name.startswith("index-"))
    objects = _load(desk, index)["objects"]
    model = next(one["jsonFile"] for one in objects if one["kind"] == "codemodel")
    configuration = _load(desk, model)["configurations"][0]
    for target in configuration["targets"]:
        details = _load(desk, target["jsonFile"])
        if details["type"] != "EXECUTABLE":
            continue
        file, line = _added_at(details)
        place = None if file is None else posixpath.normpath(posixpath.join(folder, file))
        yield Executable(str(details["name"]), place, line)


def _added_at(details: dict[str, Any]) -> tuple[str | None, int | None]:
    graph = details.get("backtraceGraph", {})
    node = graph["nodes"][details["backtrace"]] if "backtrace" in details else None
    if node is None:
        return None, None
    return graph["files"][node["file"]], node.get("line")


def _load(desk: Desk, name: str) -> dict[str, Any]:
    content = desk.read(f"{_REPLY}/{name}")
    if "/" in name or content is None:
        raise ValueError(name)
    data = json.loads(content)
    if not isinstance(data, dict):
        raise TypeError(name)
    return data


def _first_lines(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return " ".join(lines[:3])[:300] or "it does not say why"
