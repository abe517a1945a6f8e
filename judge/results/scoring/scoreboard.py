"""The execution scores of a whole benchmark: each participant, then each pair over its rounds."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.model import Verdict
from judge.results.scoring.execution import FAIR, EntryScore, Protocol, at_first, curve, execution
from judge.results.scoring.registry import Benchmark
from judge.results.scoring.rows import Participant, Row, by_participant
from judge.results.scoring.statistics import Averages, Spread, averages, spread, verdict_shares


@dataclass(frozen=True, slots=True)
class ParticipantScores:
    """What one participant reached in one round.

    `entries` holds every entry of the benchmark; `at_first` is Exec@1 of the attempted ones;
    `curve` is the average over all problems if each cap were 1, 2, ... up to the largest.
    """

    participant: Participant
    entries: dict[str, EntryScore]
    at_first: dict[str, float]
    average: Averages
    average_at_first: Averages
    categories: dict[str, Averages]
    curve: tuple[float, ...]
    verdicts: dict[Verdict, tuple[int, float]]

    @property
    def attempted(self) -> dict[str, EntryScore]:
        """The entries to which something was submitted, counted or not."""
        return {key: entry for key, entry in self.entries.items() if entry.submissions}


@dataclass(frozen=True, slots=True)
class PairScores:
    """An agent with a model over its rounds. `problems` are spreads of the scores by entry;
    `average_attempted` is None where nothing was attempted in any round."""

    agent: str
    model: str
    rounds: tuple[str, ...]
    average_all: Spread
    average_attempted: Spread | None
    at_first_all: Spread
    problems: dict[str, Spread]


def score_participants(
    benchmark: Benchmark, rows: Iterable[Row], protocol: Protocol = FAIR
) -> list[ParticipantScores]:
    """The scores of every participant that has a row, in order."""
    return [
        _score_participant(benchmark, participant, own, protocol)
        for participant, own in by_participant(rows).items()
    ]


def over_rounds(scores: Sequence[ParticipantScores]) -> list[PairScores]:
    """Rounds of the same agent and model put together: mean, spread, n."""
    pairs: defaultdict[tuple[str, str], list[ParticipantScores]] = defaultdict(list)
    for score in scores:
        pairs[score.participant.pair].append(score)
    return [_over_rounds(agent, model, own) for (agent, model), own in sorted(pairs.items())]


def _score_participant(
    benchmark: Benchmark, participant: Participant, rows: Sequence[Row], protocol: Protocol
) -> ParticipantScores:
    by_problem: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_problem[row.problem].append(row)
    entries = {
        entry.key: execution(entry, by_problem[entry.key], protocol=protocol)
        for entry in benchmark.entries
    }
    firsts = {
        entry.key: at_first(entry, by_problem[entry.key], protocol=protocol)
        for entry in benchmark.entries
        if entries[entry.key].attempted
    }
    scores = {key: entry.score if entry.attempted else None for key, entry in entries.items()}
    by_category: defaultdict[str, dict[str, float | None]] = defaultdict(dict)
    for entry in benchmark.entries:
        if entry.category:
            by_category[entry.category][entry.key] = scores[entry.key]
    curves = [curve(entry, by_problem[entry.key], protocol=protocol) for entry in benchmark.entries]
    return ParticipantScores(
        participant=participant,
        entries=entries,
        at_first=firsts,
        average=averages(scores),
        average_at_first=averages({key: firsts.get(key) for key in entries}),
        categories={category: averages(own) for category, own in sorted(by_category.items())},
        curve=_mean_curve(curves),
        verdicts=verdict_shares(row for entry in entries.values() for row in entry.counted),
    )


def _mean_curve(curves: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The mean at each number of submissions; an entry at its cap keeps its last score."""
    longest = max(len(own) for own in curves)
    return tuple(
        sum(own[min(at, len(own) - 1)] for own in curves) / len(curves) for at in range(longest)
    )


def _over_rounds(agent: str, model: str, scores: Sequence[ParticipantScores]) -> PairScores:
    attempted = [own.average.attempted for own in scores if own.average.attempted is not None]
    return PairScores(
        agent=agent,
        model=model,
        rounds=tuple(own.participant.round for own in scores),
        average_all=spread([own.average.all for own in scores]),
        average_attempted=spread(attempted) if attempted else None,
        at_first_all=spread([own.average_at_first.all for own in scores]),
        problems={
            key: spread([own.entries[key].score for own in scores]) for key in scores[0].entries
        },
    )
