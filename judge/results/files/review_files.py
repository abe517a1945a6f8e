"""The original's files of review scores: `cr_score_analysis.json|csv`, `cr_score_detail.csv`,
`cr_score_summary.txt`. One call writes one round."""

import csv
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge.results.files.reviews import Reviews
from judge.results.scoring.review_score import MAX_CRITERION, ReviewResult, review

DETAIL_COLUMNS = (
    "agent",
    "model",
    "problem",
    "final_score",
    "cr_approved",
    "cr_total",
    "commit_count",
    "llm_achieved",
    "llm_possible",
    "repo_url",
)


def write_review_files(folder: Path, reviews: Reviews) -> list[Path]:
    """Writes the four files and returns them."""
    paths = [
        folder / "cr_score_analysis.json",
        folder / "cr_score_analysis.csv",
        folder / "cr_score_detail.csv",
        folder / "cr_score_summary.txt",
    ]
    folder.mkdir(parents=True, exist_ok=True)
    by_pair = {who.name: dict(sorted(reviews[who].items())) for who in sorted(reviews)}
    scores = {
        pair: {key: rounded(review(result)) for key, result in own.items()}
        for pair, own in by_pair.items()
    }
    by_problem: defaultdict[str, list[float]] = defaultdict(list)
    for own_scores in scores.values():
        for key, score in own_scores.items():
            if score is not None:
                by_problem[key].append(score)
    analysis = {
        "by_agent_model": {
            pair: {
                "problems": {
                    key: _problem(result, scores[pair][key]) for key, result in own.items()
                },
                "statistics": _statistics(scores[pair]),
            }
            for pair, own in by_pair.items()
        },
        "problem_statistics": {
            key: problem_statistics(own) for key, own in sorted(by_problem.items())
        },
        "overall": overall([score for own in by_problem.values() for score in own]),
    }
    paths[0].write_text(json.dumps(analysis, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    write_score_matrix(paths[1], scores)
    _write_detail(paths[2], reviews)
    paths[3].write_text(_summary(by_pair, scores), encoding="utf-8")
    return paths


def rounded(score: float | None) -> float | None:
    """To two places, as the original's files have it."""
    return None if score is None else round(score, 2)


def mean(scores: Sequence[float]) -> float:
    """0 of no scores, as the original's files have it."""
    return round(sum(scores) / len(scores), 2) if scores else 0.0


def problem_statistics(scores: Sequence[float]) -> dict[str, float]:
    """Of the scores of all participants on one problem; at least one."""
    return {
        "count": len(scores),
        "average": mean(scores),
        "min": min(scores),
        "max": max(scores),
    }


def overall(scores: Sequence[float]) -> dict[str, float]:
    """Of all scores together; {} where there is none."""
    if not scores:
        return {}
    return {
        "total_results": len(scores),
        "average_score": mean(scores),
        "min_score": min(scores),
        "max_score": max(scores),
    }


def write_score_matrix(path: Path, scores: Mapping[str, Mapping[str, float | None]]) -> None:
    """agent+model, average, count, and one column for each problem; "" where there is no score."""
    keys = sorted({key for own in scores.values() for key in own})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["agent+model", "average", "count", *keys], restval="")
        writer.writeheader()
        for pair, own in scores.items():
            given = {key: score for key, score in own.items() if score is not None}
            figures = {"average": mean(list(given.values())), "count": len(given)}
            writer.writerow({"agent+model": pair} | figures | given)


def _problem(result: ReviewResult, score: float | None) -> dict[str, object]:
    return {
        "final_score": score,
        "repo_url": result.repo_url,
        "cr_approved": result.passed,
        "cr_total": len(result.rules),
        "commit_count": result.commits,
        "missing_criteria": list(result.missing),
    }


def _statistics(scores: Mapping[str, float | None]) -> dict[str, object]:
    given = sorted(score for score in scores.values() if score is not None)
    return {
        "count": len(given),
        "total_problems": len(scores),
        "average_score": mean(given),
        "min_score": given[0] if given else None,
        "max_score": given[-1] if given else None,
        "scores_list": given,
    }


def _write_detail(path: Path, reviews: Reviews) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(DETAIL_COLUMNS)
        for who in sorted(reviews):
            for key, result in sorted(reviews[who].items()):
                writer.writerow(
                    (
                        who.agent,
                        who.model,
                        key,
                        rounded(review(result)),
                        result.passed,
                        len(result.rules),
                        result.commits,
                        result.achieved,
                        MAX_CRITERION * len(result.criteria),
                        result.repo_url,
                    )
                )


def _summary(
    by_pair: Mapping[str, Mapping[str, ReviewResult]],
    scores: Mapping[str, Mapping[str, float | None]],
) -> str:
    lines = ["Code review scores", "=================="]
    for pair, results in by_pair.items():
        given = [score for score in scores[pair].values() if score is not None]
        lines += ["", pair, f"  average over {len(given)} reviewed problems: {mean(given):.2f}"]
        for key, result in results.items():
            score = scores[pair][key]
            shown = "missing" if score is None else f"{score:.2f}"
            line = f"  {key}: {shown}  rules {result.passed}/{len(result.rules)}"
            if result.commits is not None:
                line += f", {result.commits} commits"
            if result.missing:
                line += f", not rated: {', '.join(result.missing)}"
            lines.append(line)
    return "\n".join(lines) + "\n"
