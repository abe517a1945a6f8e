"""`adjudge-client` as an agent's shell runs it, against a real server."""

import json
import os
import stat
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.model import Outcome, Verdict
from judge.store import judgings, problems
from tests.conftest import Caller, ServedJudge

Run = Callable[..., subprocess.CompletedProcess[str]]

GIT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@pytest.fixture
def caller(served: ServedJudge) -> Caller:
    return served.caller()


@pytest.fixture
def client(served: ServedJudge, caller: Caller, tmp_path: Path) -> Run:
    """`client("submit", ...)` in `tmp_path`, signed in by its environment."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "ADJUDGE_SERVER": served.address,
            "ADJUDGE_TOKEN": caller.token,
        }
        return subprocess.run(
            [sys.executable, "-m", "client.cli", *map(str, arguments)],
            env={k: v for k, v in (variables | GIT | environment).items() if v},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "my answer"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "main.cpp").write_text("int main() {}")
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "first")
    return folder


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=os.environ | GIT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_problems_and_what_is_left(served: ServedJudge, client: Run) -> None:
    problem = served.problem(cap=3)
    row = next(line for line in client("problems").stdout.splitlines() if problem.slug in line)
    assert row.split()[:2] == [str(problem.id), problem.slug]
    assert row.endswith("3 of 3")
    found = json.loads(client("quota", problem.slug, "--json").stdout)
    assert found["quotas"][0]["quota"] == {"cap": 3, "used": 0, "left": 3}


def test_a_source_file_by_the_problem_s_name(served: ServedJudge, client: Run) -> None:
    problem = served.problem()
    done = client("--json", "submit", problem.slug, __file__)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["language"], found["status"]) == ("python", "pending")
    assert found["problem"]["id"] == problem.id


def test_a_source_that_is_not_utf_8_is_sent_as_it_is(
    served: ServedJudge, caller: Caller, client: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_bytes(b'char *s = "\xe9\r\n";')
    done = client("submit", served.problem().id, tmp_path / "a.c", "--json")
    assert done.returncode == 0, done.stderr
    code = caller.get(f"/submission/{json.loads(done.stdout)['id']}/code").content
    assert code == (tmp_path / "a.c").read_bytes()


def test_a_repository_is_pushed_and_its_commit_submitted(
    served: ServedJudge, caller: Caller, client: Run, repository: Path
) -> None:
    problem = served.problem()
    (repository / "main.cpp").write_text("int main() { return 1; }")
    done = client("submit", problem.id, repository, "--json")
    assert done.returncode == 0, done.stderr
    assert "warning: not committed, so not part of it: main.cpp" in done.stderr
    found = json.loads(done.stdout)
    assert found["commit"] == git(repository, "rev-parse", "HEAD")
    code = caller.get(f"/submission/{found['id']}/code").text
    assert code == f"/git/{caller.user.name}/my-answer.git"


def test_another_commit_than_the_one_checked_out(
    served: ServedJudge, client: Run, repository: Path
) -> None:
    problem = served.problem()
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "--quiet", "-b", "try")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "on a branch")
    branch = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "--quiet", "-")
    for revision, commit in (("try", branch), (first[:8], first), ("HEAD", first)):
        done = client("submit", problem.id, repository, "--commit", revision, "--json")
        assert json.loads(done.stdout)["commit"] == commit, done.stderr


def test_pushing_alone(client: Run, caller: Caller, repository: Path) -> None:
    found = json.loads(client("push", repository, "--repo", "other", "--json").stdout)
    assert found["commit"] == git(repository, "rev-parse", "HEAD")
    assert found["url"] == f"{caller.address}/git/{caller.user.name}/other.git"


def test_the_token_shows_up_nowhere(
    caller: Caller, client: Run, repository: Path, tmp_path: Path
) -> None:
    """Not in arguments (git traces them), not in what curl says, not in files, not in output."""
    trace = tmp_path / "trace"
    done = client("push", repository, GIT_TRACE=str(trace), GIT_TRACE_CURL=str(trace))
    assert done.returncode == 0, done.stderr
    secrets = [caller.token, b64encode(f"token:{caller.token}".encode()).decode()]
    texts = [done.stdout, done.stderr, trace.read_text()]
    texts += [path.read_text(errors="replace") for path in repository.rglob("*") if path.is_file()]
    assert "http" in texts[2]
    assert not [secret for secret in secrets for text in texts if secret in text]


@pytest.mark.parametrize(
    ("verdict", "code"),
    [(Verdict.ACCEPTED, 0), (Verdict.WRONG_ANSWER, 1), (Verdict.SYSTEM_ERROR, 6)],
)
def test_the_exit_code_of_wait_tells_the_verdict(
    served: ServedJudge, caller: Caller, client: Run, verdict: Verdict, code: int
) -> None:
    number = caller.submit(served.problem())
    served.finish(number, verdict)
    done = client("wait", number)
    assert done.returncode == code
    assert f"submission {number}: {verdict}" in done.stdout
    assert client("status", number).returncode == 0


def test_waiting_ends_with_the_timeout(served: ServedJudge, caller: Caller, client: Run) -> None:
    done = client("wait", caller.submit(served.problem()), "--timeout", "0.1", "--json")
    assert done.returncode == 5
    assert json.loads(done.stdout)["status"] == "pending"


def test_who_waits_for_a_held_problem_learns_why(
    served: ServedJudge, caller: Caller, client: Run
) -> None:
    problem = served.problem()
    number = caller.submit(problem)
    problems.hold(served.db, problem.id, "its checker fails", None)

    assert "the problem is held: its checker fails\n" in client("status", number).stdout
    waited = client("wait", number, "--timeout", 0.1)
    assert "pending (the problem is held: its checker fails)\n" in waited.stderr
    assert waited.returncode == 5


def test_abort(served: ServedJudge, caller: Caller, client: Run) -> None:
    number = caller.submit(served.problem())
    assert f"submission {number}: aborted" in client("abort", number).stdout
    again = client("abort", number)
    assert again.returncode == 3
    assert "is final (aborted)" in again.stderr
    assert client("wait", number).returncode == 6


def test_a_reached_cap_says_what_is_left(served: ServedJudge, client: Run) -> None:
    problem = served.problem(cap=1)
    client("submit", problem.id, __file__)
    done = client("submit", problem.id, __file__, "--json")
    assert done.returncode == 3
    assert "1 of 1" in done.stderr
    assert json.loads(done.stdout)["status"] == 429


def test_a_push_that_is_refused_says_why(
    served: ServedJudge, client: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.repositories, "quota_bytes", 100_000)
    (repository / "big").write_bytes(os.urandom(200_000))
    git(repository, "add", "-A")
    git(repository, "commit", "--quiet", "-m", "big")
    done = client("push", repository)
    assert done.returncode == 3
    assert "exceeds maximum allowed size" in done.stderr


def test_bad_input_is_named_before_anything_is_sent(
    served: ServedJudge, client: Run, repository: Path, tmp_path: Path
) -> None:
    problem = served.problem()
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "--quiet")
    (tmp_path / "a.rs").write_text("fn main() {}")
    for arguments, said in (
        (("submit", "nothing", __file__), "no problem 'nothing'"),
        (("submit", problem.id, tmp_path), "is not in a git repository"),
        (("submit", problem.id, empty), "has no commit yet"),
        (("submit", problem.id, tmp_path / "none"), "cannot be told"),
        (("submit", problem.id, tmp_path / "none.py"), "no such file"),
        (("submit", problem.id, tmp_path / "a.rs"), "use --language"),
        (("submit", problem.id, "-"), "--language"),
        (("submit", problem.id, repository, "-l", "cpp"), "is submitted with git"),
        (("submit", problem.id, repository, "--commit", "none"), "no commit 'none'"),
        (("submit", problem.id, repository, "--repo", "../x"), "no repository name"),
        (("submit", problem.id, __file__, "--commit", "HEAD"), "not for a source file"),
        (("--server", "ftp://x", "problems"), "no server address"),
        (("--server", "http://a:b@x", "problems"), "use --token"),
        (("--token", "a b", "problems"), "blanks"),
        (("--token", "", "problems"), "no token"),
    ):
        done = client(*arguments, ADJUDGE_TOKEN="") if said == "no token" else client(*arguments)
        assert done.returncode == 2, (arguments, done.stderr)
        assert said in done.stderr, arguments


def test_what_the_server_refuses(served: ServedJudge, client: Run, tmp_path: Path) -> None:
    problem = served.problem()
    (tmp_path / "large.py").write_text("#" * 200_000)
    for arguments, said in (
        (("status", "999999"), "no such problem or submission"),
        (("submit", "999999", __file__), "no such problem or submission"),
        (("submit", problem.id, __file__, "-l", "cobol"), "it takes: c, cpp"),
        (("submit", problem.id, tmp_path / "large.py"), "200000 bytes"),
        (("submit", problem.id, "https://127.0.0.1/x.git"), "private address"),
        (("--token", "acmoj-" + "0" * 32, "status", "1"), "missing or invalid"),
        (("--token", "acmoj-" + "0" * 32, "problems"), "or the token is not valid"),
    ):
        done = client(*arguments)
        assert done.returncode == 3, (arguments, done.stderr)
        assert said in done.stderr, arguments


def test_a_server_that_is_not_there(client: Run, repository: Path) -> None:
    for arguments in (("problems",), ("push", repository)):
        done = client(*arguments, ADJUDGE_SERVER="http://127.0.0.1:1")
        assert done.returncode == 4
        assert "no answer from http://127.0.0.1:1: connection refused" in done.stderr


def test_signing_in_keeps_the_token_for_its_owner_alone(
    served: ServedJudge, caller: Caller, client: Run, tmp_path: Path
) -> None:
    place = tmp_path / "deep" / "client.toml"
    unset = {"ADJUDGE_TOKEN": "", "ADJUDGE_SERVER": "", "ADJUDGE_CONFIG": str(place)}
    done = client("login", "--server", served.address, "--token", caller.token, **unset)
    assert done.returncode == 0, done.stderr
    assert caller.user.name in done.stdout
    assert caller.token not in done.stdout + done.stderr
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert client("problems", **unset).returncode == 0
    assert client("login", "--token", "acmoj-wrong", **unset).returncode in {3, 4}
    place.write_text("tokn = 'x'")
    assert "not tokn" in client("problems", **unset).stderr


def test_what_a_program_says_does_not_steer_the_terminal(
    served: ServedJudge, caller: Caller, client: Run
) -> None:
    number = caller.submit(served.problem())
    message = "\x1b]0;gone\x07<img src=x> \x1b[2J"
    outcome = Outcome(Verdict.COMPILE_ERROR, message=message)
    judgings.finish(served.db, served.begin(number), outcome)
    shown = client("status", number).stdout
    assert "\\x1b[2J" in shown
    assert "\x1b" not in shown


def test_help_shows_examples_and_exit_codes(client: Run) -> None:
    shown = client("--help").stdout
    assert "examples:" in shown
    assert "exit codes:" in shown
    assert client("submit").returncode == 2


def test_a_repository_sent_with_the_request(
    served: ServedJudge, client: Run, repository: Path
) -> None:
    problem = served.problem()
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "second")
    for arguments, commit in (((), "HEAD"), (("--commit", first), first)):
        done = client("submit", problem.id, repository, "--bundle", "--json", *arguments)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["commit"] == git(repository, "rev-parse", commit)
