"""The rows that scores are made of: one for each submission that was judged."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.model import Verdict


@dataclass(frozen=True, slots=True, order=True)
class Participant:
    """An agent with a model, in one round of a benchmark."""

    agent: str
    model: str
    round: str = "1"

    @property
    def name(self) -> str:
        """How the original's files write it, rounds left out."""
        return f"{self.agent}+{self.model}"

    @property
    def pair(self) -> tuple[str, str]:
        """The same over all rounds."""
        return self.agent, self.model


@dataclass(frozen=True, slots=True)
class Row:
    """A submission whose judging has ended; nothing else can be scored.

    `problem` is the key of the benchmark's entry, `judge_id` the judge's problem, `score` the raw
    score. `cpu_ns` and `memory_bytes` are None where nothing ran.
    """

    participant: Participant
    problem: str
    judge_id: int
    submission: int
    verdict: Verdict
    score: float
    cpu_ns: int | None = None
    memory_bytes: int | None = None
    created_at: datetime | None = None
    code_url: str = "N/A"
    repo_url: str = "N/A"
    log_file: str = "N/A"


def by_participant(rows: Iterable[Row]) -> dict[Participant, list[Row]]:
    """The rows of each participant, participants in order, rows by submission."""
    groups: defaultdict[Participant, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.participant, row.submission)):
        groups[row.participant].append(row)
    return dict(groups)
