"""The harness's log folders, as it writes them, and as they go wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from judge.model import Verdict
from judge.results.errors import ResultsError
from judge.results.logs import read_logs
from judge.results.scoring.rows import Participant
from tests.results.conftest import Archive


def log(folder: Path, *ids: object, extra: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"timestamp": "2026-01-02 03:04:05", "submission_id": id_}) for id_ in ids]
    number = len(list(folder.iterdir()))
    (folder / f"submission_ids_{number}.log").write_text("\n".join([*lines, extra, ""]))


def test_logs_say_whose_a_submission_was(tmp_path: Path) -> None:
    log(tmp_path / "codex/gpt-5/007", 11, "12", 11)
    log(tmp_path / "codex/gpt-5/007", 13)
    log(tmp_path / "codex/gpt-5-round2/007", 21)
    (tmp_path / "codex/gpt-5/007/oj_eval_1.log").write_text(
        "...\n✅ Repository created: https://example.org/old\n"
        "✅ Repository created: https://example.org/oj-eval-007\n"
    )
    logs = read_logs(tmp_path)
    assert {id_: own.participant for id_, own in logs.attributions.items()} == {
        11: Participant("codex", "gpt-5", "1"),
        12: Participant("codex", "gpt-5", "1"),
        13: Participant("codex", "gpt-5", "1"),
        21: Participant("codex", "gpt-5", "2"),
    }
    first = logs.attributions[11]
    assert (first.problem, first.repo_url) == ("007", "https://example.org/oj-eval-007")
    assert first.log_file == "codex/gpt-5/007/submission_ids_0.log"
    assert logs.attributions[21].repo_url == "N/A"
    assert logs.problems == []


def test_what_is_no_submission_is_named(tmp_path: Path) -> None:
    log(tmp_path / "a/m/007", 1, None, extra='{"timestamp": "x"}\nnot json\n[1]\n')
    logs = read_logs(tmp_path)
    assert list(logs.attributions) == [1]
    assert logs.problems == [
        f"a/m/007/submission_ids_0.log: line {line}: it names no submission"
        for line in (2, 3, 4, 5)
    ]


def test_a_submission_has_one_owner(tmp_path: Path) -> None:
    log(tmp_path / "a/m/007", 1, 2)
    log(tmp_path / "b/m/007", 1)
    log(tmp_path / "c/m/007", 1)
    logs = read_logs(tmp_path)
    assert list(logs.attributions) == [2]
    assert logs.problems == [
        f"{who}/m/007/submission_ids_0.log: line 1: submission 1 is claimed twice" for who in "bc"
    ]


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there is no <agent>/<model>/<problem>"):
        read_logs(tmp_path)
    with pytest.raises(ResultsError, match="no such folder"):
        read_logs(tmp_path / "absent")


def test_the_command_matches_and_the_scores_follow(
    archive: Archive, run: Callable[..., Result], tmp_path: Path
) -> None:
    basic = archive.problem("2510")
    registry = tmp_path / "r.json"
    registry.write_text('{"problems": {"007": {"acmoj_id": "2510", "max_submissions": 3}}}')
    run("benchmark", "import", registry, "--name", "pdb")
    harness = archive.participant("harness", "all")
    mine = archive.submit(harness, basic, 30)
    theirs = archive.submit(harness, basic, 100, Verdict.ACCEPTED)
    log(tmp_path / "logs/codex/gpt-5/007", mine)
    log(tmp_path / "logs/claude/opus/007", theirs, 4711)
    csv_file = tmp_path / "attributions.csv"

    result = run("import-logs", tmp_path / "logs", "--out", csv_file, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {
        "participants": [
            {"agent": "claude", "model": "opus", "round": "1", "submissions": 1},
            {"agent": "codex", "model": "gpt-5", "round": "1", "submissions": 1},
        ],
        "not_here": [4711],
        "problems": [],
    }
    words = ("--attributions", csv_file, "--out", tmp_path / "out", "--json")
    scored = run("score", "exec", "--benchmark", "pdb", *words)
    averages = [one["average_all"] for one in json.loads(scored.stdout)["participants"]]
    assert averages == [100, 30]
