"""The cap under parallel load, from several processes, on both databases."""

import subprocess
import sys
from collections import Counter

import pytest

from judge.store import Database, problems, submissions, users
from tests.store.conftest import PACKAGE

CLIENT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from judge.store import CapReached, Database, problems, submissions, users

db = Database(sys.argv[1])
user, problem = users.find(db, "mina"), problems.find(db, "sum")
print("ready", flush=True)
sys.stdin.readline()

def post(key):
    try:
        submission, _ = submissions.admit(
            db, user, problem, "python", submissions.Text(b""), idempotency_key=key
        )
        return str(submission.id)
    except CapReached:
        return "capped"

keys = [sys.argv[2] or None] * 25
with ThreadPoolExecutor(5) as pool:
    print(*pool.map(post, keys))
"""


def post_from_two_processes(url: str, key: str = "") -> list[str]:
    """50 admissions at once over 10 connections; what each was answered."""
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, url, key],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for client in clients:
        assert client.stdout is not None
        assert client.stdout.readline() == "ready\n"
    for client in clients:
        assert client.stdin is not None
        client.stdin.write("go\n")
        client.stdin.flush()
    return [word for client in clients for word in client.communicate()[0].split()]


@pytest.fixture
def url(database_url: str, db: Database) -> str:
    users.add(db, "mina")
    problems.put(db, PACKAGE, "a" * 64, cap=5)
    return database_url


def test_cap_5_and_50_posts_admit_exactly_five(url: str, db: Database) -> None:
    answers = Counter(post_from_two_processes(url))

    assert answers.pop("capped") == 45
    assert set(answers.values()) == {1}
    assert len(submissions.page(db, size=100).views) == 5


def test_one_key_sent_50_times_makes_one_submission(url: str, db: Database) -> None:
    answers = set(post_from_two_processes(url, "the key"))

    assert len(answers) == 1
    assert len(submissions.page(db, size=100).views) == 1
