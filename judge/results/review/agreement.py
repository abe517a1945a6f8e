"""How far a model's ratings agree with people's: Pearson, Spearman, and Cohen's kappa."""

import csv
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy import stats

from judge.results.errors import ResultsError
from judge.results.files.reviews import Reviews
from judge.results.scoring.rows import Participant

GRADES = range(11)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of n pairs. A coefficient is None where it is not defined: fewer than two pairs, or one side
    rates everything the same. Kappa compares ratings rounded to whole grades; `weighted_kappa`
    weighs a disagreement by the square of its distance."""

    n: int
    pearson: float | None
    spearman: float | None
    kappa: float | None
    weighted_kappa: float | None
    mean_difference: float | None


def agreement(human: Sequence[float], model: Sequence[float]) -> Agreement:
    """The agreement of two ratings (0 to 10) of the same things, in the same order."""
    if len(human) != len(model):
        raise ValueError("both must rate the same things")
    n = len(human)
    pearson = spearman = None
    if n > 1 and len(set(human)) > 1 and len(set(model)) > 1:
        pearson = float(stats.pearsonr(human, model).statistic)
        spearman = float(stats.spearmanr(human, model).statistic)
    grades = [(_grade(left), _grade(right)) for left, right in zip(human, model, strict=True)]
    return Agreement(
        n=n,
        pearson=pearson,
        spearman=spearman,
        kappa=_kappa(grades, power=0),
        weighted_kappa=_kappa(grades, power=2),
        mean_difference=math.fsum(model) / n - math.fsum(human) / n if n else None,
    )


def _grade(rating: float) -> int:
    return math.floor(rating + 0.5)


def _kappa(pairs: Sequence[tuple[int, int]], power: int) -> float | None:
    """1 - observed disagreement / expected disagreement (Cohen 1960, 1968)."""
    n = len(pairs)
    left, right = Counter(one for one, _ in pairs), Counter(one for _, one in pairs)

    def weight(one: int, other: int) -> float:
        return 0.0 if one == other else float(abs(one - other) ** power)

    observed = sum(weight(one, other) for one, other in pairs) * n
    expected = sum(
        weight(one, other) * left[one] * right[other] for one in GRADES for other in GRADES
    )
    return None if expected == 0 else 1 - observed / expected


def load_pairs(path: Path, reviews: Reviews | None) -> tuple[list[float], list[float], int]:
    """Human and model ratings, and how many human ones have no counterpart.

    The CSV has a column `human` and a column `model_rating`; or, with reviews, the columns agent,
    model, problem, criterion, human (and round), which are looked up there. ResultsError.
    """
    needed: tuple[str, ...] = ("model_rating", "human")
    if reviews is not None:
        needed = ("agent", "model", "problem", "criterion", "human")
    human: list[float] = []
    model: list[float] = []
    alone = 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for column in needed:
            if column not in (reader.fieldnames or ()):
                raise ResultsError(f"{path.name}: the column {column} is missing")
        for line in reader:
            place = f"{path.name}: line {reader.line_num}"
            rating = _rating(line["human"], place)
            if reviews is None:
                other: float | None = _rating(line["model_rating"], place)
            else:
                who = Participant(line["agent"], line["model"], line.get("round") or "1")
                result = reviews.get(who, {}).get(line["problem"])
                other = result.criteria.get(line["criterion"]) if result else None
            if other is None:
                alone += 1
                continue
            human.append(rating)
            model.append(other)
    return human, model, alone


def _rating(text: str, place: str) -> float:
    try:
        rating = float(text)
    except (TypeError, ValueError):
        rating = math.nan
    if not 0 <= rating <= 10:
        raise ResultsError(f"{place}: a rating is a number from 0 to 10, not {text!r}")
    return rating
