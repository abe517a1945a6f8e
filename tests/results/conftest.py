"""What tests of results share: rows are short to write, and ProjDevBench's registry is at hand."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.model import Verdict
from judge.results.rows import Participant, Row

REGISTRY = Path(__file__).parents[3] / "shared/projdevbench/registry.json"


@pytest.fixture
def projdevbench() -> Path:
    """The registry of the public benchmark; its data is never part of the project."""
    if not REGISTRY.exists():
        message = f"{REGISTRY} is absent: the public benchmark's registry lies beside the checkout"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return REGISTRY


@pytest.fixture
def row() -> Callable[..., Row]:
    """`row(17, 2510, 80)`: a submission's id, its problem of the judge, its raw score."""

    def make(
        submission: int,
        judge_id: int,
        score: float,
        verdict: Verdict = Verdict.WRONG_ANSWER,
        *,
        problem: str = "001",
        who: Participant = Participant("codex", "gpt"),  # noqa: B008  (frozen)
    ) -> Row:
        return Row(who, problem, judge_id, submission, verdict, score)

    return make
