"""The execution score: what a participant's programs earned (ProjDevBench, section on scoring).

Drop aborted submissions, keep the first `cap` by id over all judge ids of the entry, take the best
raw score of each judge id, and weigh: 100 x sum(fraction x weight) / sum(weight). A judge id
without a submission earns nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.model import Verdict
from judge.model.score import is_charged
from judge.results.scoring.registry import Entry
from judge.results.scoring.rows import Row


@dataclass(frozen=True, slots=True)
class Protocol:
    """Where the original's scripts count in another way than its paper, or than is fair.

    `uncapped`: a raw score over the full score earns more than the weight. `charge_faults`:
    submissions that failed by a fault of the judge or of the problem use up the cap.
    """

    uncapped: bool = False
    charge_faults: bool = False


FAIR = Protocol()


@dataclass(frozen=True, slots=True)
class EntryScore:
    """The execution score of one entry, from 0 to 100, and what it was made of.

    `fractions` and `raw` hold the judge ids that have a counted submission.
    """

    entry: Entry
    score: float
    fractions: dict[int, float]
    raw: dict[int, float]
    counted: tuple[Row, ...]
    excluded: tuple[Row, ...]
    aborted: tuple[Row, ...]
    uncharged: tuple[Row, ...]

    @property
    def attempted(self) -> bool:
        """Whether any submission counts."""
        return bool(self.counted)

    @property
    def submissions(self) -> int:
        """All submissions to the entry, counted or not."""
        parts = (self.counted, self.excluded, self.aborted, self.uncharged)
        return sum(len(part) for part in parts)


def execution(
    entry: Entry, rows: Iterable[Row], *, cap: int | None = None, protocol: Protocol = FAIR
) -> EntryScore:
    """The score of one entry from one participant's rows of it; `cap` other than the entry's own
    answers what another cap would have given."""
    counting, aborted, uncharged = _sort_out(rows, protocol)
    cap = entry.cap if cap is None else cap
    counted, excluded = counting[:cap], counting[cap:]
    raw: dict[int, float] = {}
    for row in counted:
        raw[row.judge_id] = max(row.score, raw.get(row.judge_id, row.score))
    fractions = _fractions(entry, raw, protocol)
    return EntryScore(
        entry=entry,
        score=_weigh(entry, fractions),
        fractions=fractions,
        raw=raw,
        counted=tuple(counted),
        excluded=tuple(excluded),
        aborted=tuple(aborted),
        uncharged=tuple(uncharged),
    )


def at_first(entry: Entry, rows: Iterable[Row], *, protocol: Protocol = FAIR) -> float:
    """Exec@1: the same weighing, with the first submission of each judge id that was not aborted
    (the cap plays no part, as in the original)."""
    raw: dict[int, float] = {}
    for row in _sort_out(rows, protocol)[0]:
        raw.setdefault(row.judge_id, row.score)
    return _weigh(entry, _fractions(entry, raw, protocol))


def curve(entry: Entry, rows: Sequence[Row], *, protocol: Protocol = FAIR) -> tuple[float, ...]:
    """The score after each submission: what a cap of 1, 2, ... up to the entry's would give."""
    return tuple(
        execution(entry, rows, cap=cap, protocol=protocol).score for cap in range(1, entry.cap + 1)
    )


def _sort_out(rows: Iterable[Row], protocol: Protocol) -> tuple[list[Row], list[Row], list[Row]]:
    """The rows that may count, the aborted ones, and those that cost nothing; by submission."""
    counting, aborted, uncharged = [], [], []
    for row in sorted(rows, key=lambda row: row.submission):
        if row.verdict is Verdict.ABORTED:
            aborted.append(row)
        elif not is_charged(row.verdict) and not protocol.charge_faults:
            uncharged.append(row)
        else:
            counting.append(row)
    return counting, aborted, uncharged


def _fractions(entry: Entry, raw: dict[int, float], protocol: Protocol) -> dict[int, float]:
    return {
        problem.id: problem.score_map.fraction(raw[problem.id], capped=not protocol.uncapped)
        for problem in entry.problems
        if problem.id in raw
    }


def _weigh(entry: Entry, fractions: dict[int, float]) -> float:
    earned = sum(fractions.get(problem.id, 0.0) * problem.weight for problem in entry.problems)
    return 100 * earned / entry.weight
