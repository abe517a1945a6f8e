from dataclasses import replace

import pytest

from judge.model import Problem as Package
from judge.model import Verdict
from judge.store import (
    CapReached,
    Database,
    NotFound,
    Problem,
    QueueFull,
    Refused,
    Worker,
    judgings,
    problems,
    submissions,
    users,
    workers,
)
from tests.store.conftest import Desk, MakeOutcome


def test_an_admitted_submission_waits(desk: Desk) -> None:
    submission, judging = desk.admit(b"print(1)\xff\0")

    view = desk.view(submission)
    assert view.submission.status == "pending"
    assert (view.user.name, view.problem.slug, view.judging.id) == ("mina", "sum", judging.id)
    assert (view.judging.generation, view.judging.attempt, view.judging.package) == (1, 0, "a" * 64)
    assert view.entry is not None
    assert view.entry.cap == 5
    assert submissions.text(desk.db, submission.id) == b"print(1)\xff\0"
    assert judgings.waiting(desk.db) == [judging]


def test_a_commit_is_pinned(desk: Desk) -> None:
    source = submissions.Commit("mina/sum.git", "f" * 40, "http://judge/git/mina/sum.git")

    submission, _ = submissions.admit(desk.db, desk.user, desk.problem, "git", source)

    found = desk.view(submission).submission
    assert (found.repository, found.commit) == ("mina/sum.git", "f" * 40)
    assert found.url == "http://judge/git/mina/sum.git"
    assert submissions.text(desk.db, submission.id) is None


def test_the_largest_source_is_taken_and_one_byte_more_is_not(desk: Desk) -> None:
    desk.admit(b"x" * 1000)

    with pytest.raises(Refused, match="has 1001 bytes; problem 1 takes at most 1000"):
        desk.admit(b"x" * 1001)


def test_a_language_that_is_not_offered_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="does not take the language 'rust'; it takes: cpp, python"):
        submissions.admit(desk.db, desk.user, desk.problem, "rust", submissions.Text(b""))


def test_a_repository_must_be_one(desk: Desk) -> None:
    with pytest.raises(Refused, match="git takes a repository"):
        submissions.admit(desk.db, desk.user, desk.problem, "git", submissions.Text(b""))
    assert desk.used() == 0


def test_the_cap_says_what_is_used(desk: Desk) -> None:
    for _ in range(5):
        desk.admit()

    with pytest.raises(CapReached, match="5 of 5 submissions to 'sum' used, 0 left") as refusal:
        desk.admit()
    assert (refusal.value.cap, refusal.value.used) == (5, 5)


def test_caps_are_of_a_user_and_an_entry(desk: Desk, package: Package) -> None:
    for _ in range(5):
        desk.admit()
    other = users.add(desk.db, "olga")
    free = problems.put(desk.db, replace(package, slug="free"), "b" * 64)

    submissions.admit(desk.db, other, desk.problem, "python", submissions.Text(b""))
    submissions.admit(desk.db, desk.user, free, "python", submissions.Text(b""))


def test_a_key_sent_again_answers_with_the_same_submission(desk: Desk) -> None:
    first = desk.admit(key="k1")

    assert desk.admit(key="k1") == first
    assert desk.admit(key="k2")[0].id != first[0].id
    assert desk.used() == 2


def test_a_key_is_of_its_user_and_its_problem(desk: Desk, package: Package) -> None:
    desk.admit(key="k1")
    other = users.add(desk.db, "olga")
    free = problems.put(desk.db, replace(package, slug="free"), "b" * 64)

    theirs, _ = submissions.admit(
        desk.db, other, desk.problem, "python", submissions.Text(b""), idempotency_key="k1"
    )
    assert theirs.user_id == other.id
    with pytest.raises(Refused, match="used for submission 1"):
        submissions.admit(
            desk.db, desk.user, free, "python", submissions.Text(b""), idempotency_key="k1"
        )


def test_a_key_is_of_its_code(desk: Desk) -> None:
    desk.admit(b"print(3)", key="k1")

    with pytest.raises(Refused, match="used for submission 1 of other code"):
        desk.admit(b"print(4)", key="k1")
    assert desk.used() == 1


def test_a_key_of_a_repository_outlives_a_push(desk: Desk) -> None:
    """A client that repeats a lost request means the commit of the first time."""

    def admit(url: str, commit: str) -> int:
        source = submissions.Commit("mina/answer.git", commit, url)
        admitted = submissions.admit(
            desk.db, desk.user, desk.problem, "git", source, idempotency_key="k1"
        )
        return admitted[0].id

    first = admit("/git/mina/answer.git", "a" * 40)

    assert admit("/git/mina/answer.git", "b" * 40) == first
    with pytest.raises(Refused, match="of other code"):
        admit("/git/mina/other.git", "b" * 40)
    with pytest.raises(Refused, match="of other code"):
        desk.admit(key="k1")


def test_a_full_queue_refuses_and_spends_nothing(desk: Desk) -> None:
    desk.admit(queue_limit=2)
    _, second = desk.admit(queue_limit=2)

    with pytest.raises(QueueFull) as refusal:
        desk.admit(queue_limit=2)
    assert refusal.value.waiting == 2
    assert refusal.value.retry_after > 0
    assert desk.used() == 2

    judgings.abort(desk.db, second.submission_id, desk.user)
    desk.admit(queue_limit=2)


def test_the_package_of_the_moment_is_pinned(desk: Desk, package: Package) -> None:
    stale: Problem = desk.problem
    problems.put(desk.db, package, "b" * 64)

    _, judging = submissions.admit(desk.db, desk.user, stale, "python", submissions.Text(b""))

    assert judging.package == "b" * 64


def test_pages_begin_with_the_newest(desk: Desk) -> None:
    ids = [desk.admit()[0].id for _ in range(5)]

    first = submissions.page(desk.db, size=2)
    second = submissions.page(desk.db, size=2, cursor=first.next)

    assert [view.submission.id for view in first.views] == [ids[4], ids[3]]
    assert [view.submission.id for view in second.views] == [ids[2], ids[1]]
    assert second.next == ids[0]
    assert submissions.page(desk.db, size=2, cursor=ids[0]).next is None


def test_filters_narrow_a_page(desk: Desk, outcome: MakeOutcome) -> None:
    olga = users.add(desk.db, "olga")
    mine, judging = desk.admit()
    theirs, _ = submissions.admit(desk.db, olga, desk.problem, "cpp", submissions.Text(b""))
    judgings.finish(desk.db, desk.claim(judging), outcome(Verdict.WRONG_ANSWER))

    def found(**filters: object) -> list[int]:
        return [view.submission.id for view in submissions.page(desk.db, **filters).views]  # type: ignore[arg-type]

    assert found() == [theirs.id, mine.id]
    assert found(username="OLGA") == found(language="cpp") == found(user_id=olga.id) == [theirs.id]
    assert found(status="wrong_answer") == [mine.id]
    assert found(username="", status="", language="") == [theirs.id, mine.id]
    assert found(problem_id=desk.problem.id, problems_only=[desk.problem.id]) == [
        theirs.id,
        mine.id,
    ]
    for nothing in (
        {"username": "nobody\0"},
        {"status": "nonsense"},
        {"language": "\ud800"},
        {"problem_id": 99},
        {"problems_only": []},
    ):
        assert found(**nothing) == []


def test_an_unknown_submission_is_not_found(db: Database) -> None:
    with pytest.raises(NotFound, match="no submission 7"):
        submissions.get(db, 7)
    with pytest.raises(NotFound):
        judgings.abort(db, 7, users.add(db, "mina"))


def worker(name: str, *languages: str, group: str = "") -> Worker:
    return Worker(
        name=name,
        host="box",
        groups=[group],
        languages=list(languages),
        version="1",
        hardware="2 cores",
        load=0.5,
        memory_free_bytes=1,
    )


def test_a_language_that_no_worker_offers_is_refused(desk: Desk) -> None:
    desk.admit()
    workers.report(desk.db, worker("elsewhere", "rust", group="other"))
    desk.admit()
    workers.report(desk.db, worker("one", "cpp", "java"))
    workers.report(desk.db, worker("two", "cpp"))

    with pytest.raises(Refused, match=r"no worker .* offers the language 'python'.*there are: cpp"):
        desk.admit()

    workers.report(desk.db, worker("two", "python"))
    desk.admit()
