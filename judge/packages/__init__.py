"""Folders to `Problem`: one module per format. Nothing after it knows formats."""

from judge.packages.checks import approve, check
from judge.packages.content import content_hash
from judge.packages.faults import Fault, PackageError
from judge.packages.loader import load, solutions, tests_folder
from judge.packages.solution import Expectation, Points, Solution

__all__ = [
    "Expectation",
    "Fault",
    "PackageError",
    "Points",
    "Solution",
    "approve",
    "check",
    "content_hash",
    "load",
    "solutions",
    "tests_folder",
]
