"""Caps as agents meet them: over HTTP, with two web processes, all at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from judge.store import caps, problems, users
from judge.work import Shelf
from tests.service.conftest import Live


def test_cap_5_and_50_posts_at_once(judge: Live) -> None:
    """cases.md: five 201, forty-five 429, which name the cap."""
    problem = problems.get(judge.db, judge.problem)
    package = Shelf(judge.settings.packages).get(problem.package)
    echo = problems.put(judge.db, replace(package, slug="echo"), problem.package, cap=5)
    assert echo.id == judge.problem

    def post(_: int) -> tuple[int, str]:
        answer = judge.call("POST", f"problem/{judge.problem}/submit", language="python", code="1")
        return answer.status_code, str(answer.json().get("message", ""))

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(post, range(50)))

    assert Counter(code for code, _ in answers) == {201: 5, 429: 45}
    assert {message for code, message in answers if code == 429} == {
        "submission cap reached: 5 of 5 submissions to 'echo' used, 0 left"
    }
    quota = caps.quota(judge.db, users.find(judge.db, "mina").id, judge.problem)
    assert quota is not None
    assert (quota.used, quota.left) == (5, 0)
