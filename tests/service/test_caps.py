"""Caps as agents meet them: over HTTP, with two web processes, all at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from judge.store import caps, problems, users
from judge.work import Shelf
from tests.service.conftest import Live


def test_cap_5_and_50_posts_at_once(sturdy_judge: Live) -> None:
    """cases.md: five 201, forty-five 429, which name the cap."""
    judge = sturdy_judge
    problem = problems.get(judge.db, judge.problem)
    package = Shelf(judge.settings.packages).get(problem.package)
    scarce = problems.put(judge.db, replace(package, slug="scarce"), problem.package, cap=5)

    def post(_: int) -> tuple[int, str]:
        answer = judge.call("POST", f"problem/{scarce.id}/submit", language="python", code="1")
        return answer.status_code, str(answer.json().get("message", ""))

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(post, range(50)))

    assert Counter(code for code, _ in answers) == {201: 5, 429: 45}
    assert {message for code, message in answers if code == 429} == {
        "submission cap reached: 5 of 5 submissions to 'scarce' used, 0 left"
    }
    quota = caps.quota(judge.db, users.find(judge.db, "mina").id, scarce.id)
    assert quota is not None
    assert (quota.used, quota.left) == (5, 0)
