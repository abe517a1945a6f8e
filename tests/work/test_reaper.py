from datetime import timedelta

from judge.store import Judging, judgings
from judge.work.reaper import reap
from tests.work.conftest import Workplace


def age(place: Workplace, judging: Judging, **moments: int) -> None:
    """Move moments of a judging back by that many seconds."""
    with place.db.write() as session:
        row = session.get_one(Judging, judging.id)
        for name, seconds in moments.items():
            setattr(row, name, getattr(row, name) - timedelta(seconds=seconds))


def test_what_redis_lost_is_rung_for_again(place: Workplace) -> None:
    judging = [place.admit()[1] for _ in range(3)]
    for one in judging:
        place.bell.ring(one)
        age(place, one, created_at=60)
    place.bell.redis.flushall()

    assert reap(place.db, place.bell) == [one.id for one in judging]
    assert place.bell.queued() == {one.id for one in judging}
    assert reap(place.db, place.bell) == []


def test_what_was_admitted_just_now_is_on_its_way(place: Workplace) -> None:
    place.admit()

    assert reap(place.db, place.bell) == []


def test_the_work_of_a_dead_worker_is_rung_for(place: Workplace) -> None:
    _, judging = place.admit()
    age(place, judging, created_at=60)
    assert judgings.claim(place.db, judging.id, "dead") is not None
    assert reap(place.db, place.bell) == []

    age(place, judging, lease_expires=60)

    assert reap(place.db, place.bell) == [judging.id]


def test_what_is_final_is_left_alone(place: Workplace) -> None:
    submission, judging = place.admit()
    age(place, judging, created_at=60)
    judgings.abort(place.db, submission.id, place.user)

    assert reap(place.db, place.bell) == []
