"""The operator's commands, run as an operator runs them."""

import json
import shutil
import stat
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli.main import adjudge
from judge.model import LANGUAGES
from judge.packages import content_hash
from judge.store import Database, Worker, problems, submissions, users, workers
from judge.web.locks import locked
from judge.web.repositories import PUSH_LOCK


class Operator:
    """Somebody with a home of their own, who gives commands."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(self, *words: str, **env: str) -> Result:
        return CliRunner().invoke(
            adjudge, words, env={"ADJUDGE_HOME": str(self.home), **env}, catch_exceptions=False
        )

    def json(self, *words: str) -> Any:  # noqa: ANN401
        done = self.run(*words, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *words: str) -> str:
        done = self.run(*words)
        assert done.exit_code in {1, 2}
        assert done.stdout == ""
        return done.stderr


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    return Operator(tmp_path / "home")


def test_users(operator: Operator) -> None:
    added = operator.json("user", "add", "mina", "--agent", "codex", "--model", "m", "--round", "1")
    operator.run("user", "add", "olga", "--role", "operator")

    listed = operator.json("user", "list")

    assert listed[0] == added
    assert [(user["name"], user["role"]) for user in listed] == [
        ("mina", "participant"),
        ("olga", "operator"),
    ]
    assert added["created_at"].endswith("+00:00")
    assert "mina" in operator.run("user", "list").stdout


def test_a_user_that_cannot_be_says_why(operator: Operator) -> None:
    operator.run("user", "add", "mina")

    assert "there is a user 'mina' already" in operator.refused("user", "add", "mina")
    assert "cannot be a user name" in operator.refused("user", "add", "Mina M")
    assert "'king' is not one of" in operator.refused("user", "add", "k", "--role", "king")


def test_tokens(operator: Operator) -> None:
    operator.run("user", "add", "mina")
    secret = operator.run("token", "create", "mina").stdout.strip()
    other = operator.json("token", "create", "mina", "--scope", "problem:read", "--days", "1")

    [first, second] = operator.json("token", "list", "--user", "mina")
    assert secret.startswith("acmoj-")
    assert other["token"].startswith("acmoj-")
    assert second["scopes"] == ["problem:read"]
    assert secret not in json.dumps([first, second])
    assert first["revoked_at"] is None

    operator.run("token", "revoke", str(first["id"]))
    assert operator.json("token", "list")[0]["revoked_at"] is not None


def test_a_token_that_cannot_be_says_why(operator: Operator) -> None:
    operator.run("user", "add", "mina")

    assert "no user 'olga'" in operator.refused("token", "create", "olga")
    assert "no problem 'sum'" in operator.refused("token", "create", "mina", "--problem", "sum")
    assert "no token 7" in operator.refused("token", "revoke", "7")


def test_problems(operator: Operator, echo_package: Path) -> None:
    added = operator.json("problem", "add", str(echo_package), "--cap", "5")

    assert operator.json("problem", "list") == [added]
    assert (added["slug"], added["title"], added["cap"], added["feedback"]) == (
        "echo",
        "Echo",
        5,
        "final",
    )
    assert operator.json("problem", "add", str(echo_package), "--cap", "6")["cap"] == 6
    assert len(operator.json("problem", "list")) == 1


def test_a_problem_is_added_under_a_number_of_its_own(
    operator: Operator, echo_package: Path, tmp_path: Path
) -> None:
    registry = tmp_path / "registry.json"
    registry.write_text('{"problems": {"1": {"acmoj_id": "2510", "max_submissions": 3}}}')

    assert operator.json("problem", "add", str(echo_package), "--id", "2510")["id"] == 2510

    [entry] = operator.json("benchmark", "import", str(registry))["entries"]
    assert entry["served"] == {"2510": "echo"}
    assert "is problem 2510 already" in operator.refused(
        "problem", "add", str(echo_package), "--id", "7"
    )
    assert "0 is not in the range x>=1" in operator.refused(
        "problem", "add", str(echo_package), "--id", "0"
    )


def test_events_say_why(operator: Operator, echo_package: Path) -> None:
    operator.run("problem", "add", str(echo_package))
    operator.run("problem", "hold", "echo", "--reason", "its checker fails")

    [held, *_] = operator.json("events")
    assert (held["action"], held["details"]) == ("hold", {"reason": "its checker fails"})
    assert "reason=its checker fails" in operator.run("events").stdout


def test_a_whole_benchmark_is_bound_to_a_group_of_workers(
    operator: Operator, echo_package: Path, tmp_path: Path
) -> None:
    registry = tmp_path / "two.json"
    registry.write_text(
        '{"problems": {"1": {"acmoj_id": "7,8", "max_submissions": 3},'
        ' "2": {"acmoj_id": "9", "max_submissions": 3}}}'
    )
    shutil.copytree(echo_package.parents[1], tmp_path / "all")
    for slug in ("first", "second", "alone"):
        for folder in ("problems", "data"):
            copy = tmp_path / "all" / folder / slug
            shutil.copytree(tmp_path / "all" / folder / "echo", copy)
        operator.run("problem", "add", str(tmp_path / "all" / "problems" / slug))
    serve = ("--serve", "7=first", "--serve", "9=second")
    operator.run("benchmark", "import", str(registry), *serve)

    bound = operator.json("benchmark", "bind", "two", "--group", "fast")

    assert [entry["groups"] for entry in bound["entries"]] == [["fast"], ["fast"]]
    groups = {one["slug"]: one["group"] for one in operator.json("problem", "list")}
    assert groups == {"first": "fast", "second": "fast", "alone": ""}
    assert operator.json("events")[0]["action"] == "bind"
    freed = operator.run("benchmark", "bind", "two", "--group", "").stdout
    assert freed == "two: 2 problems are judged by workers of no group\n"
    assert {one["group"] for one in operator.json("problem", "list")} == {""}


def test_what_can_be_no_group_is_refused(operator: Operator, echo_package: Path) -> None:
    operator.run("problem", "add", str(echo_package))

    for words in (
        ("problem", "add", str(echo_package)),
        ("benchmark", "bind", "none"),
        ("worker",),
    ):
        for group in ("two words", "x" * 61, "-x", "a\nb"):
            said = operator.refused(*words, "--group", group)
            assert "cannot be a worker group" in said
    assert "no benchmark 'none'" in operator.refused("benchmark", "bind", "none", "--group", "x")


@pytest.fixture
def submitted(operator: Operator, echo_package: Path) -> int:
    """A submission that waits, to a judge that is not up."""
    operator.run("user", "add", "mina")
    operator.run("problem", "add", str(echo_package), "--cap", "5")
    with closing(Database(f"sqlite:///{operator.home / 'adjudge.db'}")) as db:
        mina, echo = users.find(db, "mina"), problems.find(db, "echo")
        submission, _ = submissions.admit(db, mina, echo, "python", submissions.Text(b""))
    return submission.id


def test_submissions(operator: Operator, submitted: int) -> None:
    [listed] = operator.json("submission", "list", "--user", "mina")
    assert (listed["id"], listed["status"], listed["problem"]) == (submitted, "pending", "echo")

    assert "no submission 99" in operator.refused("submission", "abort", "99")
    assert operator.json("submission", "abort", str(submitted))["status"] == "aborted"
    assert "is final (aborted)" in operator.refused("submission", "abort", str(submitted))
    voided = operator.json("submission", "void", str(submitted), "--reason", "a test")
    assert voided["status"] == "void"


def test_rejudges(operator: Operator, submitted: int) -> None:
    started = operator.json("rejudge", "start", "--problem", "echo", "--reason", "mended")
    assert (started["count"], started["state"], started["reason"]) == (1, "open", "mended")

    shown = operator.json("rejudge", "show", "1")
    assert shown["waiting"] == 1
    assert shown["differences"][0]["submission"] == submitted
    assert "1 not judged yet" in operator.run("rejudge", "show", "1").stdout
    assert "1 judgings of rejudge 1 are not finished" in operator.refused("rejudge", "apply", "1")
    assert operator.json("rejudge", "drop", "1")["state"] == "dropped"
    assert [one["state"] for one in operator.json("rejudge", "list")] == ["dropped"]


def test_a_rejudge_of_nothing_or_of_everything_by_chance_is_refused(
    operator: Operator, submitted: int
) -> None:
    assert "say which submissions" in operator.refused("rejudge", "start")
    assert "say which" in operator.refused("rejudge", "start", "--all", "--status", "x")
    refused = operator.refused("rejudge", "start", "--status", "accepted")
    assert "no submission to judge again" in refused
    assert operator.json("rejudge", "start", "--all")["count"] == submitted


def test_a_problem_is_held_and_resumed(operator: Operator, submitted: int) -> None:
    assert submitted
    held = operator.json("problem", "hold", "echo", "--reason", "the checker fails")
    assert held["held"] == "the checker fails"
    assert "the checker fails" in operator.run("problem", "list").stdout
    assert operator.json("problem", "resume", "echo")["held"] is None
    assert "no problem 'x'" in operator.refused("problem", "hold", "x", "--reason", "y")


def test_a_backup_is_restored_into_a_new_home(
    operator: Operator, submitted: int, tmp_path: Path
) -> None:
    (operator.home / "git" / "mina" / "echo.git").mkdir(parents=True)
    file = tmp_path / "judge.tar"
    written = operator.json("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    new = Operator(tmp_path / "new")
    restored = new.json("restore", str(file))

    assert restored["rows"] == written["rows"]
    [listed] = new.json("submission", "list")
    assert (listed["id"], listed["status"]) == (submitted, "pending")
    assert new.json("problem", "list") == operator.json("problem", "list")
    assert (new.home / "git" / "mina" / "echo.git").is_dir()
    [package] = (new.home / "packages").iterdir()
    assert content_hash(package / "package", package / "tests") == package.name
    assert "is not empty" in new.refused("restore", str(file))


def test_a_backup_waits_for_a_push_and_leaves_out_what_is_not_whole(
    operator: Operator, submitted: int, tmp_path: Path
) -> None:
    repository = operator.home / "git" / "mina" / "echo.git"
    repository.mkdir(parents=True)
    (repository / "old.pack").touch()
    (operator.home / "git" / "mina" / "new-1").mkdir()
    (operator.home / "packages" / ".new-1").mkdir()
    file = tmp_path / "judge.tar"

    with ThreadPoolExecutor() as pool:
        with locked(repository / PUSH_LOCK, 0):
            backup = pool.submit(operator.json, "backup", str(file))
            with pytest.raises(TimeoutError):
                backup.result(timeout=1)
            (repository / "old.pack").rename(repository / "new.pack")
        assert backup.result()["rows"]["submission"] == submitted

    with tarfile.open(file) as tar:
        names = {name for name in tar.getnames() if name.startswith("git") or "new" in name}
    assert names == {f"git/mina/echo.git{rest}" for rest in ("", "/new.pack", "/adjudge.lock")}


@pytest.mark.parametrize(
    ("words", "env", "said"),
    [
        (("workers",), {"ADJUDGE_DATABASE_URL": "nonsense"}, "DATABASE_URL: it begins with postg"),
        (("workers",), {"ADJUDGE_DATABASE_URL": "mysql://a:SECRET@b/c"}, "it begins with postgres"),
        (
            ("workers",),
            {"ADJUDGE_DATABASE_URL": "postgresql://a:b:c/"},
            "DATABASE_URL: that is no URL",
        ),
        (("workers",), {"ADJUDGE_REDIS_URL": "queue:6379"}, "REDIS_URL: it begins with redis://"),
        (("workers",), {"ADJUDGE_LEASE_SECONDS": "abc"}, "ADJUDGE_LEASE_SECONDS: Input should be"),
        (("workers",), {"ADJUDGE_HOME": "/dev/null"}, "/dev/null: file exists"),
        (("serve", "--listen", "nonsense"), {}, "'nonsense' is not HOST:PORT"),
        (("serve", "--listen", "localhost:99999"), {}, "'localhost:99999' is not HOST:PORT"),
        (("backup", "/nowhere/judge.tar"), {}, "/nowhere/.judge.tar.part: no such file"),
        (("restore", "/dev/null"), {}, "/dev/null is no whole backup"),
    ],
)
def test_bad_input_is_named_in_a_sentence(
    operator: Operator, words: tuple[str, ...], env: dict[str, str], said: str
) -> None:
    done = operator.run(*words, **env)

    assert done.exit_code in {1, 2}
    assert said in done.stderr
    assert "SECRET" not in done.stderr


def test_an_archive_of_something_else_is_no_backup(operator: Operator, tmp_path: Path) -> None:
    file = tmp_path / "other.tar"
    with tarfile.open(file, "w") as tar:
        tar.add(__file__, "test.py")

    assert "is no backup of a judge" in operator.refused("restore", str(file))
    assert not (operator.home / "packages").exists()


def test_what_was_done_is_listed(operator: Operator) -> None:
    operator.run("user", "add", "mina")
    secret = operator.run("token", "create", "mina").stdout.strip()
    operator.run("token", "revoke", "1")

    listed = operator.json("events")

    assert [(one["action"], one["record"], one["record_id"]) for one in listed] == [
        ("revoke", "token", 1),
        ("create", "token", 1),
        ("add", "user", 1),
    ]
    assert secret not in json.dumps(listed)


def test_a_package_with_a_typo_says_where(operator: Operator, tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "problem.toml").write_text('title = "x"\nlanguges = ["cpp"]\n')

    said = operator.refused("problem", "add", str(package), "--tests", str(package))

    assert "problem.toml: languges" in said
    assert operator.json("problem", "list") == []


def test_an_empty_judge_says_how_to_begin(operator: Operator) -> None:
    assert "adjudge user add" in operator.run("user", "list").stdout
    assert "adjudge problem add" in operator.run("problem", "list").stdout
    assert operator.json("token", "list") == []


def test_every_command_explains_itself(operator: Operator) -> None:
    said = operator.run("--help").stdout
    for command in ("judge", "problem", "serve", "token", "up", "user", "worker"):
        assert command in said
        assert operator.run(command, "--help").exit_code == 0


def test_the_list_of_commands_loads_none_of_them() -> None:
    check = (
        "import sys; from judge.cli.main import adjudge;"
        "adjudge(['--help'], standalone_mode=False); print('sqlalchemy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "Start the judge" in said.stdout
    assert said.stdout.endswith("False\n")


def test_a_database_that_cannot_be_reached_is_one_sentence(
    operator: Operator, tmp_path: Path
) -> None:
    url = f"postgresql://judge@/judge?host={tmp_path}"

    done = operator.run("user", "list", ADJUDGE_DATABASE_URL=url)

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: the database refuses")


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "judge.cli", "--version"], capture_output=True, text=True
    )

    assert done.stdout.startswith("adjudge, version")


def offering(*languages: str) -> Worker:
    return Worker(
        name="one",
        host="box",
        groups=[""],
        languages=list(languages),
        version="1",
        hardware="2 cores",
        load=0.5,
        memory_free_bytes=1,
    )


def test_workers_tell_which_languages_they_lack(operator: Operator) -> None:
    operator.run("user", "list")  # makes the database
    offered = [entry.id for entry in LANGUAGES if entry.id not in {"go", "rust"}]
    with closing(Database(f"sqlite:///{operator.home / 'adjudge.db'}")) as db:
        workers.report(db, offering(*offered))

    assert "go, rust" in operator.run("workers").stdout
    assert operator.json("workers")[0]["languages"] == offered


def test_a_problem_is_checked_before_it_is_served(
    operator: Operator, echo_package: Path, tmp_path: Path
) -> None:
    shutil.copytree(echo_package.parents[1], tmp_path / "copy")
    package = tmp_path / "copy" / "problems" / "echo"
    definition = (package / "problem.toml").read_text()
    (tmp_path / "copy" / "data" / "echo" / "9.in").touch()

    (package / "problem.toml").write_text(definition + '[tests.1]\nwall = "1ms"\n')
    assert "wall: is less than the CPU time" in operator.refused("problem", "add", str(package))
    assert operator.json("problem", "list") == []

    (package / "problem.toml").write_text(definition)
    added = operator.run("problem", "add", str(package))
    assert added.exit_code == 0
    assert "9.in: no group has a test that uses this file" in added.stderr


def test_languages_that_no_worker_offers_are_named(operator: Operator, echo_package: Path) -> None:
    operator.run("user", "list")  # makes the database
    with closing(Database(f"sqlite:///{operator.home / 'adjudge.db'}")) as db:
        workers.report(db, offering("cpp"))
    said = operator.run("problem", "add", str(echo_package)).stderr
    assert "warning: no worker offers python" in said
