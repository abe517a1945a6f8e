"""A changed package is served without a restart, and what runs goes on with its own version."""

import shutil
from pathlib import Path

from click.testing import CliRunner

from judge.cli.main import adjudge
from judge.store import problems
from tests.service.conftest import Live

SLOW = "import time; print(input(), flush=True); time.sleep(1.5)"


def call(judge: Live, *words: object) -> str:
    env = {"ADJUDGE_HOME": str(judge.settings.home)}
    done = CliRunner().invoke(adjudge, [str(word) for word in words], env=env)
    assert done.exit_code == 0, done.output
    return done.stdout


def points(judge: Live, number: int) -> list[str]:
    details = judge.submission(number)["details"]
    return [point["result"] for group in details["groups"] for point in group["testpoints"]]


def test_a_new_version_is_served_while_an_old_one_is_judged(
    calm_judge: Live, echo_package: Path, tmp_path: Path
) -> None:
    judge, package = calm_judge, tmp_path / "problems" / "renewed"
    answers = tmp_path / "data" / "renewed"
    shutil.copytree(echo_package, package)
    shutil.copytree(echo_package.parents[1] / "data" / "echo", answers)
    call(judge, "problem", "add", package)
    problem = problems.find(judge.db, "renewed").id

    running = judge.submit(SLOW, to=problem)
    judge.wait_for(running, "judging")
    (answers / "2.ans").write_text("something else\n")
    said = call(judge, "problem", "add", package)
    assert judge.status(running) == "judging"
    later = judge.submit(to=problem)

    judge.wait_for(later, "wrong_answer")
    judge.wait_for(running, "accepted")
    assert points(judge, later) == ["accepted", "wrong_answer", "accepted"]
    assert points(judge, running) == ["accepted"] * 3
    old, new = (judging.package for judging in judge.judgings(running, later))
    assert said.rstrip().endswith(f"version {new[:12]}")

    again = ("rejudge", "start", "--submission", later, "--problem", "renewed", "--apply")
    call(judge, *again, "--version", old[:12])
    judge.wait_for(later, "accepted")
    call(judge, *again)
    judge.wait_for(later, "wrong_answer")
