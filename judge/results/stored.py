"""Benchmarks and rows as the judge keeps them: import a registry, read what was submitted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.model import State, Verdict
from judge.results.errors import ResultsError
from judge.results.scoring.registry import Benchmark, Entry, load_registry, parse_registry
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import Linear
from judge.store import Database, benchmarks, scan
from judge.store.benchmarks import AS_IT_IS, EntryPlan, Part, Policy
from judge.store.scan import SubmissionRow

CODE_URL = "/OnlineJudge/api/v1/submission/{}/code"


@dataclass(frozen=True, slots=True)
class StoredBenchmark:
    """A benchmark, and which of its judge ids are served: judge id -> id of our problem."""

    benchmark: Benchmark
    title: str
    served: dict[int, int]

    def missing(self, entry: Entry) -> tuple[int, ...]:
        """The entry's judge ids that are not served."""
        return tuple(problem.id for problem in entry.problems if problem.id not in self.served)


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose submission it was, where the judge itself cannot know (one user ran many agents)."""

    participant: Participant
    problem: str
    repo_url: str = "N/A"
    log_file: str = "N/A"


class ScoringRefused(ResultsError):
    """Rows that cannot be scored as they are; the sentence says why."""


def import_registry(
    db: Database,
    path: Path,
    *,
    name: str,
    title: str = "",
    serve: Mapping[int, str] | None = None,
    categories: Mapping[str, str] | None = None,
    policy: Policy = AS_IT_IS,
) -> StoredBenchmark:
    """Reads a registry and makes (or renews) the benchmark of that name.

    A judge id is served by the problem of that number, or of that slug; `serve` names another slug.
    Ids that nothing serves are left out of the caps, which is no error. Raises ResultsError where
    the registry or `serve` cannot be used, StoreError.
    """
    benchmark = load_registry(path, name)
    text = json.loads(path.read_text(encoding="utf-8"))
    for key, category in (categories or {}).items():
        if key in text["problems"]:
            text["problems"][key]["category"] = category
    served = _match(benchmark, benchmarks.served(db), serve or {})
    plans = [
        EntryPlan(
            entry.key,
            entry.cap,
            tuple(
                Part(
                    served[problem.id],
                    problem.weight,
                    problem.score_map.full if isinstance(problem.score_map, Linear) else None,
                )
                for problem in entry.problems
                if problem.id in served
            ),
        )
        for entry in benchmark.entries
    ]
    definition = {"registry": text, "served": {str(id_): own for id_, own in served.items()}}
    benchmarks.put(db, name, title or name, definition, plans, policy)
    return find_benchmark(db, name)


def find_benchmark(db: Database, name: str) -> StoredBenchmark:
    """The benchmark of that name. Raises NotFound."""
    record = benchmarks.find(db, name)
    registry = json.dumps(record.definition.get("registry", {}))
    return StoredBenchmark(
        benchmark=parse_registry(registry, file=name, name=name),
        title=record.title,
        served={int(id_): own for id_, own in record.definition.get("served", {}).items()},
    )


def stored_rows(
    db: Database,
    stored: StoredBenchmark,
    *,
    attributions: Mapping[int, Attribution] | None = None,
    leave_out_unjudged: bool = False,
) -> list[Row]:
    """The rows of a benchmark: what participants submitted to its problems.

    With `attributions` (submission -> whose it was) these submissions are taken, whoever sent them,
    and no others. Raises ScoringRefused where one is not judged yet (unless those are left out), or
    where two users pass for the same participant.
    """
    judge_ids = {own: judge_id for judge_id, own in stored.served.items()}
    chosen = scan.Filter(problems=tuple(judge_ids), participants=attributions is None)
    rows: list[Row] = []
    unjudged: list[int] = []
    users: dict[Participant, str] = {}
    for record in scan.submissions(db, chosen):
        if attributions is not None and record.id not in attributions:
            continue
        if record.status in (State.PENDING, State.COMPILING, State.JUDGING):
            unjudged.append(record.id)
            continue
        given = attributions[record.id] if attributions is not None else _own(record)
        if attributions is None:
            first = users.setdefault(given.participant, record.user)
            if first != record.user:
                raise ScoringRefused(
                    f"the users {first} and {record.user} are both {given.participant.name} in "
                    f"round {given.participant.round}; give each round a number of its own"
                )
        rows.append(_row(record, judge_ids[record.problem_id], stored.benchmark, given))
    if unjudged and not leave_out_unjudged:
        ids = ", ".join(str(id_) for id_ in unjudged[:10])
        more = f" and {len(unjudged) - 10} more" if len(unjudged) > 10 else ""
        raise ScoringRefused(
            f"{len(unjudged)} submissions are not judged yet ({ids}{more}); wait for them, or "
            "leave them out with --leave-out-unjudged"
        )
    return rows


@dataclass(frozen=True, slots=True)
class LastCommit:
    """The repository that a participant submitted last to an entry. `commit` is None where only
    source texts were submitted."""

    participant: Participant
    problem: str
    repository: str = ""
    commit: str | None = None
    url: str = "N/A"


def last_commits(db: Database, stored: StoredBenchmark) -> list[LastCommit]:
    """What a review looks at: of each participant and entry, the last repository that was
    submitted and not aborted."""
    judge_ids = {own: judge_id for judge_id, own in stored.served.items()}
    found: dict[tuple[Participant, str], LastCommit] = {}
    for record in scan.submissions(db, scan.Filter(problems=tuple(judge_ids), participants=True)):
        entry = stored.benchmark.entry_of(judge_ids[record.problem_id])
        if entry is None or record.status == Verdict.ABORTED:
            continue
        who = _own(record).participant
        if record.repository and record.commit:
            url = record.url or "N/A"
            last = LastCommit(who, entry.key, record.repository, record.commit, url)
            found[who, entry.key] = last
        else:
            found.setdefault((who, entry.key), LastCommit(who, entry.key))
    return [found[key] for key in sorted(found)]


def _own(record: SubmissionRow) -> Attribution:
    who = Participant(record.agent or record.user, record.model or "unknown", record.round or "1")
    return Attribution(who, problem="")


def _row(record: SubmissionRow, judge_id: int, benchmark: Benchmark, given: Attribution) -> Row:
    entry = benchmark.entry_of(judge_id)
    if entry is None or given.problem not in ("", entry.key):
        raise ScoringRefused(
            f"submission {record.id} is to judge id {judge_id}, which is not in problem "
            f"{given.problem or '?'} of {benchmark.name}"
        )
    try:
        verdict = Verdict(record.status)
    except ValueError:
        raise ScoringRefused(
            f"submission {record.id} has the status {record.status!r}, which cannot be scored"
        ) from None
    return Row(
        participant=given.participant,
        problem=entry.key,
        judge_id=judge_id,
        submission=record.id,
        verdict=verdict,
        score=record.score,
        cpu_ns=record.cpu_ns,
        memory_bytes=record.memory_bytes,
        created_at=record.created_at,
        code_url=CODE_URL.format(record.id),
        repo_url=record.url or given.repo_url,
        log_file=given.log_file,
    )


def _match(
    benchmark: Benchmark, problems: Mapping[int, str], serve: Mapping[int, str]
) -> dict[int, int]:
    by_slug = {slug: id_ for id_, slug in problems.items()}
    served = {}
    for entry in benchmark.entries:
        for problem in entry.problems:
            if problem.id in serve:
                served[problem.id] = by_slug[_known(serve[problem.id], by_slug)]
            elif problem.id in problems:
                served[problem.id] = problem.id
            elif str(problem.id) in by_slug:
                served[problem.id] = by_slug[str(problem.id)]
    for judge_id in serve:
        if benchmark.entry_of(judge_id) is None:
            raise ScoringRefused(f"judge id {judge_id} is not in the registry")
    twice = {own for own in served.values() if list(served.values()).count(own) > 1}
    if twice:
        slugs = ", ".join(problems[own] for own in sorted(twice))
        raise ScoringRefused(f"a problem can serve one judge id only, and these serve two: {slugs}")
    return served


def _known(slug: str, by_slug: Mapping[str, int]) -> str:
    if slug not in by_slug:
        raise ScoringRefused(f"there is no problem {slug!r}; add it: adjudge problem add FOLDER")
    return slug
