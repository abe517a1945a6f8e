"""The operator's commands, run as an operator runs them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli.main import adjudge


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
