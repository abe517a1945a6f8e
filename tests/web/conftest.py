"""The API is tested on both databases."""

from collections.abc import Iterator

import pytest

from tests.conftest import ROOT, ServedJudge
from tests.service.conftest import Live, live


@pytest.fixture(scope="module")
def served(served_on_both: ServedJudge) -> ServedJudge:
    return served_on_both


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The whole judge with workers, serving `sum`; shared by all tests."""
    with live(tmp_path_factory.mktemp("judge"), ROOT / "problems" / "sum") as running:
        yield running
