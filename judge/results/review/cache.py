"""Ratings that were paid for once: a file for each commit, model and version of the prompt."""

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from judge.results.files.reviews import Cost, CriterionOutcome
from judge.results.review.rating import Rated
from judge.results.review.settings import ReviewSettings


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")

    criteria: tuple[CriterionOutcome, ...]
    cost: Cost


class RatingCache:
    """A folder of ratings. Only complete ones are kept, so what is missing is asked for again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, commit: str, prompt: str, settings: ReviewSettings) -> Rated | None:
        """The ratings of that commit, or None; a file that cannot be read counts as none."""
        try:
            kept = _Kept.model_validate_json(self._path(commit, prompt, settings).read_bytes())
        except (OSError, ValidationError):
            return None
        return Rated(kept.criteria, kept.cost)

    def put(self, commit: str, prompt: str, settings: ReviewSettings, rated: Rated) -> None:
        """Keeps ratings that are complete."""
        if not rated.complete:
            return
        path = self._path(commit, prompt, settings)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(_Kept(criteria=rated.criteria, cost=rated.cost).model_dump_json())
        part.replace(path)

    def _path(self, commit: str, prompt: str, settings: ReviewSettings) -> Path:
        words = (
            *(commit, prompt, settings.provider.value, settings.base_url, settings.model),
            *(str(settings.samples), str(settings.bundle_bytes)),
        )
        name = hashlib.sha256("\0".join(words).encode()).hexdigest()
        return self.folder / f"{name}.json"
