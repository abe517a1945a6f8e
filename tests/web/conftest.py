"""The API is tested on both databases."""

from collections.abc import Iterator

import pytest

from tests.conftest import ServedJudge, serve


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
