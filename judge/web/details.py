"""The `details` of a submission: its groups and tests, finished or still under way."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from judge.model import Group, State, Verdict
from judge.store import GroupRow, Judging, TestRow, results
from judge.store.submissions import View
from judge.web.services import Services

Json = dict[str, Any]

NS_PER_MS = 1_000_000
BEFORE_TESTS = frozenset({State.PENDING, State.COMPILING})


class Figures(Protocol):
    """What a judging and a test both measure; None where nothing ran."""

    cpu_ns: int | None
    wall_ns: int | None
    memory_bytes: int | None
    disk_bytes: int | None
    files: int | None


def milliseconds(ns: int) -> int:
    """To the nearest one."""
    return (ns + NS_PER_MS // 2) // NS_PER_MS


def of(view: View, services: Services, *, for_judges: bool = False) -> Json | None:
    """The details of the judging that counts; None before its tests, and of what is void.

    What validators tell the judges is in them where they are `for_judges`.
    """
    judging = view.judging
    if view.submission.status == Verdict.VOID or judging.state in BEFORE_TESTS:
        return None
    tests, groups = results.of(services.db, judging.id)
    if judging.state is State.FINISHED and judging.verdict is not Verdict.ABORTED:
        return finished(judging, tests, groups, for_judges=for_judges)
    # Groups are only written when all has ended: until then the package knows them.
    plan = services.shelf.get(judging.package).groups
    return unfinished(judging, tests, plan, for_judges=for_judges)


def finished(
    judging: Judging,
    tests: Sequence[TestRow],
    groups: Sequence[GroupRow],
    *,
    for_judges: bool = False,
) -> Json:
    """Details of a judging that came to its end; without groups where no test was reached."""
    by_id = {test.test: test for test in tests}
    return {
        "result": judging.status,
        "message": None if groups else judging.message or None,
        "score": float(judging.score),
        "resource_usage": _usage(judging),
        "groups": [
            {
                "id": group.group_id,
                "name": group.name,
                "result": group.verdict,
                "score": float(group.score),
                "testpoints": [
                    _test(by_id[test], for_judges) for test in group.tests if test in by_id
                ],
            }
            for group in groups
        ],
    }


def unfinished(
    judging: Judging,
    tests: Sequence[TestRow],
    plan: Iterable[Group],
    *,
    for_judges: bool = False,
) -> Json:
    """Details while tests run, or of what an abort left: tests that ended, and the word for the
    others. A group shows its first test that is not accepted."""
    aborted = judging.verdict is Verdict.ABORTED
    by_id = {test.test: test for test in tests}
    rest = Verdict.ABORTED if aborted else State.PENDING
    groups = []
    for group in plan:
        points = [
            _test(by_id[test], for_judges) if test in by_id else _test_without_result(test, rest)
            for test in group.tests
        ]
        failed = (point["result"] for point in points if point["result"] != Verdict.ACCEPTED)
        groups.append(
            {
                "id": group.id,
                "name": group.name,
                "result": next(failed, Verdict.ACCEPTED),
                "score": 0.0,
                "testpoints": points,
            }
        )
    if not aborted:
        _mark_first(groups)
    return {
        "result": judging.status,
        "message": None,
        "score": 0.0,
        "resource_usage": _sum(tests),
        "groups": groups if tests or not aborted else [],
    }


def _mark_first(groups: list[Json]) -> None:
    """Tests run one after the other, so the first that waits is the one that runs."""
    for group in groups:
        for point in group["testpoints"]:
            if point["result"] == State.PENDING:
                point["result"] = State.JUDGING
                if group["result"] == State.PENDING:
                    group["result"] = State.JUDGING
                return


def _test(test: TestRow, for_judges: bool) -> Json:
    return {
        "id": test.test,
        "result": test.verdict,
        "message": test.message,
        "score": float(test.score),
        "resource_usage": _usage(test),
        "raw_score": test.raw_score,
        "judge_message": test.judge_message if for_judges else None,
        "other_look": _other_look(test),
    }


def _test_without_result(test: str, result: State | Verdict) -> Json:
    return {
        "id": test,
        "result": result,
        "message": None,
        "score": 0.0,
        "resource_usage": None,
        "raw_score": None,
        "judge_message": None,
        "other_look": None,
    }


def _other_look(test: TestRow) -> Json | None:
    if test.other_cpu_ns is None:
        return None
    return {"cpu_ns": test.other_cpu_ns, "wall_ns": test.other_wall_ns}


def _usage(figures: Figures) -> Json | None:
    if figures.cpu_ns is None:
        return None
    return {
        "time_msecs": milliseconds(figures.cpu_ns),
        "memory_bytes": figures.memory_bytes,
        "file_count": figures.files,
        "file_size_bytes": figures.disk_bytes,
        "cpu_ns": figures.cpu_ns,
        "wall_ns": figures.wall_ns,
    }


def _sum(tests: Iterable[TestRow]) -> Json:
    """Sums of times, maxima of the rest; ACMOJ's zero and minus ones before anything ran."""
    ran = [test for test in tests if test.cpu_ns is not None]
    cpu_ns = sum(test.cpu_ns or 0 for test in ran)
    return {
        "time_msecs": milliseconds(cpu_ns),
        "memory_bytes": max((test.memory_bytes or 0 for test in ran), default=-1),
        "file_count": max((test.files or 0 for test in ran), default=-1),
        "file_size_bytes": max((test.disk_bytes or 0 for test in ran), default=-1),
        "cpu_ns": cpu_ns,
        "wall_ns": sum(test.wall_ns or 0 for test in ran),
    }
