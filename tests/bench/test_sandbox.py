"""`script/bench sandbox` fails where a budget is missed."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "sandbox.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_sandbox", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("value", "budget", "code"),
    [(1.5, 1.5, 0), (1.51, 1.5, 1), (9, None, 0), (None, 1.5, 0)],
)
def test_a_missed_budget_is_shown_and_fails(
    bench: ModuleType, value: float | None, budget: float | None, code: int
) -> None:
    row = bench.Row("what", "1 ms", value=value, budget=budget)

    assert bench.exit_code([bench.Row("another", "1 ms"), row]) == code
    assert ("MISSED" in row.cells()) is bool(code)


def test_less_than_before_is_no_leak(bench: ModuleType) -> None:
    before = {"KiB of memory": 9000, "descriptors": 40, "processes": 3}

    fewer = bench.left("runs", before, {"KiB of memory": 8000, "descriptors": 20, "processes": 2})
    more = bench.left("runs", before, {"KiB of memory": 9400, "descriptors": 41, "processes": 2})

    assert (fewer.missed, more.missed) == (False, True)
    assert more.figure == "+400 KiB of memory, +1 descriptors, -1 processes"
