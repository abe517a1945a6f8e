"""`adjudge user`: who may use the judge."""

from typing import Any

import click

from judge.cli.console import choice, json_option, open_database, print_json, show
from judge.store import Role, Settings, User, users


@click.group(name="user")
def command() -> None:
    """Add and list users."""


@command.command()
@click.argument("name")
@click.option("--role", type=choice(Role), default=Role.PARTICIPANT.value, show_default=True)
@click.option("--friendly-name", default="", help="Name shown to others (default: the user name).")
@click.option("--agent", help="The coding agent, if the participant is one.")
@click.option("--model", help="The model that the agent runs on.")
@click.option("--round", "round_", help="The round of the benchmark.")
@json_option
def add(
    name: str,
    role: str,
    friendly_name: str,
    agent: str | None,
    model: str | None,
    round_: str | None,
    as_json: bool,
) -> None:
    """Add the user NAME.

    \b
    Example:  adjudge user add mina --agent codex --model gpt --round 1
              adjudge token create mina
    """
    user = users.add(
        open_database(Settings()),
        name,
        Role(role),
        friendly_name=friendly_name,
        agent=agent,
        model=model,
        round=round_,
    )
    if as_json:
        print_json(_row(user))
    else:
        click.echo(
            f"added {user.role.value} {user.name}; make a token: adjudge token create {name}"
        )


@command.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the users."""
    rows = [_row(user) for user in users.all_users(open_database(Settings()))]
    show(rows, as_json=as_json, empty="no users yet; add one: adjudge user add NAME")


def _row(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "friendly_name": user.friendly_name,
        "role": user.role,
        "agent": user.agent,
        "model": user.model,
        "round": user.round,
        "created_at": user.created_at,
    }
