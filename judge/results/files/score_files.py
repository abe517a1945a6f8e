"""Our own files beside the original's, all rounds together; `scores.json` holds everything.

`averages.csv`, `problems.csv`, `categories.csv`, `verdicts.csv`, `score_by_submissions.csv` have
one line for each figure and participant, `rounds.csv` one for each agent and model, and
`verdict_distribution.csv` one for each status over all participants.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from judge.model import Verdict
from judge.results.files.all_files import FinalScores
from judge.results.scoring.execution import Protocol
from judge.results.scoring.registry import Benchmark
from judge.results.scoring.scoreboard import PairScores, ParticipantScores
from judge.results.scoring.statistics import Averages, Spread, averages, verdict_shares

VERSION = 1


def write_score_files(
    folder: Path,
    benchmark: Benchmark,
    scores: Sequence[ParticipantScores],
    pairs: Sequence[PairScores],
    protocol: Protocol,
    finals: FinalScores | None = None,
) -> list[Path]:
    """Writes the files and returns them. `finals` adds the final scores to `scores.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    distribution = verdict_shares(
        row for own in scores for entry in own.entries.values() for row in entry.counted
    )
    document = {
        "version": VERSION,
        "benchmark": benchmark.name,
        "problems": {entry.key: entry.name for entry in benchmark.entries},
        "protocol": asdict(protocol),
        "verdicts": _verdicts(distribution),
        "participants": [_participant(own) for own in scores],
        "pairs": [_pair(own) for own in pairs],
    }
    if finals is not None:
        document["finals"] = _finals(benchmark, finals)
    path = folder / "scores.json"
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return [
        path,
        _table(
            folder / "averages.csv",
            "agent model round average_all average_attempted exec_at_1_all exec_at_1_attempted"
            " problems attempted",
            (
                (
                    *_who(own),
                    own.average.all,
                    own.average.attempted,
                    own.average_at_first.all,
                    own.average_at_first.attempted,
                    own.average.problems,
                    own.average.attempts,
                )
                for own in scores
            ),
        ),
        _table(
            folder / "problems.csv",
            "agent model round problem attempted exec_score exec_at_1",
            (
                (*_who(own), key, entry.attempted, entry.score, own.at_first.get(key))
                for own in scores
                for key, entry in own.entries.items()
            ),
        ),
        _table(
            folder / "categories.csv",
            "agent model round category average_all average_attempted problems attempted",
            (
                (*_who(own), name, part.all, part.attempted, part.problems, part.attempts)
                for own in scores
                for name, part in own.categories.items()
            ),
        ),
        _table(
            folder / "verdicts.csv",
            "agent model round status submissions percent",
            (
                (*_who(own), verdict.value, count, percent)
                for own in scores
                for verdict, (count, percent) in own.verdicts.items()
            ),
        ),
        _table(
            folder / "verdict_distribution.csv",
            "status submissions percent",
            ((verdict.value, count, percent) for verdict, (count, percent) in distribution.items()),
        ),
        _table(
            folder / "score_by_submissions.csv",
            "agent model round submissions average_all",
            (
                (*_who(own), number, score)
                for own in scores
                for number, score in enumerate(own.curve, 1)
            ),
        ),
        _table(
            folder / "rounds.csv",
            "agent model rounds mean_all deviation_all low_all high_all mean_attempted"
            " mean_exec_at_1_all",
            (
                (
                    own.agent,
                    own.model,
                    own.average_all.n,
                    own.average_all.mean,
                    own.average_all.deviation,
                    own.average_all.low,
                    own.average_all.high,
                    own.average_attempted.mean if own.average_attempted else None,
                    own.at_first_all.mean,
                )
                for own in pairs
            ),
        ),
    ]


def _who(own: ParticipantScores) -> tuple[str, str, str]:
    return own.participant.agent, own.participant.model, own.participant.round


def _table(path: Path, columns: str, rows: Iterable[tuple[object, ...]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns.split())
        for row in rows:
            writer.writerow([round(v, 4) if isinstance(v, float) else v for v in row])
    return path


def _participant(own: ParticipantScores) -> dict[str, object]:
    agent, model, round_ = _who(own)
    return {
        "agent": agent,
        "model": model,
        "round": round_,
        "average": asdict(own.average),
        "exec_at_1": asdict(own.average_at_first),
        "problems": {
            key: {
                "attempted": entry.attempted,
                "exec_score": entry.score,
                "exec_at_1": own.at_first.get(key),
                "counted": [row.submission for row in entry.counted],
                "excluded": [row.submission for row in entry.excluded],
                "aborted": [row.submission for row in entry.aborted],
                "uncharged": [row.submission for row in entry.uncharged],
            }
            for key, entry in own.entries.items()
        },
        "categories": {name: asdict(part) for name, part in own.categories.items()},
        "score_by_submissions": list(own.curve),
        "verdicts": _verdicts(own.verdicts),
    }


def _verdicts(shares: Mapping[Verdict, tuple[int, float]]) -> dict[str, object]:
    return {
        verdict.value: {"submissions": count, "percent": percent}
        for verdict, (count, percent) in shares.items()
    }


def _pair(own: PairScores) -> dict[str, object]:
    return {
        "agent": own.agent,
        "model": own.model,
        "rounds": list(own.rounds),
        "average_all": asdict(own.average_all),
        "average_attempted": _spread(own.average_attempted),
        "exec_at_1_all": asdict(own.at_first_all),
        "problems": {key: asdict(part) for key, part in own.problems.items()},
    }


def _spread(spread: Spread | None) -> dict[str, object] | None:
    return None if spread is None else asdict(spread)


def _finals(benchmark: Benchmark, finals: FinalScores) -> list[dict[str, object]]:
    return [
        {
            "agent": who.agent,
            "model": who.model,
            "round": who.round,
            "missing_as_zero": asdict(
                _over_all(benchmark, {key: score.missing_as_zero for key, score in own.items()})
            ),
            "missing_left_out": asdict(
                _over_all(benchmark, {key: score.missing_left_out for key, score in own.items()})
            ),
            "problems": {
                key: {
                    "exec_score": score.execution,
                    "cr_score": score.review,
                    "missing_as_zero": score.missing_as_zero,
                    "missing_left_out": score.missing_left_out,
                    "status": score.halves.value,
                }
                for key, score in own.items()
            },
        }
        for who, own in finals.items()
    ]


def _over_all(benchmark: Benchmark, scores: Mapping[str, float | None]) -> Averages:
    return averages({entry.key: scores.get(entry.key) for entry in benchmark.entries})
