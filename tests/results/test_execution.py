"""The execution score against hand-made figures, and against a plain second implementation."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model import Verdict
from judge.results.scoring.execution import Protocol, at_first, curve, execution
from judge.results.scoring.registry import Entry, JudgeProblem
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import PROJDEVBENCH_MAPS, Linear, Piecewise

MakeRow = Callable[..., Row]
WHO = Participant("codex", "gpt")
BOOKSTORE = Entry(
    key="004",
    name="Bookstore",
    problems=(JudgeProblem(1075, 60, Linear(100)), JudgeProblem(1775, 20, Linear(50))),
    cap=3,
)
MINESWEEPER = Entry(
    key="006",
    name="Minesweeper",
    problems=(
        JudgeProblem(2876, 45, Linear(100)),
        JudgeProblem(2877, 35, PROJDEVBENCH_MAPS[2877]),
    ),
    cap=17,
)


def test_the_best_of_each_judge_id_is_weighed(row: MakeRow) -> None:
    score = execution(BOOKSTORE, [row(1, 1075, 40), row(2, 1775, 25), row(3, 1075, 70)])
    assert score.fractions == {1075: 0.7, 1775: 0.5}
    assert score.score == pytest.approx(100 * (0.7 * 60 + 0.5 * 20) / 80)


def test_a_judge_id_without_a_submission_earns_nothing(row: MakeRow) -> None:
    assert execution(BOOKSTORE, [row(1, 1775, 50)]).score == pytest.approx(25)
    assert execution(BOOKSTORE, []).score == 0
    assert not execution(BOOKSTORE, []).attempted


def test_the_cap_is_shared_and_counted_by_id(row: MakeRow) -> None:
    late = row(9, 1075, 100)
    score = execution(BOOKSTORE, [late, row(1, 1075, 1), row(2, 1775, 0), row(3, 1775, 0)])
    assert score.raw == {1075: 1, 1775: 0}
    assert score.excluded == (late,)


def test_aborted_submissions_use_up_nothing(row: MakeRow) -> None:
    aborted = [row(n, 1075, 100, Verdict.ABORTED) for n in range(1, 6)]
    score = execution(BOOKSTORE, [*aborted, row(6, 1075, 30)])
    assert (score.raw, len(score.aborted), score.submissions) == ({1075: 30}, 5, 6)


@pytest.mark.parametrize(
    "verdict", [Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM, Verdict.VOID], ids=str
)
def test_a_fault_of_ours_costs_nothing_unless_asked(row: MakeRow, verdict: Verdict) -> None:
    rows = [*(row(n, 1075, 0, verdict) for n in (1, 2, 3)), row(4, 1075, 100)]
    assert execution(BOOKSTORE, rows).score == pytest.approx(75)
    assert execution(BOOKSTORE, rows, protocol=Protocol(charge_faults=True)).score == 0


def test_a_raw_score_over_the_full_one_is_capped_unless_asked(row: MakeRow) -> None:
    rows = [row(1, 1075, 150)]
    assert execution(BOOKSTORE, rows).score == pytest.approx(75)
    uncapped = execution(BOOKSTORE, rows, protocol=Protocol(uncapped=True))
    assert uncapped.score == pytest.approx(112.5)


def test_exec_at_1_takes_the_first_that_was_not_aborted(row: MakeRow) -> None:
    rows = [
        row(1, 1075, 90, Verdict.ABORTED),
        row(2, 1075, 10),
        row(3, 1075, 100),
        row(4, 1075, 100),
        row(5, 1775, 50),  # past the cap of 3, and yet the first of its judge id
    ]
    assert at_first(BOOKSTORE, rows) == pytest.approx(100 * (0.1 * 60 + 1 * 20) / 80)


def test_the_curve_says_what_each_cap_would_have_given(row: MakeRow) -> None:
    rows = [row(1, 1075, 50), row(2, 1075, 100), row(3, 1775, 50), row(4, 1775, 50)]
    assert curve(BOOKSTORE, rows) == pytest.approx((37.5, 75, 100))


@pytest.mark.parametrize(
    ("raw", "fraction"),
    [
        (0, 0),
        (39624.9, 0),
        (39625, 0),
        ((39625 + 100449) / 2, 5 / 35),
        (100449, 10 / 35),
        ((100449 + 136481) / 2, 20 / 35),
        (136480.9999, 30 / 35),
        (136481, 1),
        (10**9, 1),
    ],
)
def test_minesweeper_is_scored_piecewise(row: MakeRow, raw: float, fraction: float) -> None:
    score = execution(MINESWEEPER, [row(1, 2877, raw)])
    assert score.score == pytest.approx(100 * fraction * 35 / 80)


@pytest.mark.parametrize("points", [(), ((5, 0), (5, 1)), ((0, 1), (5, 0))])
def test_a_map_that_does_not_rise_is_refused(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="piecewise"):
        Piecewise(points)


# A second implementation, written from the protocol's facts in the plainest way.


def naive_kept(rows: list[Row], cap: int | None) -> list[Row]:
    left = []
    for submission in sorted(row.submission for row in rows):
        row = next(row for row in rows if row.submission == submission)
        if row.verdict.value not in ("aborted", "system_error", "bad_problem", "void"):
            left.append(row)
    return left if cap is None else left[:cap]


def naive_2877(raw: float) -> float:
    if raw < 39625:
        return 0.0
    if raw < 100449:
        return (raw - 39625) / 60824 * (10 / 35)
    if raw < 136481:
        return 10 / 35 + (raw - 100449) / 36032 * (20 / 35)
    return 1.0


def naive_weighed(entry: Entry, raw: dict[int, float]) -> float:
    total = top = 0.0
    for problem in entry.problems:
        total += problem.weight
        if problem.id not in raw:
            continue
        if problem.id == 2877:
            part = naive_2877(raw[2877])
        else:
            assert isinstance(problem.score_map, Linear)
            part = raw[problem.id] / problem.score_map.full
            if part > 1:
                part = 1.0
        top += part * problem.weight
    return top / total * 100


def naive_execution(entry: Entry, rows: list[Row], cap: int) -> float:
    raw: dict[int, float] = {}
    for row in naive_kept(rows, cap):
        if row.judge_id not in raw or raw[row.judge_id] < row.score:
            raw[row.judge_id] = row.score
    return naive_weighed(entry, raw)


def naive_at_first(entry: Entry, rows: list[Row]) -> float:
    raw: dict[int, float] = {}
    for row in naive_kept(rows, None):
        if row.judge_id not in raw:
            raw[row.judge_id] = row.score
    return naive_weighed(entry, raw)


amount = st.floats(min_value=0.01, max_value=1e6, allow_nan=False)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    ids = draw(st.lists(st.sampled_from([1, 2, 3, 2877]), min_size=1, unique=True))
    problems = tuple(
        JudgeProblem(
            judge_id, draw(amount), PROJDEVBENCH_MAPS.get(judge_id) or Linear(draw(amount))
        )
        for judge_id in ids
    )
    return Entry("001", "any", problems, cap=draw(st.integers(1, 8)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Entry, list[Row]]:
    entry = draw(entries())
    submissions = draw(st.lists(st.integers(1, 99), max_size=14, unique=True))
    verdict = st.sampled_from(list(Verdict))
    judge_id = st.sampled_from([problem.id for problem in entry.problems])
    raw = st.one_of(st.floats(0, 2e6, allow_nan=False), st.integers(30_000, 150_000).map(float))
    return entry, [
        Row(WHO, entry.key, draw(judge_id), submission, draw(verdict), draw(raw))
        for submission in submissions
    ]


@given(cases())
def test_scores_are_those_of_the_plain_implementation(case: tuple[Entry, list[Row]]) -> None:
    entry, rows = case
    assert execution(entry, rows).score == pytest.approx(naive_execution(entry, rows, entry.cap))
    assert at_first(entry, rows) == pytest.approx(naive_at_first(entry, rows))
    expected = [naive_execution(entry, rows, cap) for cap in range(1, entry.cap + 1)]
    assert curve(entry, rows) == pytest.approx(expected)


@given(cases())
def test_a_score_is_from_0_to_100_and_rises_with_the_cap(case: tuple[Entry, list[Row]]) -> None:
    entry, rows = case
    scores = curve(entry, rows)
    assert all(0 <= score <= 100 + 1e-9 for score in scores)
    assert all(earlier <= later for earlier, later in pairwise(scores))
    assert scores[-1] == execution(entry, rows).score


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case: tuple[Entry, list[Row]], random: object) -> None:
    entry, rows = case
    shuffled = rows[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert execution(entry, shuffled) == execution(entry, rows)


@given(cases())
def test_aborting_never_changes_a_score(case: tuple[Entry, list[Row]]) -> None:
    entry, rows = case
    aborted = [
        replace(row, submission=row.submission + 1000 * sign, verdict=Verdict.ABORTED)
        for row in rows
        for sign in (-1, 1)
    ]
    assert execution(entry, rows + aborted).score == execution(entry, rows).score
