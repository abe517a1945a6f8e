"""One repository through a review: rules on the desk, then the criteria."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judge.grading import Slot, SourceCommit, SourceTree
from judge.results.files.reviews import Cost, CriterionOutcome, ReviewFile
from judge.results.review.bundle import Bundle, bundle
from judge.results.review.cache import RatingCache
from judge.results.review.definition import Definition
from judge.results.review.desk import open_desk
from judge.results.review.rating import Rated, prompt_version, rate
from judge.results.review.reviewer import Reviewer
from judge.results.review.rules import check
from judge.results.review.settings import ReviewSettings
from judge.results.scoring.rows import Participant


@dataclass(frozen=True, slots=True)
class Rater:
    """Who rates the criteria."""

    reviewer: Reviewer
    settings: ReviewSettings
    cache: RatingCache | None = None

    @property
    def name(self) -> str:
        """Provider and model, for the file of the review."""
        return f"{self.settings.provider.value}:{self.settings.model}"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose repository it is, and for which problem."""

    participant: Participant
    problem: str
    repo_url: str = "N/A"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The file of the review, what went wrong with answers of the model, and whether the ratings
    came out of the cache."""

    file: ReviewFile
    faults: tuple[str, ...] = field(default=())
    cached: bool = False


def _ignore(_done: int) -> None:
    """No progress is shown."""


def review_repository(
    source: SourceCommit | SourceTree,
    definition: Definition,
    subject: Subject,
    slot: Slot,
    rater: Rater | None = None,
    progress: Callable[[int], None] = _ignore,
) -> Reviewed:
    """Checks the rules and has the criteria rated; without a rater they are missing.

    ReviewFailed where the repository or the endpoint stops it, GradingError where the sandbox does.
    """
    with open_desk(source, slot) as desk:
        commits = desk.commits
        shown = bundle(desk, rater.settings.bundle_bytes) if rater else None
        rules = check(desk, definition.rules)
    rated, cached = _rate(source, definition, shown, rater, progress)
    file = ReviewFile(
        agent=subject.participant.agent,
        model=subject.participant.model,
        round=subject.participant.round,
        problem=subject.problem,
        repo_url=subject.repo_url,
        commit=source.commit if isinstance(source, SourceCommit) else None,
        commits=commits,
        rules=rules,
        criteria=rated.criteria,
        reviewer=rater.name if rater and definition.criteria else "",
        prompt_version=prompt_version(definition.criteria) if definition.criteria else "",
        cost=rated.cost,
        reviewed_at=datetime.now(UTC),
    )
    return Reviewed(file, rated.faults, cached)


def _rate(
    source: SourceCommit | SourceTree,
    definition: Definition,
    shown: Bundle | None,
    rater: Rater | None,
    progress: Callable[[int], None],
) -> tuple[Rated, bool]:
    criteria = definition.criteria
    if rater is None or shown is None or not criteria:
        missing = tuple(CriterionOutcome(name=one.name, rating=None) for one in criteria)
        return Rated(missing, Cost()), False
    prompt = prompt_version(criteria)
    # A folder without a commit is known by what is shown of it.
    content = hashlib.sha256(shown.text.encode()).hexdigest()
    commit = source.commit if isinstance(source, SourceCommit) else content
    kept = rater.cache.get(commit, prompt, rater.settings) if rater.cache else None
    if kept is not None:
        return kept, True
    rated = rate(rater.reviewer, criteria, shown, rater.settings, progress)
    if rater.cache:
        rater.cache.put(commit, prompt, rater.settings, rated)
    return rated, False
