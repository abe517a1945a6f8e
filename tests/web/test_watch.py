"""Who waits is told at once by the chimes, and soon without them."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from judge.store import judgings
from judge.store.progress import Progress
from judge.web.watch import Changes, Watch
from judge.work import Chimes
from judge.work.chimes import Ear
from tests.conftest import ServedJudge

PATIENCE_S = 30
NEVER_S = 3600


def submission(served: ServedJudge) -> int:
    return served.caller().submit(served.problem())


@contextmanager
def watched_by_chimes_alone(served: ServedJudge) -> Iterator[tuple[Watch, Chimes]]:
    with closing(Chimes(served.settings.redis)) as chimes:
        try:
            yield Watch(served.db, chimes, step_seconds=NEVER_S, linger_seconds=0), chimes
        finally:
            chimes.strike(1)  # its loop ends, as nobody waits
            join_watching()


def join_watching() -> None:
    for thread in threading.enumerate():
        if thread.name == "watch":
            thread.join(PATIENCE_S)


def status(changes: Changes) -> str:
    found = changes.next(PATIENCE_S)
    assert found is not None
    return found.status


def strike_until_told(chimes: Chimes, number: int, changes: Changes) -> Progress:
    """Again and again, as the watch may not listen yet."""
    for _ in range(int(PATIENCE_S / 0.05)):
        chimes.strike(number)
        if found := changes.next(0.05):
            return found
    pytest.fail("the chime was not heard")


def test_a_chime_is_enough(served: ServedJudge) -> None:
    number = submission(served)
    with watched_by_chimes_alone(served) as (watch, chimes), watch.changes(number) as changes:
        assert status(changes) == "pending"
        judgings.abort(served.db, number, None)
        assert strike_until_told(chimes, number, changes).status == "aborted"


def test_a_chime_for_another_is_none(served: ServedJudge) -> None:
    number, other, first = (submission(served) for _ in range(3))
    with (
        watched_by_chimes_alone(served) as (watch, chimes),
        watch.changes(number) as changes,
        watch.changes(other) as others,
        watch.changes(first) as firsts,
    ):
        for each in (changes, others, firsts):
            assert status(each) == "pending"
        # Who begins to watch looks for all once: only then is there nothing left but the chimes.
        judgings.abort(served.db, first, None)
        assert strike_until_told(chimes, first, firsts).status == "aborted"
        judgings.abort(served.db, number, None)
        judgings.abort(served.db, other, None)
        assert strike_until_told(chimes, other, others).status == "aborted"
        assert changes.next(0) is None


@pytest.mark.parametrize("step_seconds", [0.01, NEVER_S])
def test_without_chimes_it_looks_by_itself(
    served: ServedJudge, tmp_path: Path, step_seconds: float
) -> None:
    number = submission(served)
    with closing(Chimes(f"unix://{tmp_path}/nothing.sock")) as silent:
        watch = Watch(served.db, silent, step_seconds=step_seconds)
        with watch.changes(number) as changes:
            assert status(changes) == "pending"
            judgings.abort(served.db, number, None)
            assert status(changes) == "aborted"


def test_who_comes_is_told_how_things_stand(served: ServedJudge) -> None:
    number = submission(served)
    judgings.abort(served.db, number, None)
    with watched_by_chimes_alone(served) as (watch, _):
        for _ in range(2):
            with watch.changes(number) as changes:
                assert status(changes) == "aborted"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_that_died_is_begun_anew(served: ServedJudge) -> None:
    number = submission(served)

    class DeadOnce(Chimes):
        deaths = 0

        def listen(self) -> Ear:
            self.deaths += 1
            if self.deaths == 1:
                raise ValueError("I/O operation on closed file.")
            return super().listen()

    with closing(DeadOnce(served.settings.redis)) as chimes:
        watch = Watch(served.db, chimes, step_seconds=0.01, linger_seconds=0)
        with watch.changes(number) as changes:
            assert status(changes) == "pending"
            join_watching()
        with watch.changes(number) as changes:
            assert status(changes) == "pending"
            judgings.abort(served.db, number, None)
            assert status(changes) == "aborted"
        join_watching()
