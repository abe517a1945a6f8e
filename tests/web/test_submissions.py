"""Handing in and looking, as ACMOJ has it (acmoj.md sections 1.4, 1.5 and 1.7)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

import pytest

from judge.model import Group, State, TestResult, Usage, Verdict, score
from judge.store import Feedback, Judging, Role, TestRow, judgings
from judge.web import details
from judge.web.visibility import OUR_FAULTS
from judge.work import Shelf
from tests.conftest import ServedJudge


def test_the_way_of_a_submission_as_a_poller_sees_it(served: ServedJudge) -> None:
    problem, caller = served.problem(), served.caller()
    form = {"language": "python", "code": "print(1)", "public": "false"}
    answer = caller.post(f"/problem/{problem.id}/submit", data=form)
    number = answer.json()["id"]
    assert answer.status_code == 201
    assert answer.json() == {"id": number}
    assert answer.headers["Location"] == f"/OnlineJudge/api/v1/submission/{number}"

    pending = caller.get(answer.headers["Location"]).json()
    assert pending["status"] == "pending"
    assert pending["should_auto_reload"] is True
    assert pending["should_show_score"] is False
    assert pending["abort_url"] == f"/OnlineJudge/api/v1/submission/{number}/abort"
    for empty in ("details", "message", "time_msecs", "memory_bytes", "commit"):
        assert pending[empty] is None

    lease = served.begin(number)
    served.record(lease, "001", Verdict.ACCEPTED)
    judging = caller.submission(number)
    assert judging["status"] == "judging"
    details = judging["details"]
    assert (details["result"], details["score"]) == ("judging", 0.0)
    points = [point["result"] for point in details["groups"][0]["testpoints"][:3]]
    assert points == ["accepted", "judging", "pending"]
    assert [group["result"] for group in details["groups"]] == ["judging", "pending", "pending"]


def test_a_judged_submission_in_full(served: ServedJudge) -> None:
    problem, caller = served.problem(), served.caller()
    number = caller.submit(problem)
    served.finish(number)
    found = caller.submission(number)
    assert found["status"] == "accepted"
    assert found["score"] == 100
    assert type(found["score"]) is int
    assert found["friendly_name"] == caller.user.friendly_name
    assert found["problem"]["id"] == problem.id
    assert found["language"] == "python"
    assert found["time_msecs"] == 1040  # the sum
    assert found["memory_bytes"] == 1 << 20  # the maximum
    assert found["should_auto_reload"] is False
    assert found["should_show_score"] is True
    assert found["abort_url"] is None
    assert datetime.fromisoformat(found["created_at"]).utcoffset() is not None
    assert found["judging"]["generation"] == found["judging"]["attempt"] == 1
    details = found["details"]
    assert (details["result"], details["score"], details["message"]) == ("accepted", 100.0, None)
    group = details["groups"][0]
    assert group.keys() == {"id", "name", "result", "score", "testpoints"}
    assert (group["id"], group["name"], group["score"]) == ("1", "Small", 40.0)
    assert group["testpoints"][0] == {
        "id": "001",
        "result": "accepted",
        "message": "",
        "score": 1.0,
        "resource_usage": {
            "time_msecs": 10,
            "memory_bytes": 1 << 20,
            "file_count": 0,
            "file_size_bytes": 0,
            "cpu_ns": 10_400_000,
            "wall_ns": 12_000_000,
        },
        "raw_score": None,
        "judge_message": None,
        "other_look": None,
    }


def test_a_raw_score_and_both_looks_are_shown() -> None:
    test = TestRow(
        judging_id=1,
        test="1",
        verdict=Verdict.WRONG_ANSWER,
        score=0.5,
        raw_score=250,
        cpu_ns=9,
        other_cpu_ns=7,
        other_wall_ns=8,
    )
    group = Group("1", "All", 100, ("1",))
    found = details.unfinished(Judging(state=State.JUDGING), [test], [group])
    (shown,) = found["groups"][0]["testpoints"]
    assert shown["raw_score"] == 250
    assert shown["other_look"] == {"cpu_ns": 7, "wall_ns": 8}


def test_what_a_validator_tells_the_judges_is_for_operators_alone(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    test = TestResult("001", Verdict.WRONG_ANSWER, 0, "not quite", judge_message=SECRET)
    lease = served.begin(number)
    judgings.enter(served.db, lease, State.JUDGING)
    judgings.record(served.db, lease, [test])

    seen = [caller.submission(number), served.caller(Role.OPERATOR).submission(number)]
    points = [view["details"]["groups"][0]["testpoints"][0] for view in seen]
    assert [point["message"] for point in points] == ["not quite"] * 2
    assert [point["judge_message"] for point in points] == [None, SECRET]
    assert SECRET not in caller.get(f"/submission/{number}").text


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"code": "x"}, "language is missing"),
        ({"language": "python"}, "code is missing"),
        ({"language": "cobol", "code": "x"}, "it takes: c, cpp, cpp11"),
        ({"language": "python", "code": "x" * 200_000}, "200000 bytes"),
        ({"language": "python", "code": "x", "public": "true"}, "private"),
        ({"language": "git", "code": ""}, "must be the URL of a repository"),
    ],
)
def test_what_is_not_taken(served: ServedJudge, form: dict[str, str], said: str) -> None:
    problem, caller = served.problem(cap=1), served.caller()
    answer = caller.post(f"/problem/{problem.id}/submit", data=form)
    assert answer.status_code == 400
    assert said in answer.json()["message"]
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["left"] == 1


def test_a_form_of_very_many_fields(served: ServedJudge) -> None:
    path = f"/problem/{served.problem().id}/submit"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = served.caller().post(path, data="&".join(["a=b"] * 200), headers=headers)
    assert answer.status_code == 400
    assert "at most 100 fields" in answer.json()["message"]


def test_a_form_that_is_very_large(served: ServedJudge) -> None:
    path = f"/problem/{served.problem().id}/submit"
    form = {"language": "python", "code": "x" * (17 << 20)}
    answer = served.caller().post(path, data=form)
    assert (answer.status_code, answer.json()["error"]) == (413, 413)


def test_json_is_no_form(served: ServedJudge) -> None:
    path = f"/problem/{served.problem().id}/submit"
    answer = served.caller().post(path, json={"language": "python", "code": "x"})
    assert answer.status_code == 400
    assert "application/x-www-form-urlencoded" in answer.json()["message"]


@pytest.mark.parametrize("way", ["data", "files"])
@pytest.mark.parametrize(
    "code", [b"", "é\0\x1b[31m".encode(), b"a=\xe9&b;+ %\xff", b"\xed\xa0\x80"]
)
def test_any_text_is_taken_and_given_back(served: ServedJudge, code: bytes, way: str) -> None:
    """In a form, or as a file in it."""
    caller = served.caller()
    form: dict[str, dict[str, object]] = {"data": {"language": "python"}, "files": {}}
    form[way]["code"] = code
    answer = caller.post(f"/problem/{served.problem().id}/submit", **form)
    assert answer.status_code == 201, answer.text
    found = caller.submission(answer.json()["id"])
    back = caller.get(found["code_url"])
    assert back.status_code == 200
    assert back.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert back.headers["X-Content-Type-Options"] == "nosniff"
    assert back.content == code


def test_fifty_at_once_at_a_cap_of_five(served: ServedJudge) -> None:
    problem, caller = served.problem(cap=5), served.caller()
    form = {"language": "python", "code": "pass"}

    def post(_: int) -> tuple[int, str]:
        answer = caller.post(f"/problem/{problem.id}/submit", data=form)
        return answer.status_code, answer.json().get("message", "")

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(post, range(50)))
    codes = [code for code, _ in answers]
    assert (codes.count(201), codes.count(429)) == (5, 45)
    refused = caller.post(f"/problem/{problem.id}/submit", data=form).json()
    assert refused["quota"] == {"cap": 5, "used": 5, "left": 0}
    assert "cap" in refused["message"]
    assert "5 of 5" in refused["message"]


def test_a_fault_of_ours_gives_the_slot_back(served: ServedJudge) -> None:
    problem, caller = served.problem(cap=1), served.caller()
    number = caller.submit(problem)
    served.finish(number, Verdict.SYSTEM_ERROR)
    assert caller.submission(number)["quota"] == {"cap": 1, "used": 0, "left": 1}
    caller.submit(problem)


def test_a_repeated_request_with_the_same_key_counts_once(served: ServedJudge) -> None:
    problem, caller = served.problem(cap=5), served.caller()
    form = {"language": "python", "code": "pass"}
    path, headers = f"/problem/{problem.id}/submit", {"Idempotency-Key": "once"}
    first, second = (caller.post(path, data=form, headers=headers) for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["used"] == 1
    for key in ("x" * 201, "a b", ""):
        assert caller.post(path, data=form, headers={"Idempotency-Key": key}).status_code == 400


def test_the_list_goes_down_by_id_and_holds_ones_own(served: ServedJudge) -> None:
    problem, caller, other = served.problem(), served.caller(), served.caller()
    other.submit(problem)
    mine = [caller.submit(problem) for _ in range(17)]
    first = caller.get("/submission/", params={"problem_id": problem.id, "lang": ""}).json()
    assert [found["id"] for found in first["submissions"]] == mine[:1:-1]
    second = caller.get(first["next"]).json()
    assert [found["id"] for found in second["submissions"]] == mine[1::-1]
    assert second["next"] is None
    assert second["submissions"][0].keys() == {
        *("id", "friendly_name", "problem", "status", "language", "created_at", "url", "html_url"),
        "quota",
    }


def test_the_list_says_how_many_are_left(served: ServedJudge) -> None:
    caller = served.caller()
    for problem in (served.problem(cap=5), served.problem()):
        caller.submit(problem)
        caller.submit(problem)
    listed = caller.get("/submission/").json()["submissions"]
    left = {"cap": 5, "used": 2, "left": 3}
    assert [one["quota"] for one in listed] == [None, None, left, left]


def test_filters_of_the_list(served: ServedJudge) -> None:
    problem, caller = served.problem(), served.caller()
    number = caller.submit(problem)
    served.finish(number, Verdict.WRONG_ANSWER)
    name = caller.user.name.upper()
    for query, count in (
        ({"status": "wrong_answer"}, 1),
        ({"status": "accepted"}, 0),
        ({"status": "no such status"}, 0),
        ({"username": name}, 1),
        ({"username": "nobody"}, 0),
        ({"lang": "python"}, 1),
        ({"lang": "cpp"}, 0),
        ({"problem_id": "999999"}, 0),
    ):
        answer = caller.get("/submission/", params=query)
        assert answer.status_code == 200
        assert len(answer.json()["submissions"]) == count, query


def test_submissions_of_others_do_not_exist(served: ServedJudge) -> None:
    number = served.caller().submit(served.problem())
    stranger, operator = served.caller(), served.caller(Role.OPERATOR)
    for path in (f"/submission/{number}", f"/submission/{number}/code"):
        assert stranger.get(path).status_code == 404
        assert operator.get(path).status_code == 200
    assert stranger.post(f"/submission/{number}/abort").status_code == 404


def test_abort_settles_at_once_and_only_once(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem(cap=1))
    answer = caller.post(f"/submission/{number}/abort")
    assert (answer.status_code, answer.content) == (204, b"")
    found = caller.submission(number)
    assert found["status"] == "aborted"
    assert found["score"] == 0
    assert found["should_show_score"] is False
    assert found["quota"]["left"] == 1, "nothing had been judged"
    again = caller.post(f"/submission/{number}/abort")
    assert again.status_code == 403
    assert again.json()["message"].startswith("cannot abort")


def test_with_final_feedback_an_abort_is_no_oracle(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem(cap=2, feedback=Feedback.FINAL))
    lease = served.begin(number)
    served.record(lease, "001", Verdict.WRONG_ANSWER)
    assert caller.submission(number)["status"] == "judging"
    assert caller.submission(number)["details"] is None
    operator = served.caller(Role.OPERATOR)
    assert operator.submission(number)["details"]["groups"][0]["result"] == "wrong_answer"
    caller.post(f"/submission/{number}/abort")
    found = caller.submission(number)
    assert found["details"] is None
    assert found["quota"]["left"] == 1, "it had begun, so it counts"

    whole = caller.submit(served.problem(cap=1, feedback=Feedback.FINAL))
    served.finish(whole)
    assert caller.submission(whole)["details"]["result"] == "accepted"


def test_with_no_feedback_the_verdict_is_all(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem(cap=1, feedback=Feedback.NEVER))
    served.finish(number, Verdict.WRONG_ANSWER)
    found = caller.submission(number)
    assert (found["status"], found["details"]) == ("wrong_answer", None)


def test_an_aborted_one_keeps_the_tests_that_had_ended(served: ServedJudge) -> None:
    caller = served.caller()
    number = caller.submit(served.problem())
    served.record(served.begin(number), "001", Verdict.ACCEPTED)
    caller.post(f"/submission/{number}/abort")
    group = caller.submission(number)["details"]["groups"][0]
    assert [point["result"] for point in group["testpoints"][:2]] == ["accepted", "aborted"]
    assert group["result"] == "aborted"


def test_the_words_of_the_judge(served: ServedJudge) -> None:
    caller = served.caller()
    statuses = caller.get("/meta/info/judge-status").json()
    assert statuses["accepted"] == {"name": "Accepted", "name_short": "AC", "color": "green"}
    assert set(Verdict) < set(statuses)
    languages = caller.get("/meta/info/language").json()
    assert languages["cpp"]["extension"] == "cpp"
    assert languages["git"]["extension"] is None


def test_a_profile(served: ServedJudge) -> None:
    caller = served.caller()
    profile = caller.get("/user/profile").json()
    assert profile["username"] == caller.user.name
    assert profile["student_id"] == ""


SECRET = "the checker died: Traceback ... /srv/answers/001.ans: 42"


@pytest.mark.parametrize("verdict", [Verdict.BAD_PROBLEM, Verdict.SYSTEM_ERROR])
@pytest.mark.parametrize("cap", [None, 3])
def test_a_fault_of_ours_tells_a_participant_nothing_of_tests(
    served: ServedJudge, verdict: Verdict, cap: int | None
) -> None:
    """It costs no submission: what it showed would be for free. Operators see all of it."""
    problem, caller = served.problem(cap=cap, feedback=Feedback.LIVE), served.caller()
    number = caller.submit(problem)
    lease = served.begin(number)
    served.record(lease, "001", Verdict.ACCEPTED)
    package = Shelf(served.settings.packages).get(problem.package)
    usage = Usage(cpu_ns=1, wall_ns=2, memory_bytes=3, disk_bytes=4, files=5)
    tests = [TestResult(test.id, Verdict.ACCEPTED, 1, SECRET, usage) for test in package.tests]
    outcome = score(package.groups, {test.test: test for test in tests})
    judgings.finish(served.db, lease, replace(outcome, verdict=verdict, message=SECRET), tests)

    found = caller.submission(number)
    assert (found["status"], found["score"], found["details"]) == (verdict, 0, None)
    assert found["message"] == OUR_FAULTS[verdict]
    assert [found[figure] for figure in ("time_msecs", "memory_bytes", "wall_ns")] == [None] * 3
    for path in ("", "/events", "/judgings", "/code"):
        assert "answers" not in caller.get(f"/submission/{number}{path}").text

    seen = served.caller(Role.OPERATOR).submission(number)
    assert (seen["message"], seen["score"], seen["memory_bytes"]) == (SECRET, 100, 3)
    assert seen["details"]["groups"][0]["testpoints"][1]["message"] == SECRET
