"""What an installation of each kind brings is enough for its programs."""

import re
import subprocess
import sys

import pytest

from tests.service.conftest import ROOT

TOLD = """
import importlib, sys
from importlib.metadata import packages_distributions
for name in sys.argv[1:]:
    importlib.import_module(name)
known = packages_distributions()
for name, module in sys.modules.items():
    is_namespace = name == "backports" or not getattr(module, "__file__", None)
    if "." not in name and not is_namespace:
        print(*known.get(name, []))
"""


def locked(kind: str) -> set[str]:
    text = (ROOT / "requirements" / f"{kind}.lock").read_text()
    return {normal(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("kind", "programs"),
    [
        ("client", ["client.cli"]),
        ("server", ["judge.cli.server", "judge.cli.worker", "judge.cli.up", "judge.cli.backup"]),
        ("results", ["judge.cli.score", "judge.cli.report", "judge.cli.export"]),
    ],
)
def test_a_program_loads_nothing_that_its_lock_lacks(kind: str, programs: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOLD, *programs],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )

    loaded = {normal(name) for name in done.stdout.split()}
    assert loaded - locked(kind) - {"adjudge", "setuptools", "pip"} == set()
