from datetime import UTC

import pytest

from judge.store import Database, Exists, NotFound, Role, StoreError, users


def test_an_agent_carries_its_model_and_round(db: Database) -> None:
    users.add(db, "mina", agent="codex", model="gpt", round="2")

    mina = users.find(db, "MINA")

    assert (mina.role, mina.agent, mina.model, mina.round) == (
        Role.PARTICIPANT,
        "codex",
        "gpt",
        "2",
    )
    assert mina.friendly_name == "mina"
    assert mina.created_at.tzinfo is UTC


def test_a_name_is_taken_once(db: Database) -> None:
    users.add(db, "mina")

    with pytest.raises(Exists, match="'mina' already"):
        users.add(db, "mina")


@pytest.mark.parametrize(
    "name", ["", "Mina", "../etc", "a b", "-o", ".", "x" * 65, "mina.git", "a.lock", "ü", "a\0b"]
)
def test_a_name_must_be_safe_in_paths_and_urls(db: Database, name: str) -> None:
    with pytest.raises(StoreError, match="cannot be a user name"):
        users.add(db, name)
    assert users.all_users(db) == []


def test_only_participants_are_agents(db: Database) -> None:
    with pytest.raises(StoreError, match="participants only"):
        users.add(db, "root", Role.ADMIN, agent="codex")


def test_an_unknown_user_is_not_found(db: Database) -> None:
    with pytest.raises(NotFound, match="no user 'nobody'"):
        users.find(db, "nobody")
    with pytest.raises(NotFound):
        users.get(db, 17)


def test_text_that_databases_refuse_is_replaced(db: Database) -> None:
    user = users.add(db, "mina", friendly_name="M\0i\ud800na")

    assert users.get(db, user.id).friendly_name == "M\ufffdi\ufffdna"
