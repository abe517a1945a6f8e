"""The original's files, name by name and column by column, with figures worked out by hand."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.model import Verdict
from judge.results.files.all_files import final_scores, write_all_files
from judge.results.files.exec_files import write_exec_files
from judge.results.files.review_files import write_review_files
from judge.results.files.reviews import (
    CriterionOutcome,
    ReviewFile,
    ReviewFileError,
    RuleOutcome,
    load_reviews,
    write_review,
)
from judge.results.files.row_files import RowError, load_rows
from judge.results.files.score_files import write_score_files
from judge.results.scoring.execution import FAIR
from judge.results.scoring.final import Weights
from judge.results.scoring.registry import Benchmark, Entry, JudgeProblem
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import Linear
from judge.results.scoring.scoreboard import over_rounds, score_participants

MakeRow = Callable[..., Row]
CODEX, CLAUDE = Participant("codex", "gpt"), Participant("claude", "sonnet")
BENCHMARK = Benchmark(
    "small",
    (
        Entry(
            "004",
            "Bookstore",
            (JudgeProblem(1075, 60, Linear(100)), JudgeProblem(1775, 20, Linear(100))),
            cap=2,
            category="Management",
        ),
        Entry("007", "BASIC", (JudgeProblem(2510, 80, Linear(100)),), cap=3, category="Language"),
    ),
)


@pytest.fixture
def rows(row: MakeRow) -> list[Row]:
    return [
        row(11, 1075, 50.0, problem="004", who=CODEX),
        row(12, 1775, 99.0, Verdict.ABORTED, problem="004", who=CODEX),
        row(13, 1775, 100.0, Verdict.ACCEPTED, problem="004", who=CODEX),
        row(14, 1075, 100.0, Verdict.ACCEPTED, problem="004", who=CODEX),
        row(15, 2510, 33.5, problem="007", who=CLAUDE),
    ]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def review_file(who: Participant, problem: str, **fields: object) -> ReviewFile:
    return ReviewFile.model_validate(
        {"agent": who.agent, "model": who.model, "problem": problem, "commits": 3} | fields
    )


def test_execution_files(tmp_path: Path, rows: list[Row]) -> None:
    scores = score_participants(BENCHMARK, rows)
    written = write_exec_files(tmp_path, scores, rows, lambda row: f"code of {row.submission}")
    assert sorted(path.name for path in written) == [
        "exec_results.csv",
        "exec_results.json",
        "exec_score_analysis.csv",
        "exec_score_analysis.json",
        "exec_score_summary.txt",
    ]
    results = json.loads((tmp_path / "exec_results.json").read_text())
    assert results[0] == {
        "agent": "codex",
        "model": "gpt",
        "problem": "004",
        "submission_id": "11",
        "status": "wrong_answer",
        "score": 50,
        "code_url": "N/A",
        "code_content": "code of 11",
        "repo_url": "N/A",
        "api_problem_id": 1075,
        "log_file": "N/A",
    }
    table = read(tmp_path / "exec_results.csv")
    assert len(table) == 5
    assert set(table[0]) == set(results[0]) - {"code_content"}

    analysis = json.loads((tmp_path / "exec_score_analysis.json").read_text())
    assert analysis == {
        "claude+sonnet": {
            "007": {
                "api_scores": {"2510": 33.5},
                "api_raw_scores": {"2510": 33.5},
                "final_score": 33.5,
                "total_weight": 80,
                "total_submissions": 1,
                "abort_count": 0,
                "valid_submissions": 1,
                "excluded_submissions": 0,
                "max_allowed": 3,
                "expected_api_ids": ["2510"],
            }
        },
        "codex+gpt": {
            "004": {
                "api_scores": {"1075": 50, "1775": 100},
                "api_raw_scores": {"1075": 50, "1775": 100},
                "final_score": 62.5,
                "total_weight": 80,
                "total_submissions": 4,
                "abort_count": 1,
                "valid_submissions": 2,
                "excluded_submissions": 1,
                "max_allowed": 2,
                "expected_api_ids": ["1075", "1775"],
            }
        },
    }
    assert read(tmp_path / "exec_score_analysis.csv") == [
        {"agent+model": "claude+sonnet", "004": "", "007": "33.5"},
        {"agent+model": "codex+gpt", "004": "62.5", "007": ""},
    ]
    summary = (tmp_path / "exec_score_summary.txt").read_text()
    assert "average over all 2 problems: 31.25" in summary
    assert "2 of 4 submissions, cap 2, 1 aborted, 1 past the cap" in summary


def test_review_and_final_files(tmp_path: Path, rows: list[Row]) -> None:
    passed, failed = RuleOutcome(name="a", passed=True), RuleOutcome(name="b", passed=False)
    rated, missing = (
        CriterionOutcome(name="c", rating=8),
        CriterionOutcome(name="d", rating=None),
    )
    folder = tmp_path / "reviews"
    write_review(folder, review_file(CODEX, "004", rules=[passed, failed], criteria=[rated]))
    write_review(folder, review_file(CODEX, "007", rules=[passed], criteria=[rated, missing]))
    write_review(folder, review_file(CLAUDE, "004", rules=[passed], commits=1))
    reviews = load_reviews(folder)
    out = tmp_path / "out"
    write_review_files(out, reviews)

    analysis = json.loads((out / "cr_score_analysis.json").read_text())
    codex = analysis["by_agent_model"]["codex+gpt"]
    assert codex["problems"]["004"]["final_score"] == 60  # (1 + 0.8) / 3
    assert codex["problems"]["007"]["final_score"] is None
    assert codex["problems"]["007"]["missing_criteria"] == ["d"]
    assert codex["statistics"]["average_score"] == 60
    assert analysis["problem_statistics"]["004"] == {
        "count": 2,
        "average": 30,
        "min": 0,
        "max": 60,
    }
    assert analysis["overall"]["total_results"] == 2
    assert read(out / "cr_score_analysis.csv") == [
        {"agent+model": "claude+sonnet", "average": "0.0", "count": "1", "004": "0.0", "007": ""},
        {"agent+model": "codex+gpt", "average": "60.0", "count": "1", "004": "60.0", "007": ""},
    ]
    assert read(out / "cr_score_detail.csv")[2] == {
        "agent": "codex",
        "model": "gpt",
        "problem": "007",
        "final_score": "",
        "cr_approved": "1",
        "cr_total": "1",
        "commit_count": "3",
        "llm_achieved": "",
        "llm_possible": "20",
        "repo_url": "N/A",
    }
    assert "not rated: d" in (out / "cr_score_summary.txt").read_text()

    weights = Weights()
    finals = final_scores(score_participants(BENCHMARK, rows), reviews, weights)
    write_all_files(out, finals, weights)
    detail = {(row["agent"], row["problem"]): row for row in read(out / "all_score_detail.csv")}
    assert detail["codex", "004"] == {
        "agent": "codex",
        "model": "gpt",
        "problem": "004",
        "exec_score": "62.5",
        "cr_score": "60.0",
        "all_score": "62.0",
        "status": "complete",
    }
    assert detail["codex", "007"]["status"] == "missing"
    assert detail["claude", "004"]["status"] == "cr_only"
    assert detail["claude", "007"]["all_score"] == "26.8"
    claude = json.loads((out / "all_score_analysis.json").read_text())["by_agent_model"][
        "claude+sonnet"
    ]
    assert claude["problems"]["007"]["all_score_left_out"] == 33.5
    assert (claude["statistics"]["average_score"], claude["statistics"]["count"]) == (13.4, 2)
    assert claude["statistics"]["average_score_left_out"] == 16.75
    assert "with missing halves left out: 16.75" in (out / "all_score_summary.txt").read_text()


def test_our_own_files_hold_every_figure(tmp_path: Path, rows: list[Row]) -> None:
    scores = score_participants(BENCHMARK, rows)
    finals = final_scores(scores, {}, Weights())
    write_score_files(tmp_path, BENCHMARK, scores, over_rounds(scores), FAIR, finals)
    document = json.loads((tmp_path / "scores.json").read_text())
    codex = document["participants"][1]
    assert codex["average"] == {"all": 31.25, "attempted": 62.5, "problems": 2, "attempts": 1}
    assert codex["exec_at_1"]["attempted"] == 62.5
    assert codex["score_by_submissions"] == [18.75, 31.25, 31.25]
    assert codex["problems"]["004"]["excluded"] == [14]
    assert document["finals"][1]["missing_left_out"]["all"] == 31.25
    averages = read(tmp_path / "averages.csv")
    assert averages[1]["average_all"] == "31.25"
    assert averages[1]["average_attempted"] == "62.5"
    assert {row["category"] for row in read(tmp_path / "categories.csv")} == {
        "Language",
        "Management",
    }
    assert read(tmp_path / "verdicts.csv")[1:] == [
        {
            "agent": "codex",
            "model": "gpt",
            "round": "1",
            "status": status,
            "submissions": "1",
            "percent": "50.0",
        }
        for status in ("accepted", "wrong_answer")
    ]
    assert read(tmp_path / "rounds.csv")[0]["deviation_all"] == ""


def test_what_was_written_can_be_read_again(tmp_path: Path, rows: list[Row]) -> None:
    write_exec_files(tmp_path, [], rows, lambda _row: "N/A")
    assert load_rows(tmp_path / "exec_results.csv", BENCHMARK) == rows
    assert load_rows(tmp_path / "exec_results.json", BENCHMARK) == rows


GOOD = {
    "agent": "codex",
    "model": "gpt",
    "problem": "007",
    "submission_id": "1",
    "status": "accepted",
    "score": "100",
    "api_problem_id": "2510",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": "pending"}, "line 2: the submission is not judged yet (pending)"),
        ({"status": "unknown_error"}, "line 2: the status 'unknown_error' is unknown"),
        ({"problem": "099"}, "line 2: there is no problem 099 in small"),
        ({"api_problem_id": "1075"}, "line 2: judge id 1075 is not one of problem 007 (2510)"),
        ({"score": "N/A"}, "line 2: score is not a number: 'N/A'"),
        ({"score": "nan"}, "line 2: score is not a number: 'nan'"),
        ({"submission_id": "-1"}, "line 2: submission_id is not a whole number"),
        ({"agent": ""}, "line 2: agent is empty"),
        ({"status": None}, "line 1: the column status is missing"),
    ],
)
def test_a_row_that_cannot_be_scored_is_named(
    tmp_path: Path, change: dict[str, str | None], message: str
) -> None:
    record = {key: value for key, value in (GOOD | change).items() if value is not None}
    path = tmp_path / "exec_results.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, record)
        writer.writeheader()
        writer.writerow(record)
    with pytest.raises(RowError) as caught:
        load_rows(path, BENCHMARK)
    assert str(caught.value).startswith(f"exec_results.csv: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "must be a list"),
        ("[1]", "row 1: must be an object"),
        ("[{}]", "row 1: the column agent is missing"),
        ("[", "line 1: not JSON"),
        (json.dumps([GOOD, GOOD]), "row 2: submission 1 stands in row 1 already"),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(RowError) as caught:
        load_rows(path, BENCHMARK)
    assert message in str(caught.value)


def test_a_review_file_is_checked(tmp_path: Path) -> None:
    review = review_file(CODEX, "007", criteria=[CriterionOutcome(name="c", rating=5)])
    path = write_review(tmp_path, review)
    assert path == tmp_path / "codex/gpt/1/007.json"
    path.write_text(path.read_text().replace('"rating": 5.0', '"rating": 11'))
    with pytest.raises(ReviewFileError, match=r"criteria\.0\.rating: .*less than or equal to 10"):
        load_reviews(tmp_path)
    with pytest.raises(ReviewFileError, match="no such folder"):
        load_reviews(tmp_path / "absent")


def test_names_cannot_leave_the_folder(tmp_path: Path) -> None:
    path = write_review(tmp_path, review_file(Participant("../..", "a/b"), "007"))
    assert path.is_relative_to(tmp_path)
    assert ".." not in path.parts
