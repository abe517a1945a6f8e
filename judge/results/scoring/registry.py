"""A benchmark's registry: which problems it has, their weights, and the caps they share.

The file is ProjDevBench's `problem_registry.json`; `category` and `score_map` are our additions.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.results.errors import ResultsError
from judge.results.scoring.score_map import PROJDEVBENCH_MAPS, Linear, Piecewise, ScoreMap

DEFAULT_CAP = 3
DEFAULT_LANGUAGE = "git-url"


@dataclass(frozen=True, slots=True)
class JudgeProblem:
    """One problem of the judge inside an entry of a benchmark."""

    id: int
    weight: float
    score_map: ScoreMap


@dataclass(frozen=True, slots=True)
class Entry:
    """One problem of a benchmark: the judge's problems behind it and the cap that they share."""

    key: str
    name: str
    problems: tuple[JudgeProblem, ...]
    cap: int
    language: str = DEFAULT_LANGUAGE
    description: str = ""
    category: str = ""

    @property
    def weight(self) -> float:
        """The sum of its weights."""
        return sum(problem.weight for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set of entries, in the registry's order."""

    name: str
    entries: tuple[Entry, ...]

    def entry(self, key: str) -> Entry:
        """The entry of that key. KeyError where there is none."""
        for entry in self.entries:
            if entry.key == key:
                return entry
        raise KeyError(key)

    def entry_of(self, judge_id: int) -> Entry | None:
        """The entry that holds this problem of the judge."""
        for entry in self.entries:
            if any(problem.id == judge_id for problem in entry.problems):
                return entry
        return None


class RegistryError(ResultsError):
    """What is wrong with a registry, and where (`problems.006.score_weight.2877`)."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}: {place}: {reason}" if place else f"{file}: {reason}")
        self.file = file
        self.place = place
        self.reason = reason


def load_registry(path: Path, name: str | None = None) -> Benchmark:
    """Reads a registry file. RegistryError (one sentence) where it cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryError(path.name, "", f"cannot be read: {error}") from error
    return parse_registry(text, file=path.name, name=name or path.stem)


def parse_registry(text: str, *, file: str = "registry", name: str = "benchmark") -> Benchmark:
    """The benchmark that a registry's text describes. RegistryError where it cannot be used."""
    return _Reader(file).benchmark(text, name)


class _Reader:
    """Reads with a place at hand, so that every complaint names it."""

    def __init__(self, file: str) -> None:
        self.file = file

    def benchmark(self, text: str, name: str) -> Benchmark:
        try:
            data = json.loads(text, object_pairs_hook=self.unique)
        except json.JSONDecodeError as error:
            raise self.error(f"line {error.lineno}", f"not JSON: {error.msg}") from error
        problems = self.mapping(data, "").get("problems")
        default = self.mapping(data.get("default", {}), "default")
        entries = tuple(
            self.entry(key, self.mapping(value, f"problems.{key}"), default)
            for key, value in self.mapping(problems, "problems").items()
        )
        if not entries:
            raise self.error("problems", "there is no problem in it")
        owner: dict[int, str] = {}
        for entry in entries:
            for problem in entry.problems:
                if problem.id in owner:
                    place = f"problems.{entry.key}.acmoj_id"
                    other = owner[problem.id]
                    raise self.error(place, f"judge id {problem.id} is already in problem {other}")
                owner[problem.id] = entry.key
        return Benchmark(name, entries)

    def entry(self, key: str, data: Mapping[str, object], default: Mapping[str, object]) -> Entry:
        place = f"problems.{key}"
        ids = self.judge_ids(data, place)
        weights = self.numbers(data, "score_weight", place, ids, missing=1.0)
        fulls = self.numbers(data, "score_full", place, ids, missing=100.0)
        maps = self.mapping(data.get("score_map", {}), f"{place}.score_map")
        self.known(maps, ids, f"{place}.score_map")
        return Entry(
            key=key,
            name=str(data.get("name") or key),
            problems=tuple(
                JudgeProblem(
                    judge_id,
                    weights[judge_id],
                    self.score_map(judge_id, fulls[judge_id], maps.get(str(judge_id)), place),
                )
                for judge_id in ids
            ),
            cap=self.cap(data, default, place),
            language=str(
                data.get("submit_language") or default.get("submit_language") or DEFAULT_LANGUAGE
            ),
            description=str(data.get("description") or ""),
            category=str(data.get("category") or ""),
        )

    def judge_ids(self, data: Mapping[str, object], place: str) -> list[int]:
        field = next((field for field in ("acmoj_id", "oj_id") if field in data), None)
        if field is None:
            raise self.error(place, "acmoj_id is missing")
        words = [word.strip() for word in str(data[field]).split(",") if word.strip()]
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise self.error(f"{place}.{field}", f"{word!r} is not the number of a problem")
        for word, times in Counter(words).items():
            if times > 1:
                raise self.error(f"{place}.{field}", f"judge id {word} stands there twice")
        if not words:
            raise self.error(f"{place}.{field}", "there is no judge id in it")
        return [int(word) for word in words]

    def numbers(
        self, data: Mapping[str, object], field: str, place: str, ids: list[int], missing: float
    ) -> dict[int, float]:
        given = self.mapping(data.get(field, {}), f"{place}.{field}")
        self.known(given, ids, f"{place}.{field}")
        numbers = {}
        for judge_id in ids:
            value = given.get(str(judge_id), missing)
            numbers[judge_id] = self.positive(value, f"{place}.{field}.{judge_id}")
        return numbers

    def known(self, given: Mapping[str, object], ids: list[int], place: str) -> None:
        for key in given:
            if key not in {str(judge_id) for judge_id in ids}:
                raise self.error(f"{place}.{key}", f"{key} is not among the problem's judge ids")

    def positive(self, value: object, place: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(place, f"must be a number, not {value!r}")
        if not math.isfinite(value) or value <= 0:
            raise self.error(place, f"must be above 0, not {value:g}")
        return float(value)

    def score_map(self, judge_id: int, full: float, given: object, place: str) -> ScoreMap:
        if given is None:
            return PROJDEVBENCH_MAPS.get(judge_id, Linear(full))
        place = f"{place}.score_map.{judge_id}"
        data = self.mapping(given, place)
        try:
            points = data["points"]
            if not isinstance(points, list):
                raise TypeError("points must be a list")  # noqa: TRY301
            return Piecewise(
                points=tuple((float(raw), float(fraction)) for raw, fraction in points),
                above=float(str(data.get("above", 1.0))),
            )
        except (KeyError, TypeError, ValueError) as error:
            reason = 'must be like {"points": [[0, 0], [100, 0.5]], "above": 1}: '
            raise self.error(place, f"{reason}{error}") from error

    def cap(self, data: Mapping[str, object], default: Mapping[str, object], place: str) -> int:
        value = data.get("max_submissions", default.get("max_submissions", DEFAULT_CAP))
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            reason = f"must be a whole number above 0, not {value!r}"
            raise self.error(f"{place}.max_submissions", reason)
        return value

    def mapping(self, value: object, place: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self.error(place, "must be an object in braces")
        return value

    def unique(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        for key, times in Counter(key for key, _ in pairs).items():
            if times > 1:
                raise self.error(key, "stands there twice")
        return dict(pairs)

    def error(self, place: str, reason: str) -> RegistryError:
        return RegistryError(self.file, place, reason)
