"""A small sound package, written anew for each test that wants to spoil it."""

from pathlib import Path

import pytest

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
