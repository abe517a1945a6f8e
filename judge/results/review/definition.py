"""What a review asks: rules that a machine checks and criteria that somebody rates.

Read from TOML (docs/results.md), or from the public benchmark's `cr_list.json`. A rule of unknown
shape is an error, never a pass.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from judge.results.errors import ResultsError

Words = Annotated[tuple[str, ...], Field(min_length=1)]
Name = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ignored(_Strict):
    """`.gitignore` must cover these paths: "build/", "*.o", "code"."""

    kind: Literal["ignored"] = "ignored"
    name: Name
    paths: Words


class NoIgnoredFiles(_Strict):
    """No file may be committed that `.gitignore` ignores."""

    kind: Literal["no_ignored_files"] = "no_ignored_files"
    name: Name


class ForbiddenPaths(_Strict):
    """No committed file may match; the patterns are those of `.gitignore`."""

    kind: Literal["forbidden_paths"] = "forbidden_paths"
    name: Name
    patterns: Words


class ForbiddenPattern(_Strict):
    """No line of these files may match. `files` are patterns as in `.gitignore`, none: all files;
    comments do not count unless `comments` is set. A search that takes more than `seconds` is
    ended, and is a finding."""

    kind: Literal["forbidden_pattern"] = "forbidden_pattern"
    name: Name
    pattern: Name
    files: tuple[str, ...] = ()
    literal: bool = False
    ignore_case: bool = False
    comments: bool = False
    seconds: Annotated[float, Field(gt=0)] = 60

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        self.expression()
        return self

    def expression(self) -> re.Pattern[str]:
        """The pattern to search for in each line."""
        flags = re.IGNORECASE if self.ignore_case else re.NOFLAG
        try:
            return re.compile(re.escape(self.pattern) if self.literal else self.pattern, flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"the pattern is not a regular expression: {error}") from error


class AllowedHeaders(_Strict):
    """These C++ files, and what they include of the repository, may include no other headers.

    Headers that the same file has in the folder `reference` are allowed too.
    """

    kind: Literal["allowed_headers"] = "allowed_headers"
    name: Name
    files: Words
    allowed: tuple[str, ...]
    include_dirs: tuple[str, ...] = (".",)
    reference: Path | None = None


class ForbiddenConstructs(_Strict):
    """These C++ files may not use the names, after macros are expanded: "std::vector", "malloc"."""

    kind: Literal["forbidden_constructs"] = "forbidden_constructs"
    name: Name
    files: Words
    names: Words
    include_dirs: tuple[str, ...] = (".",)


class RequiredFiles(_Strict):
    """These files must be committed."""

    kind: Literal["required_files"] = "required_files"
    name: Name
    files: Words


class UnchangedFiles(_Strict):
    """These files must be byte for byte those of the folder `reference`."""

    kind: Literal["unchanged_files"] = "unchanged_files"
    name: Name
    files: Words
    reference: Path


class CMakeTarget(_Strict):
    """CMake must make an executable of this name."""

    kind: Literal["cmake_target"] = "cmake_target"
    name: Name
    target: Name = "code"
    folder: str = "."


class MinimumCommits(_Strict):
    """The history must have so many commits."""

    kind: Literal["minimum_commits"] = "minimum_commits"
    name: Name
    commits: Annotated[int, Field(ge=1)]


Rule = Annotated[
    Ignored
    | NoIgnoredFiles
    | ForbiddenPaths
    | ForbiddenPattern
    | AllowedHeaders
    | ForbiddenConstructs
    | RequiredFiles
    | UnchangedFiles
    | CMakeTarget
    | MinimumCommits,
    Field(discriminator="kind"),
]


class Criterion(_Strict):
    """Something that a model or a person rates from 0 to 10."""

    name: Name
    description: str = ""


class Definition(_Strict):
    """The rules and criteria of one problem's review."""

    rules: tuple[Rule, ...] = ()
    criteria: tuple[Criterion, ...] = ()

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        names = [one.name for one in (*self.rules, *self.criteria)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"the name {twice[0]!r} stands there twice")
        if not names:
            raise ValueError("there is neither a rule nor a criterion in it")
        return self


class DefinitionError(ResultsError):
    """A definition that cannot be used: which file, where in it, and why."""

    def __init__(self, file: Path, place: str, reason: str) -> None:
        super().__init__(f"{file}: {place}: {reason}" if place else f"{file}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason


def load_definition(path: Path) -> Definition:
    """Reads a `.toml` file, or a `cr_list.json`. DefinitionError."""
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise DefinitionError(path, "", f"cannot be read: {error}") from error
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise DefinitionError(path, "", f"not {path.suffix[1:].upper()}: {error}") from error
    if isinstance(data, list):
        data = _from_list(path, data)
    elif isinstance(data, dict):
        data = {_PLURAL.get(key, key): value for key, value in data.items()}
    try:
        definition = Definition.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DefinitionError(path, place, first["msg"].removeprefix("Value error, ")) from error
    return _with_references(path, definition)


_PLURAL = {"rule": "rules", "criterion": "criteria"}


def _with_references(path: Path, definition: Definition) -> Definition:
    """Folders of reference are relative to the definition, and must be there."""
    rules = []
    for rule in definition.rules:
        reference = getattr(rule, "reference", None)
        if reference is None:
            rules.append(rule)
            continue
        folder = path.parent / reference
        if not folder.is_dir():
            raise DefinitionError(path, rule.name, f"there is no folder {folder}")
        rules.append(rule.model_copy(update={"reference": folder}))
    return definition.model_copy(update={"rules": tuple(rules)})


def _from_list(path: Path, items: list[Any]) -> dict[str, Any]:
    """The public benchmark's list: the kind of a rule shows in its arguments alone."""
    rules, criteria = [], []
    for number, item in enumerate(items, 1):
        place = f"item {number}"
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise DefinitionError(path, place, "it has no name")
        name = item["name"]
        if str(item.get("script", "")).startswith("llm_as_a_judge"):
            criteria.append({"name": name, "description": str(item.get("description", ""))})
            continue
        arguments = item.get("args")
        if not isinstance(arguments, dict):
            raise DefinitionError(path, place, f"{name}: it has no args, so nothing to check")
        rules.append({"name": name} | _rule_of(path, place, arguments))
    return {"rules": rules, "criteria": criteria}


def _rule_of(path: Path, place: str, arguments: dict[str, Any]) -> dict[str, Any]:
    given = {key: value for key, value in arguments.items() if key != "diffs_dir"}
    match given:
        case {"entries": entries, **rest} if not rest:
            return {"kind": "ignored", "paths": entries}
        case {"pattern": pattern, **rest} if rest.keys() <= {
            "paths",
            "include_suffixes",
            "case_sensitive",
            "strip_comments",
        }:
            return {
                "kind": "forbidden_pattern",
                "pattern": pattern,
                "literal": True,
                "files": [f"/{file}" for file in rest.get("paths", ())]
                or [f"*{suffix}" for suffix in rest.get("include_suffixes") or ()],
                "ignore_case": not rest.get("case_sensitive", True),
                "comments": not rest.get("strip_comments", False),
            }
        case {"files": files, "allowed": allowed, **rest} if rest.keys() <= {"reference_root"}:
            rule = {"kind": "allowed_headers", "files": files, "allowed": allowed}
            reference = rest.get("reference_root")
            return rule | ({"reference": reference} if reference else {})
        case {"files": files, "reference_root": reference, **rest} if not rest:
            return {"kind": "unchanged_files", "files": files, "reference": reference}
        case {"files": files, **rest} if not rest:
            return {"kind": "required_files", "files": files}
        case {"path": file, **rest} if not rest:
            return {"kind": "cmake_target", "folder": str(Path(file).parent)}
    words = ", ".join(sorted(arguments)) or "nothing"
    raise DefinitionError(path, place, f"a rule with {words} is not known, so it is not checked")
