"""Problems over HTTP, as ACMOJ has them (acmoj.md sections 1.3 to 1.5)."""

from dataclasses import replace

from judge.store import Role
from tests.conftest import ServedJudge


def test_a_problem_with_statement_limits_and_what_is_left(served: ServedJudge) -> None:
    problem = served.problem(cap=5)
    found = served.caller().get(f"/problem/{problem.id}").json()
    assert found["id"] == problem.id
    assert found["slug"] == problem.slug
    assert found["title"] == "A + B"
    assert "two" in found["description"]
    assert {"c", "cpp", "python", "git"} <= set(found["languages_accepted"])
    assert found["allow_public_submissions"] is False
    assert found["quota"] == {"cap": 5, "used": 0, "left": 5}
    assert found["examples"][0].keys() == {"name", "input", "output", "description"}
    assert found["example_input"] == found["examples"][0]["input"]
    for absent in ("input", "output", "data_range"):
        assert found[absent] is None
    subtask = found["plan_summary"]["subtasks"][0]
    assert (subtask["id"], subtask["name"], subtask["score"]) == ("1", "Small", 40.0)
    limits = subtask["testpoints"][0]["limits"]
    assert limits["time_msecs"] * 1_000_000 == limits["cpu_ns"]
    assert limits["memory_bytes"] > 0


def test_a_problem_without_cap_says_so(served: ServedJudge) -> None:
    problem = served.problem()
    assert served.caller().get(f"/problem/{problem.id}").json()["quota"] is None


def test_the_list_goes_up_by_id_in_pages_of_twenty(served: ServedJudge) -> None:
    mine = [served.problem().id for _ in range(23)]
    # A token that may touch these problems sees these alone.
    caller = served.caller(problems=mine)
    first = caller.get("/problem/", params={"keyword": "A + B"}).json()
    assert [problem["id"] for problem in first["problems"]] == mine[:20]
    assert first["next"].startswith("/OnlineJudge/api/v1/problem/?keyword=")
    assert first["next"].endswith(f"cursor={mine[20]}")
    second = caller.get(first["next"]).json()
    assert [problem["id"] for problem in second["problems"]] == mine[20:]
    assert second["next"] is None


def test_a_brief_has_links_under_the_prefix_that_was_asked(served: ServedJudge) -> None:
    problem = served.problem()
    caller = served.caller(problems=[problem.id])
    for prefix in ("/OnlineJudge/api/v1", "/api/v1"):
        answer = replace(caller, prefix=prefix).get("/problem/")
        assert answer.json()["problems"] == [
            {
                "id": problem.id,
                "slug": problem.slug,
                "title": "A + B",
                "url": f"{prefix}/problem/{problem.id}",
                "submit_url": f"{prefix}/problem/{problem.id}/submit",
                "html_url": None,
                "quota": None,
            }
        ]


def test_keyword_is_a_part_of_the_title(served: ServedJudge) -> None:
    problem = served.problem()
    caller = served.caller(problems=[problem.id])
    for keyword, count in (("+ B", 1), ("", 1), ("100%", 0), ("\0", 0)):
        found = caller.get("/problem/", params={"keyword": keyword}).json()["problems"]
        assert len(found) == count, keyword


def test_a_problem_that_is_not_released_is_there_for_operators_alone(served: ServedJudge) -> None:
    hidden = served.problem(released=False)
    answer = served.caller().get(f"/problem/{hidden.id}")
    assert answer.status_code == 404
    assert answer.json() == {"error": 404, "message": ""}
    assert served.caller(Role.OPERATOR).get(f"/problem/{hidden.id}").status_code == 200
