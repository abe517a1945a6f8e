"""The API is tested on both databases."""

from collections.abc import Iterator

import pytest

from tests.conftest import ROOT, ServedJudge, serve
from tests.service.conftest import Live, live


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, redis_url: str
) -> Iterator[ServedJudge]:
    """A running judge, shared by the tests of a module, on one database after the other."""
    database = ""
    if request.param == "postgresql":
        database = request.getfixturevalue("postgresql").create()
    folder = tmp_path_factory.mktemp("judge")
    with serve(folder, redis_url=redis_url, database_url=database) as judge:
        yield judge


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The whole judge with workers, serving `sum`; shared by all tests."""
    with live(tmp_path_factory.mktemp("judge"), ROOT / "problems" / "sum") as running:
        yield running
