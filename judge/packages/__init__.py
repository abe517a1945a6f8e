"""Folders to `Problem`: one module per format. Nothing after it knows formats."""

from judge.packages.content import content_hash
from judge.packages.faults import Fault, PackageError
from judge.packages.loader import load, tests_folder

__all__ = ["Fault", "PackageError", "content_hash", "load", "tests_folder"]
