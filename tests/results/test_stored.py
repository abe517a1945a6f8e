"""A registry imported into a real database, and the rows that come back out of it."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from judge.model import Verdict
from judge.results.errors import ResultsError
from judge.results.files.attributions import load_attributions, write_attributions
from judge.results.scoring.rows import Participant
from judge.results.stored import (
    Attribution,
    ScoringRefused,
    find_benchmark,
    import_registry,
    last_commits,
    stored_rows,
)
from judge.store import (
    AbortPolicy,
    Feedback,
    NotFound,
    StoreError,
    caps,
    problems,
    submissions,
)
from tests.results.conftest import Archive


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    path = tmp_path / "registry.json"
    path.write_text(
        json.dumps(
            {
                "problems": {
                    "004": {"name": "Bookstore", "acmoj_id": "1075,1775", "max_submissions": 3},
                    "007": {"name": "BASIC", "acmoj_id": "2510", "max_submissions": 2},
                }
            }
        )
    )
    return path


def test_what_is_not_served_is_named_and_not_fatal(archive: Archive, registry: Path) -> None:
    basic, shop = archive.problem("basic"), archive.problem("1775")
    stored = import_registry(archive.db, registry, name="pdb", serve={2510: "basic"})
    assert stored.served == {2510: basic.id, 1775: shop.id}
    assert stored.missing(stored.benchmark.entry("004")) == (1075,)
    quota = caps.quota(archive.db, 1, basic.id)
    assert quota is not None
    assert (quota.entry, quota.cap) == ("007", 2)


def test_the_public_benchmark_is_imported(archive: Archive, projdevbench: Path) -> None:
    archive.problem("basic")
    stored = import_registry(archive.db, projdevbench, name="projdevbench", serve={2510: "basic"})
    assert len(stored.benchmark.entries) == 20
    assert sum(len(stored.missing(entry)) for entry in stored.benchmark.entries) == 35


def test_importing_again_keeps_what_was_used(archive: Archive, registry: Path) -> None:
    basic = archive.problem("basic")
    import_registry(archive.db, registry, name="pdb", serve={2510: "basic"})
    codex = archive.participant("codex", "gpt")
    archive.submit(codex, basic, 10)
    shop = archive.problem("1075")
    stored = import_registry(archive.db, registry, name="pdb", serve={2510: "basic"})
    assert stored.served == {2510: basic.id, 1075: shop.id}
    quota = caps.quota(archive.db, codex.id, basic.id)
    assert quota is not None
    assert (quota.used, quota.left) == (1, 1)


def test_an_entry_of_its_own_comes_over_with_its_submissions(
    archive: Archive, registry: Path
) -> None:
    basic = archive.problem("basic")
    codex = archive.participant("codex", "gpt")
    archive.submit(codex, basic, 10)
    import_registry(archive.db, registry, name="pdb", serve={2510: "basic"})
    quota = caps.quota(archive.db, codex.id, basic.id)
    assert quota is not None
    assert (quota.entry, quota.used) == ("007", 1)


def test_the_policy_holds_for_every_entry(
    archive: Archive, registry: Path, run: Callable[..., Result]
) -> None:
    basic = archive.problem("2510")
    words = ("benchmark", "import", registry, "--name", "pdb")
    assert run(*words, "--feedback", "never", "--abort", "never").exit_code == 0
    assert run(*words).exit_code == 0
    entry = problems.entry(archive.db, basic.id)
    assert entry is not None
    assert (entry.feedback, entry.abort) == (Feedback.NEVER, AbortPolicy.NEVER)


def test_a_review_looks_at_the_last_repository(archive: Archive, registry: Path) -> None:
    basic = archive.problem("2510")
    stored = import_registry(archive.db, registry, name="pdb")
    codex, claude = archive.participant("codex", "gpt"), archive.participant("claude", "opus")
    archive.submit(claude, basic, 10)
    for number in range(2):
        commit = submissions.Commit("codex/x.git", str(number) * 40, "https://example.org/x.git")
        submissions.admit(archive.db, codex, basic, "git", commit)
    first, second = last_commits(archive.db, stored)
    assert (first.participant.agent, first.commit) == ("claude", None)
    assert (second.participant.agent, second.commit) == ("codex", "1" * 40)


def test_a_problem_is_in_one_benchmark_only(archive: Archive, registry: Path) -> None:
    archive.problem("basic")
    import_registry(archive.db, registry, name="one", serve={2510: "basic"})
    with pytest.raises(StoreError, match="in the benchmark 'one' already"):
        import_registry(archive.db, registry, name="two", serve={2510: "basic"})


@pytest.mark.parametrize(
    ("serve", "message"),
    [
        ({2510: "nobody"}, "there is no problem 'nobody'"),
        ({9999: "basic"}, "judge id 9999 is not in the registry"),
        ({2510: "basic", 1075: "basic"}, "these serve two: basic"),
    ],
)
def test_serving_what_cannot_serve_is_refused(
    archive: Archive, registry: Path, serve: dict[int, str], message: str
) -> None:
    archive.problem("basic")
    with pytest.raises(ScoringRefused, match=message):
        import_registry(archive.db, registry, name="pdb", serve=serve)


def test_rows_are_what_participants_submitted(archive: Archive, registry: Path) -> None:
    basic, other = archive.problem("2510"), archive.problem("other")
    stored = import_registry(archive.db, registry, name="pdb")
    codex, again = archive.participant("codex", "gpt"), archive.participant("codex", "gpt", "2")
    first = archive.submit(codex, basic, 30)
    archive.submit(codex, other, 100, Verdict.ACCEPTED)
    second = archive.submit(again, basic, 100, Verdict.ACCEPTED)
    rows = stored_rows(archive.db, stored)
    assert [(row.participant, row.submission, row.score) for row in rows] == [
        (Participant("codex", "gpt", "1"), first, 30),
        (Participant("codex", "gpt", "2"), second, 100),
    ]
    assert {(row.problem, row.judge_id) for row in rows} == {("007", 2510)}
    assert rows[0].code_url == f"/OnlineJudge/api/v1/submission/{first}/code"


def test_nothing_is_scored_before_it_is_judged(archive: Archive, registry: Path) -> None:
    basic = archive.problem("2510")
    stored = import_registry(archive.db, registry, name="pdb")
    codex = archive.participant("codex", "gpt")
    done = archive.submit(codex, basic, 30)
    waiting = archive.submit(codex, basic, None)
    with pytest.raises(ScoringRefused, match=rf"1 submissions are not judged yet \({waiting}\)"):
        stored_rows(archive.db, stored)
    (row,) = stored_rows(archive.db, stored, leave_out_unjudged=True)
    assert row.submission == done


def test_two_users_cannot_pass_for_one_participant(archive: Archive, registry: Path) -> None:
    basic = archive.problem("2510")
    stored = import_registry(archive.db, registry, name="pdb")
    for _ in range(2):
        archive.submit(archive.participant("codex", "gpt"), basic, 1)
    with pytest.raises(ScoringRefused, match=r"are both codex\+gpt in round 1"):
        stored_rows(archive.db, stored)


def test_attributions_say_whose_a_submission_was(
    archive: Archive, registry: Path, tmp_path: Path
) -> None:
    basic = archive.problem("2510")
    stored = import_registry(archive.db, registry, name="pdb")
    harness = archive.participant("harness", "any")
    mine, theirs = archive.submit(harness, basic, 30), archive.submit(harness, basic, 60)
    given = {
        mine: Attribution(Participant("codex", "gpt"), "007", "https://example.org/a", "a.log"),
        theirs: Attribution(Participant("claude", "sonnet", "2"), "007"),
    }
    path = tmp_path / "attributions.csv"
    write_attributions(path, given)
    assert load_attributions(path) == given
    rows = stored_rows(archive.db, stored, attributions=load_attributions(path))
    assert [(row.participant.agent, row.score, row.log_file) for row in rows] == [
        ("codex", 30, "a.log"),
        ("claude", 60, "N/A"),
    ]
    wrong = {mine: Attribution(Participant("codex", "gpt"), "004")}
    with pytest.raises(ScoringRefused, match="which is not in problem 004"):
        stored_rows(archive.db, stored, attributions=wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("submission_id,agent,model\n1,a,b\n", "the column problem is missing"),
        ("submission_id,agent,model,problem\nx,a,b,007\n", "line 2: submission_id is not a whole"),
        ("submission_id,agent,model,problem\n1,,b,007\n", "line 2: agent, model and problem"),
        ("submission_id,agent,model,problem\n1,a,b,7\n1,a,b,7\n", "line 3: submission 1 stands"),
    ],
)
def test_faulty_attributions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(ResultsError, match=message):
        load_attributions(path)


def test_the_commands_import_show_and_score(
    archive: Archive, registry: Path, run: Callable[..., Result], tmp_path: Path
) -> None:
    basic = archive.problem("basic")
    categories = tmp_path / "categories.json"
    categories.write_text('{"004": {"category": "Shops"}, "007": "Languages", "099": "None"}')
    imported = run(
        *("benchmark", "import", registry, "--name", "pdb", "--serve", "2510=basic"),
        *("--categories", categories),
    )
    assert imported.exit_code == 0, imported.output
    assert "2 entries; 1 of their judge ids are served here, 2 are not" in imported.output
    listed = json.loads(run("benchmark", "list", "--json").output)
    assert [(one["name"], one["entries"], one["served"]) for one in listed] == [("pdb", 2, 1)]
    shown = json.loads(run("benchmark", "show", "pdb", "--json").output)
    assert shown["entries"][0]["missing"] == [1075, 1775]
    assert shown["entries"][1]["served"] == {"2510": "basic"}
    assert "2510=basic" in run("benchmark", "show", "pdb").output
    assert [entry["category"] for entry in shown["entries"]] == ["Shops", "Languages"]

    one, two = (archive.participant("codex", "gpt", number) for number in "12")
    archive.submit(one, basic, 30)
    archive.submit(two, basic, 50)
    out = tmp_path / "out"
    scored = run("score", "all", "--benchmark", "pdb", "--out", out)
    assert scored.exit_code == 0, scored.output
    for number, average in (("1", "30.0"), ("2", "50.0")):
        folder = out / f"round-{number}"
        assert len(list(folder.iterdir())) == 13
        with (folder / "exec_score_analysis.csv").open() as file:
            assert list(csv.DictReader(file)) == [{"agent+model": "codex+gpt", "007": average}]
    document = json.loads((out / "scores.json").read_text())
    assert document["pairs"][0]["average_all"]["mean"] == 20
    results = json.loads((out / "round-1/exec_results.json").read_text())
    assert results[0]["code_content"] == "int main() {}"

    chosen = run("score", "exec", "--benchmark", "pdb", "--round", "2", "--out", tmp_path / "two")
    assert chosen.exit_code == 0, chosen.output
    assert (tmp_path / "two/exec_results.csv").exists()

    again = run(
        *("score", "exec", "--registry", registry, "--rows", out / "round-1/exec_results.csv"),
        *("--out", tmp_path / "again", "--json"),
    )
    assert json.loads(again.output)["participants"][0]["average_all"] == 15


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["benchmark", "show", "none"], "there is no benchmark 'none'"),
        (["score", "exec"], "give either --benchmark NAME, or --registry FILE and --rows FILE"),
        (["score", "exec", "--benchmark", "none"], "there is no benchmark 'none'"),
        (["score", "all", "--benchmark", "x", "--exec-weight", "0.5"], "must add up to 1"),
    ],
)
def test_refusals_are_one_sentence(
    run: Callable[..., Result], words: list[str], message: str
) -> None:
    result = run(*words)
    assert result.exit_code != 0
    assert message in result.output
    assert "Traceback" not in result.output


def test_an_unknown_benchmark_is_not_found(archive: Archive) -> None:
    with pytest.raises(NotFound, match="adjudge benchmark import"):
        find_benchmark(archive.db, "none")
