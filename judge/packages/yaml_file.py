"""Reads YAML files."""

from pathlib import Path

import yaml  # type: ignore[import-untyped]

from judge.model import Constants, filled
from judge.packages.faults import Fault, PackageError


def read_yaml(file: Path, constants: Constants | None = None) -> dict[str, object]:
    """A YAML file that holds a table, with constants in place; an empty one is an empty table.
    PackageError."""
    try:
        table = yaml.safe_load(filled(file.read_bytes(), constants or {}))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise PackageError(Fault(file, "", f"is not YAML: {reason}")) from error
    if table is None:
        return {}
    if not isinstance(table, dict) or not all(isinstance(key, str) for key in table):
        raise PackageError(Fault(file, "", "must be a table of names and values"))
    return table
