"""`adjudge token`: what lets a user in."""

from typing import Any

import click

from judge.cli.console import json_option, open_database, print_json, show
from judge.store import Settings, Token, User, problems, tokens, users


@click.group(name="token")
def command() -> None:
    """Create, list and revoke access tokens."""


@command.command()
@click.argument("user")
@click.option("--name", default="", help="What it is for, to tell it from others.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    help="What it may do; may be repeated (default: all that the user's role allows).",
)
@click.option(
    "--problem",
    "slugs",
    multiple=True,
    metavar="SLUG",
    help="The only problem it may touch; may be repeated (default: all).",
)
@click.option(
    "--days", type=float, default=tokens.LIFETIME_DAYS, show_default=True, help="Its lifetime."
)
@json_option
def create(
    user: str,
    name: str,
    scopes: tuple[str, ...],
    slugs: tuple[str, ...],
    days: float,
    as_json: bool,
) -> None:
    """Create a token of USER and print it. It is shown this once: only its hash is kept.

    \b
    Example:  adjudge token create mina --problem sum --days 30
    """
    db = open_database(Settings())
    owner = users.find(db, user)
    only = [problems.find(db, slug).id for slug in slugs] or None
    token, secret = tokens.create(db, owner, name, scopes=scopes or None, problems=only, days=days)
    if as_json:
        print_json({"token": secret, **_row(token, owner)})
    else:
        click.echo(secret)


@command.command(name="list")
@click.option("--user", help="Those of this user only.")
@json_option
def list_(user: str | None, as_json: bool) -> None:
    """List tokens, without their secrets."""
    db = open_database(Settings())
    owner = users.find(db, user) if user else None
    rows = [_row(token, owner) for token, owner in tokens.all_tokens(db, owner)]
    show(rows, as_json=as_json, empty="no tokens yet; make one: adjudge token create USER")


@command.command()
@click.argument("token_id", type=int, metavar="ID")
@json_option
def revoke(token_id: int, as_json: bool) -> None:
    """End the token ID (see `adjudge token list`) now."""
    db = open_database(Settings())
    token = tokens.revoke(db, token_id)
    if as_json:
        print_json(_row(token, users.get(db, token.user_id)))
    else:
        click.echo(f"token {token_id} is revoked")


def _row(token: Token, owner: User) -> dict[str, Any]:
    return {
        "id": token.id,
        "user": owner.name,
        "name": token.name,
        "scopes": token.scopes,
        "problems": token.problems,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
    }
