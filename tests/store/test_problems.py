from dataclasses import replace

import pytest

from judge.model import Problem as Package
from judge.store import Benchmark, Database, Entry, Feedback, NotFound, StoreError, problems


def test_a_new_version_keeps_id_and_cap(db: Database, package: Package) -> None:
    first = problems.put(db, package, "a" * 64, cap=5)

    second = problems.put(db, replace(package, title="A plus B"), "b" * 64)

    assert second.id == first.id
    found = problems.find(db, "sum")
    assert (found.title, found.package, found.languages) == (
        "A plus B",
        "b" * 64,
        ["cpp", "python", "git"],
    )
    entry = problems.entry(db, first.id)
    assert entry is not None
    assert (entry.name, entry.cap, entry.feedback) == ("sum", 5, Feedback.FINAL)


def test_a_cap_can_be_changed_later(db: Database, package: Package) -> None:
    problems.put(db, package, "a" * 64, cap=5)

    problem = problems.put(db, package, "a" * 64, cap=7, feedback=Feedback.NEVER)

    entry = problems.entry(db, problem.id)
    assert entry is not None
    assert (entry.cap, entry.feedback) == (7, Feedback.NEVER)


def test_without_a_cap_there_is_no_entry(db: Database, package: Package) -> None:
    problem = problems.put(db, package, "a" * 64)

    assert problems.entry(db, problem.id) is None


def test_a_benchmarks_cap_is_not_changed_in_passing(db: Database, package: Package) -> None:
    problem = problems.put(db, package, "a" * 64, cap=5)
    with db.write() as session:
        session.add(Benchmark(name="dev", title="Development"))
        session.flush()
        session.get_one(Entry, 1).benchmark_id = 1

    with pytest.raises(StoreError, match="benchmark entry 'sum'"):
        problems.put(db, package, "b" * 64, cap=50)
    assert problems.get(db, problem.id).package == "a" * 64


def test_a_negative_cap_is_refused(db: Database, package: Package) -> None:
    with pytest.raises(StoreError, match="0 or more"):
        problems.put(db, package, "a" * 64, cap=-1)


def test_pages_go_by_id_and_name_the_next(db: Database, package: Package) -> None:
    for number in range(5):
        problems.put(db, replace(package, slug=f"p{number}", title=f"Title {number}"), "a" * 64)

    first = problems.page(db, size=2)
    second = problems.page(db, size=2, cursor=first.next)
    last = problems.page(db, size=2, cursor=second.next)

    assert [[p.id for p in page.problems] for page in (first, second, last)] == [
        [1, 2],
        [3, 4],
        [5],
    ]
    assert (first.next, second.next, last.next) == (3, 5, None)


def test_a_page_holds_what_the_caller_may_see(db: Database, package: Package) -> None:
    for number in range(3):
        named = replace(package, slug=f"p{number}", title=f"Sum_{number} 100%")
        problems.put(db, named, "a" * 64, released=number != 1)

    assert [p.slug for p in problems.page(db).problems] == ["p0", "p2"]
    assert [p.slug for p in problems.page(db, released_only=False).problems] == ["p0", "p1", "p2"]
    assert [p.slug for p in problems.page(db, only=[3]).problems] == ["p2"]
    assert [p.slug for p in problems.page(db, keyword="_2").problems] == ["p2"]
    assert problems.page(db, keyword="%2").problems == ()


def test_what_is_not_there_is_not_found(db: Database) -> None:
    with pytest.raises(NotFound):
        problems.get(db, 1)
    with pytest.raises(NotFound):
        problems.find(db, "sum")


def test_a_problem_keeps_the_id_that_it_has_elsewhere(db: Database, package: Package) -> None:
    assert problems.put(db, package, "a" * 64, number=2510).id == 2510
    assert problems.put(db, package, "b" * 64, number=2510).package == "b" * 64

    after = problems.put(db, replace(package, slug="next"), "a" * 64)
    assert after.id == 2511, "the next one is counted on from there"
    assert problems.put(db, replace(package, slug="before"), "a" * 64, number=7).id == 7
    assert problems.put(db, replace(package, slug="last"), "a" * 64).id == 2512


@pytest.mark.parametrize(
    ("slug", "number", "reason"),
    [
        ("other", 2510, "problem 2510 is 'sum' already"),
        ("sum", 2511, "'sum' is problem 2510 already"),
        ("other", 0, "from 1 to 2147483647, not 0"),
        ("other", 2**31, "from 1 to 2147483647, not 2147483648"),
    ],
)
def test_an_id_that_cannot_be_given_is_refused(
    db: Database, package: Package, slug: str, number: int, reason: str
) -> None:
    problems.put(db, package, "a" * 64, number=2510)

    with pytest.raises(StoreError, match=reason):
        problems.put(db, replace(package, slug=slug), "b" * 64, number=number)
    assert [(one.id, one.package) for one in problems.all_problems(db)] == [(2510, "a" * 64)]
