"""The file of one review, and the folder of many: <agent>/<model>/<round>/<problem>.json."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judge.results.errors import ResultsError
from judge.results.scoring.review_score import ReviewResult
from judge.results.scoring.rows import Participant


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Finding(_Strict):
    """One place that breaks a rule. `line` counts from 1; None: the file as a whole; `file` is ""
    where it is about the repository."""

    file: str
    line: int | None = None
    message: str


class RuleOutcome(_Strict):
    """How one rule came out."""

    name: str
    passed: bool
    findings: tuple[Finding, ...] = ()


Rating = Annotated[float, Field(ge=0, le=10)]


class CriterionOutcome(_Strict):
    """How one criterion was rated: the median of the valid samples, or None where too few came."""

    name: str
    rating: Rating | None
    samples: tuple[Rating | None, ...] = ()
    spread: float | None = None
    reason: str = ""


class Cost(_Strict):
    """What a model's answers took. `usd` is None where no price is set."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None


class ReviewFile(_Strict):
    """A review of one participant's repository for one problem."""

    version: Literal[1] = 1
    agent: str
    model: str
    round: str = "1"
    problem: str
    repo_url: str = "N/A"
    commit: str | None = None
    commits: int | None = None
    rules: tuple[RuleOutcome, ...] = ()
    criteria: tuple[CriterionOutcome, ...] = ()
    reviewer: str = ""
    prompt_version: str = ""
    cost: Cost = Cost()
    reviewed_at: datetime | None = None

    @property
    def participant(self) -> Participant:
        """Whose repository it was."""
        return Participant(self.agent, self.model, self.round)

    def result(self) -> ReviewResult:
        """What the score is made of."""
        return ReviewResult(
            rules={rule.name: rule.passed for rule in self.rules},
            criteria={criterion.name: criterion.rating for criterion in self.criteria},
            commits=self.commits,
            repo_url=self.repo_url,
        )


Reviews = Mapping[Participant, Mapping[str, ReviewResult]]
"""Participant -> key of the entry -> what its review found."""


class ReviewFileError(ResultsError):
    """A file of a review that cannot be used."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


def write_review(folder: Path, review: ReviewFile) -> Path:
    """Writes the review where `load_reviews` finds it."""
    words = (review.agent, review.model, review.round, f"{review.problem}.json")
    path = folder.joinpath(*(_file_name(word) for word in words))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(review.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return path


def load_reviews(folder: Path) -> Reviews:
    """Every review below the folder. ReviewFileError where one cannot be read, or where two are
    about the same repository."""
    if not folder.is_dir():
        raise ReviewFileError(folder, "there is no such folder")
    found: dict[Participant, dict[str, ReviewResult]] = {}
    for path in sorted(folder.rglob("*.json")):
        review = _read(path)
        own = found.setdefault(review.participant, {})
        if review.problem in own:
            name = review.participant.name
            raise ReviewFileError(path, f"there are two reviews of {name}, {review.problem}")
        own[review.problem] = review.result()
    return found


def _read(path: Path) -> ReviewFile:
    try:
        return ReviewFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ReviewFileError(path, f"{place}: {first['msg']}") from error


def _file_name(word: str) -> str:
    """A word as one folder's name: never a path, never hidden."""
    safe = "".join(letter if letter.isalnum() or letter in "._-+" else "_" for letter in word)
    return safe.lstrip(".") or "_"
