"""The benchmark's own client, after changing one line: its address (acmoj.md section 1.10)."""

import shutil
import subprocess
from pathlib import Path

import pytest
import requests

from tests.service.conftest import ROOT, Live, wait_until

SUM = ROOT / "problems" / "sum"


class BenchmarkClient:
    """As that client behaves: forms, its own User-Agent, form content type even on GET and on an
    empty POST, 10 s timeouts, 204 is success, anything else that is not 2xx is None."""

    def __init__(self, token: str, address: str) -> None:
        self.api_base = f"{address}/OnlineJudge/api/v1"
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-www-form-urlencoded",
            "User-Agent": "ACMOJ-Python-Client/2.2",
        }

    def submit(self, problem_id: int, language: str, code: str) -> dict[str, int] | None:
        return self._call("POST", f"/problem/{problem_id}/submit", language=language, code=code)

    def submission(self, number: int) -> dict[str, object]:
        found = self._call("GET", f"/submission/{number}")
        assert found is not None
        return found

    def abort(self, number: int) -> dict[str, object] | None:
        return self._call("POST", f"/submission/{number}/abort")

    def _call(self, method: str, path: str, **form: str) -> dict[str, object] | None:
        answer = requests.request(
            method, self.api_base + path, headers=self.headers, data=form or None, timeout=10
        )
        if answer.status_code == 204:
            return {"status": "success"}
        return answer.json() if answer.ok else None


@pytest.fixture
def client(judge: Live) -> BenchmarkClient:
    return BenchmarkClient(judge.token, judge.address)


def final(client: BenchmarkClient, number: int) -> dict[str, object]:
    wait_until(lambda: not client.submission(number)["should_auto_reload"])
    return client.submission(number)


def test_submit_poll_and_collect(judge: Live, client: BenchmarkClient) -> None:
    source = (SUM / "solutions/accepted/sum.cpp").read_text()
    made = client.submit(judge.problem, "cpp", source)
    assert made is not None
    found = final(client, made["id"])
    assert (found["status"], found["score"]) == ("accepted", 100)
    assert found["problem"]["id"] == judge.problem
    collected = requests.get(
        f"{judge.address}{found['code_url']}",
        headers={"Authorization": f"Bearer {judge.token}"},
        timeout=10,
    )
    assert collected.text == source


def test_submit_a_repository(judge: Live, client: BenchmarkClient, tmp_path: Path) -> None:
    work = tmp_path / "work"
    shutil.copytree(SUM / "solutions/accepted/with_make", work)
    host = judge.address.removeprefix("http://")
    url = f"http://mina:{judge.token}@{host}/git/mina/benchmark"
    who = ["-c", "user.name=Mina", "-c", "user.email=mina@example.org"]
    for arguments in (
        ["init", "--quiet"],
        ["add", "-A"],
        [*who, "commit", "--quiet", "-m", "answer"],
        ["push", "--quiet", url, "HEAD"],
    ):
        subprocess.run(["git", *arguments], cwd=work, check=True, timeout=60)
    made = client.submit(judge.problem, "git", f"{judge.address}/git/mina/benchmark")
    assert made is not None
    assert final(client, made["id"])["status"] == "accepted"


def test_submit_and_abort(judge: Live, client: BenchmarkClient) -> None:
    made = client.submit(judge.problem, "python", "import time; time.sleep(100)")
    assert made is not None
    assert client.abort(made["id"]) == {"status": "success"}
    assert client.submission(made["id"])["status"] == "aborted"
    assert client.abort(made["id"]) is None


def test_what_fails_is_no_answer(judge: Live, client: BenchmarkClient) -> None:
    assert client.submit(999, "cpp", "x") is None
    assert client.submit(judge.problem, "mov", "x") is None
    assert BenchmarkClient("acmoj-" + "0" * 32, judge.address).submit(1, "cpp", "x") is None
