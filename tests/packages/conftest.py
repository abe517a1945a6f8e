"""A small sound package, written anew for each test that wants to spoil it; and an ICPC one."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.model import Problem
from judge.packages import load

DEFINITION = """
title = "Echo"

[[group]]
points = 100
tests = ["1..2"]
"""

STATEMENT = """# Echo

Print what you read.

## Example

Input

```
7
```

Output

```
7
```
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """problems/echo with two tests in data/echo."""
    package, tests = tmp_path / "problems" / "echo", tmp_path / "data" / "echo"
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    (package / "problem.toml").write_text(DEFINITION)
    (package / "statement.md").write_text(STATEMENT)
    for id_ in ("1", "2"):
        (tests / f"{id_}.in").write_text(f"{id_}\n")
        (tests / f"{id_}.ans").write_text(f"{id_}\n")
    return package


Pack = Callable[[Mapping[str, str]], Path]

ICPC_DATA = {
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "1\n",
    "data/secret/a.in": "2\n",
    "data/secret/a.ans": "2\n",
    "data/secret/b.in": "3\n",
    "data/secret/b.ans": "3\n",
}
VALIDATOR = {"output_validators/validate/validate.py": "", "output_validators/validate/help.py": ""}


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Writes an ICPC package of those files, with one sample and two secret tests."""

    def pack(files: Mapping[str, str]) -> Path:
        for name, content in {**ICPC_DATA, **files}.items():
            (tmp_path / "hello" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "hello" / name).write_text(content)
        return tmp_path / "hello"

    return pack


def loaded(pack: Pack, definition: str, files: Mapping[str, str] | None = None) -> Problem:
    """The problem of an ICPC package with that problem.yaml."""
    return load(pack({"problem.yaml": definition, **(files or {})}))
