from contextlib import ExitStack, closing
from pathlib import Path

from judge.work import Chimes
from tests.conftest import redis_at
from tests.work.conftest import wait_until

PATIENCE_S = 30


def test_what_is_struck_is_heard_by_all_who_listen(redis_url: str) -> None:
    with (
        closing(Chimes(redis_url)) as here,
        closing(Chimes(redis_url)) as there,
        here.listen() as one,
        there.listen() as another,
    ):
        here.strike(7)

        assert one.hear(PATIENCE_S) == {7}
        assert another.hear(PATIENCE_S) == {7}


def test_nothing_is_heard_where_nothing_is_struck(redis_url: str) -> None:
    with closing(Chimes(redis_url)) as chimes:
        chimes.strike(7)
        with chimes.listen() as ear:
            assert ear.hear(0.05) == set()


def test_who_listens_is_told_that_redis_was_away_and_hears_again(tmp_path: Path) -> None:
    socket = tmp_path / "redis.sock"
    with ExitStack() as stack:
        chimes = stack.enter_context(closing(Chimes(f"unix://{socket}")))
        with redis_at(socket):
            ear = stack.enter_context(chimes.listen())
            chimes.strike(7)
            assert ear.hear(PATIENCE_S) == {7}

        chimes.strike(8)  # nobody can be told, and that is no error
        assert [ear.hear(PATIENCE_S), ear.hear(PATIENCE_S)] == [None, None]

        with redis_at(socket):
            wait_until(lambda: ear.hear(0.05) is not None)
            chimes.strike(9)
            assert ear.hear(PATIENCE_S) == {9}
