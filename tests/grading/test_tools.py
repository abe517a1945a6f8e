"""Programs of the problem's own that are more than one file: how they are built and started."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading import Slot, refused_inputs
from judge.model import Problem

Files = Mapping[str, str]
Make = Callable[..., Problem]

YES_C = "int limit(void);\nint main(void) { return limit() == 9 ? 42 : 43; }\n"
BUILD = """#!/bin/sh
set -e
cc -o run main.c part/limit.c
chmod u=rwx run
"""


def reasons(make: Make, slot: Slot, keys: str, files: Files) -> list[str]:
    """What the input validator in `judge/` says of the one input, where it refuses it."""
    definition = f'[[validate]]\nprotocol = "icpc"\n{keys}\n'
    files = {f"judge/{name}": text for name, text in files.items()}
    problem = make(definition, files=files)
    return [entry.reason for entry in refused_inputs(problem, slot)]


@pytest.mark.parametrize(
    ("keys", "files"),
    [
        (
            'program = "a.c"\nsources = ["b.c"]',
            {"a.c": YES_C, "b.c": "int limit(void) { return 9; }\n"},
        ),
        (
            'program = "build"\nscript = true',
            {"build": BUILD, "main.c": YES_C, "part/limit.c": "int limit(void) { return 9; }\n"},
        ),
        (
            'program = "build"\nscript = true',
            {"build": "printf '#!/bin/sh\\nexit 42\\n' > run; chmod +x run\n"},
        ),
        (
            'program = "run"\nscript = true',
            {"run": '#!/bin/sh\nexec python3 "$(dirname "$0")/x.py"\n', "x.py": "exit(42)"},
        ),
        (
            'program = "run"\nscript = true',
            {"run": "#!/bin/sh\nexec python3 lib/x.py\n", "lib/x.py": "exit(42)"},
        ),
    ],
    ids=["two sources", "a build", "a build without a shell", "a run", "a run in its folder"],
)
def test_it_takes_the_input(make: Make, slot: Slot, keys: str, files: Files) -> None:
    assert reasons(make, slot, keys, files) == []


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"build": "echo no luck >&2; exit 3\n"}, "judge/build fails: no luck"),
        ({"build": "true\n"}, "judge/build leaves no file run that can"),
        ({"build": "ln -s /bin/true run\n"}, "judge/build leaves no file run that can"),
        ({"build": "mkfifo pipe; touch run\n"}, "judge/build leaves what is neither file nor"),
        ({"build": "#!/no/such/shell\n"}, "judge/build fails: "),
        ({"build": "touch run\n"}, "judge/build leaves no file run that can"),
    ],
)
def test_a_build_that_does_not_do_its_part(
    make: Make, slot: Slot, files: Files, reason: str
) -> None:
    (found,) = reasons(make, slot, 'program = "build"\nscript = true', files)
    assert found.startswith(reason)


def test_constants_are_filled_into_its_files_and_what_they_include(
    make: Make, slot: Slot, tmp_path: Path
) -> None:
    source = '#include "limit.h"\nint main() { return LIMIT == {{limit}} ? 42 : {{other}}; }\n'
    source = source.replace("{{other}}", "1")
    files = {"judge/in.cpp": source, "judge/limit.h": "#define LIMIT {{limit}}\n"}
    problem = make('[[validate]]\nprogram = "in.cpp"\nprotocol = "icpc"\n', files=files)
    assert list(refused_inputs(replace(problem, constants={"limit": "9"}), slot)) == []
    (refused,) = refused_inputs(problem, slot)
    assert "does not compile" in refused.reason, "without constants they stay as they are"
    assert "{{limit}}" in (tmp_path / "problems/made/judge/in.cpp").read_text()
