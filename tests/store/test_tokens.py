import re

import pytest
from sqlalchemy import text

from judge.store import Database, NotFound, Role, StoreError, tokens, users
from judge.store.tokens import OPERATOR_SCOPES, PARTICIPANT_SCOPES, Scope


def test_the_secret_lets_its_user_in(db: Database) -> None:
    mina = users.add(db, "mina")
    _, secret = tokens.create(db, mina, "laptop")

    access = tokens.check(db, secret)

    assert access is not None
    assert access.user.name == "mina"
    assert access.token.scopes == list(PARTICIPANT_SCOPES)
    assert len(PARTICIPANT_SCOPES) == 9


def test_the_secret_has_the_form_that_existing_clients_accept(db: Database) -> None:
    _, secret = tokens.create(db, users.add(db, "mina"))

    assert re.fullmatch(r"acmoj-[0-9a-f]{32}", secret)


def test_the_secret_is_kept_nowhere(db: Database) -> None:
    _, secret = tokens.create(db, users.add(db, "mina"))

    with db.read() as session:
        rows = session.connection().execute(text("SELECT * FROM token")).all()

    assert secret not in str(rows)
    assert secret.removeprefix("acmoj-") not in str(rows)


@pytest.mark.parametrize("secret", ["", "acmoj-", "acmoj-" + "0" * 32, "Bearer x", "\0", "é" * 38])
def test_an_unknown_secret_lets_nobody_in(db: Database, secret: str) -> None:
    assert tokens.check(db, secret) is None


def test_a_revoked_token_lets_nobody_in(db: Database) -> None:
    token, secret = tokens.create(db, users.add(db, "mina"))
    first = tokens.revoke(db, token.id)

    assert tokens.check(db, secret) is None
    assert tokens.revoke(db, token.id).revoked_at == first.revoked_at


def test_an_expired_token_lets_nobody_in(db: Database) -> None:
    _, secret = tokens.create(db, users.add(db, "mina"), days=1e-9)

    assert tokens.check(db, secret) is None


def test_a_token_lives_for_a_year(db: Database) -> None:
    token, _ = tokens.create(db, users.add(db, "mina"))

    assert (token.expires_at - token.created_at).days == 365


@pytest.mark.parametrize("days", [0, -1, 1e9, float("nan"), float("inf")])
def test_a_lifetime_must_be_one(db: Database, days: float) -> None:
    with pytest.raises(StoreError, match="lives for"):
        tokens.create(db, users.add(db, "mina"), days=days)


def test_a_token_may_carry_less_than_its_user_may_do(db: Database) -> None:
    _, secret = tokens.create(db, users.add(db, "mina"), scopes=["problem:read"], problems=[3])

    access = tokens.check(db, secret)

    assert access is not None
    assert access.allows(Scope.PROBLEM_READ)
    assert not access.allows(Scope.SUBMISSION_CREATE)
    assert access.may_touch(3)
    assert not access.may_touch(4)


@pytest.mark.parametrize("scope", ["user:manage", "worker", "nonsense"])
def test_a_token_never_carries_more(db: Database, scope: str) -> None:
    with pytest.raises(StoreError, match=f"cannot have the scope '{scope}'"):
        tokens.create(db, users.add(db, "mina"), scopes=[scope])


def test_operators_carry_scopes_of_their_own(db: Database) -> None:
    token, _ = tokens.create(db, users.add(db, "olga", Role.OPERATOR))

    assert token.scopes == list(OPERATOR_SCOPES)


def test_tokens_are_listed_with_their_owner(db: Database) -> None:
    mina, olga = users.add(db, "mina"), users.add(db, "olga")
    for user in (mina, olga, mina):
        tokens.create(db, user)

    assert [owner.name for _, owner in tokens.all_tokens(db)] == ["mina", "olga", "mina"]
    assert len(tokens.all_tokens(db, olga)) == 1


def test_an_unknown_token_cannot_be_revoked(db: Database) -> None:
    with pytest.raises(NotFound, match="no token 9"):
        tokens.revoke(db, 9)
