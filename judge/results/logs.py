"""The log folders of the public benchmark's harness: who made which submission.

`logs/<agent>/<model>/<problem>/submission_ids_*.log` has one JSON object a line with the id of a
submission, and `oj_eval_*.log` (or `acmoj_eval_*.log`) beside it the address of the repository.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge.results.errors import ResultsError
from judge.results.scoring.rows import Participant
from judge.results.stored import Attribution

_REPOSITORY = re.compile(r"Repository created:\s*(\S+)")
_ROUND = re.compile(r"(.+?)[-_]round[-_]?(\d+)", re.IGNORECASE)
_EVALUATIONS = ("oj_eval_*.log", "acmoj_eval_*.log")


@dataclass(frozen=True, slots=True)
class Logs:
    """Submission -> whose it was, and what could not be read, one sentence each."""

    attributions: dict[int, Attribution] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_logs(folder: Path) -> Logs:
    """Reads every log below the folder. ResultsError where it holds none.

    A model folder that ends with `-round2` is the second round of its model. A line that is no
    submission is named and left out; so is a submission that two participants claim.
    """
    if not folder.is_dir():
        raise ResultsError(f"{folder}: there is no such folder")
    logs = Logs()
    claimed: set[int] = set()
    for path in sorted(folder.glob("*/*/*/submission_ids_*.log")):
        agent, model, problem = path.relative_to(folder).parts[:3]
        who = _participant(agent, model)
        repository = _repository(path.parent)
        for place, submission in _submissions(path, folder, logs.problems):
            own = Attribution(who, problem, repository, str(path.relative_to(folder)))
            before = logs.attributions.get(submission)
            if submission in claimed or (
                before and (before.participant, before.problem) != (who, problem)
            ):
                claimed.add(submission)
                logs.attributions.pop(submission, None)
                logs.problems.append(f"{place}: submission {submission} is claimed twice")
            elif before is None:
                logs.attributions[submission] = own
    if not logs.attributions and not logs.problems:
        raise ResultsError(
            f"{folder}: there is no <agent>/<model>/<problem>/submission_ids_*.log in it"
        )
    return logs


def _participant(agent: str, model: str) -> Participant:
    found = _ROUND.fullmatch(model)
    return Participant(agent, found[1], found[2]) if found else Participant(agent, model)


def _submissions(path: Path, root: Path, problems: list[str]) -> Iterator[tuple[str, int]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"{path.relative_to(root)}: line {number}"
        try:
            submission = int(json.loads(line)["submission_id"])
        except (ValueError, KeyError, TypeError):
            problems.append(f"{place}: it names no submission")
            continue
        yield place, submission


def _repository(folder: Path) -> str:
    """The last repository that the harness made."""
    found = "N/A"
    for pattern in _EVALUATIONS:
        for path in sorted(folder.glob(pattern)):
            for match in _REPOSITORY.finditer(path.read_text(encoding="utf-8", errors="replace")):
                found = match[1]
    return found
