"""What is wrong with a machine is named, and a worker refuses to start for the same reason."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ADJUDGE = (sys.executable, "-m", "judge.cli")


def adjudge(
    home: Path, *words: str, hide: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Runs `adjudge`; the program at the path `hide` cannot be executed then (in a mount namespace
    of its own, so that nobody else misses it)."""
    command = [*ADJUDGE, *words]
    if hide:
        hiding = 'mount --bind /dev/null "$0" && exec "$@"'
        command = ["unshare", "--mount", "sh", "-c", hiding, hide, *command]
    return subprocess.run(
        command,
        env=os.environ | {"ADJUDGE_HOME": str(home)} | env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_this_machine_can_judge(tmp_path: Path) -> None:
    done = adjudge(tmp_path, "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    wanted = {"kernel", "cgroups", "box", "g++", "valgrind", "git", "redis-server", "languages"}
    assert wanted <= checks.keys()
    assert {check["state"] for check in checks.values()} <= {"ok", "warning"}
    assert all(check["mend"] for check in checks.values() if check["state"] == "warning")


def test_a_missing_program_is_named_and_the_worker_refuses_in_the_same_words(
    tmp_path: Path,
) -> None:
    found = adjudge(tmp_path, "doctor", "--json", hide="/usr/bin/valgrind")
    failures = [check for check in json.loads(found.stdout) if check["state"] == "failure"]
    assert found.returncode == 1
    assert [check["name"] for check in failures] == ["valgrind"]
    assert failures[0]["mend"] == "apt-get install valgrind"

    refused = adjudge(tmp_path, "worker", hide="/usr/bin/valgrind")
    assert refused.returncode == 1
    assert f"valgrind: {failures[0]['found']} (apt-get install valgrind)" in refused.stderr


def test_a_language_that_does_not_work_is_named(tmp_path: Path) -> None:
    node = Path("/usr/bin/node").resolve()
    found = adjudge(tmp_path, "doctor", "--json", hide=str(node))
    languages = next(row for row in json.loads(found.stdout) if row["name"] == "languages")
    assert found.returncode == 0
    assert languages["state"] == "warning"
    assert "python" in languages["found"]
    assert "javascript" not in languages["found"]
    assert languages["mend"].startswith("javascript: ")


@pytest.mark.parametrize("command", ["worker", "up"])
def test_without_cgroups_nothing_starts(tmp_path: Path, command: str) -> None:
    nowhere = tmp_path / "nothing here"
    nowhere.mkdir()
    refused = adjudge(tmp_path / "home", command, ADJUDGE_CGROUP_ROOT=str(nowhere))
    assert refused.returncode == 1
    assert "this machine cannot judge: cgroups: cgroup controller missing" in refused.stderr
    assert refused.stderr.count(str(nowhere)) == 1


def test_a_redis_elsewhere_that_does_not_answer_is_named(tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/nobody.sock"
    done = adjudge(tmp_path, "doctor", "--json", ADJUDGE_REDIS_URL=url)
    redis = next(check for check in json.loads(done.stdout) if check["name"] == "redis")
    assert (redis["state"], redis["mend"]) == ("failure", "see ADJUDGE_REDIS_URL")


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://judge:SEKRET@127.0.0.1:1/judge"
    done = adjudge(tmp_path, "doctor", ADJUDGE_DATABASE_URL=url)
    assert done.returncode == 1
    assert "database" in done.stdout
    assert "SEKRET" not in done.stdout + done.stderr
