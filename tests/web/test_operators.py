"""What those who run the judge do over HTTP: users, tokens, rejudges, void, hold."""

import io
import zipfile

import pytest

from judge.model import Verdict
from judge.store import Role
from judge.store.tokens import Scope
from tests.conftest import Caller, ServedJudge


@pytest.fixture(scope="module")
def admin(served: ServedJudge) -> Caller:
    return served.caller(Role.ADMIN)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("get", "/user/"), ("post", "/user/"), ("get", "/user/x/token/")),
        *(("post", "/user/x/token/"), ("post", "/token/1/revoke"), ("get", "/rejudge/")),
        *(("post", "/rejudge/"), ("get", "/rejudge/1"), ("post", "/rejudge/1/apply")),
        *(("post", "/rejudge/1/drop"), ("post", "/submission/1/void")),
        *(("post", "/problem/"), ("post", "/problem/1/hold"), ("post", "/problem/1/resume")),
    ],
)
def test_participants_may_not(served: ServedJudge, method: str, path: str) -> None:
    answer = getattr(served.caller(), method)(path)
    assert answer.status_code == 401
    assert "needs scope" in answer.json()["message"]


def test_a_user_and_a_token(served: ServedJudge, admin: Caller) -> None:
    form = {"username": "robot", "agent": "codex", "model": "m1", "round": "2"}
    answer = admin.post("/user/", data=form)
    assert answer.status_code == 201
    assert answer.json()["role"] == "participant"
    assert admin.post("/user/", data=form).status_code == 409
    bad = admin.post("/user/", data={"username": "A b"})
    assert bad.status_code == 400
    assert "cannot be a user name" in bad.json()["message"]
    wrong = admin.post("/user/", data={"username": "x", "role": "king"})
    assert "admin, operator, participant" in wrong.json()["message"]
    assert "robot" in [user["username"] for user in admin.get("/user/").json()["users"]]

    problem, other = served.problem(), served.problem()
    limits = {"scopes": "problem:read user:profile", "problem": str(problem.id), "days": "2"}
    made = admin.post("/user/robot/token/", data=limits)
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    robot = Caller(admin.user, made.json()["token"], served.address)
    assert robot.get("/user/profile").json()["agent"] == "codex"
    assert robot.get(f"/problem/{problem.id}").status_code == 200
    assert robot.get(f"/problem/{other.id}").status_code == 404
    [listed] = admin.get("/user/robot/token/").json()["tokens"]
    assert "token" not in listed
    assert admin.post(f"/token/{listed['id']}/revoke").status_code == 204
    assert robot.get("/user/profile").status_code == 401


def test_a_scope_that_the_role_does_not_have(served: ServedJudge, admin: Caller) -> None:
    user = served.caller().user.name
    answer = admin.post(f"/user/{user}/token/", data={"scopes": Scope.USER_MANAGE})
    assert answer.status_code == 400
    assert "cannot have the scope" in answer.json()["message"]
    assert admin.post("/user/nobody-here/token/").status_code == 404


def test_a_rejudge_is_looked_at_before_it_counts(served: ServedJudge, admin: Caller) -> None:
    problem, caller = served.problem(cap=1), served.caller()
    number = caller.submit(problem)
    served.finish(number, Verdict.WRONG_ANSWER)
    form = {"problem_id": problem.id, "reason": "a wrong answer file"}
    made = admin.post("/rejudge/", data=form)
    assert made.status_code == 201
    assert made.json()["count"] == 1
    place = f"/rejudge/{made.json()['id']}"
    assert made.headers["Location"].endswith(place)
    assert admin.get(place).json()["waiting"] == 1

    history = caller.get(f"/submission/{number}/judgings").json()["judgings"]
    assert [(one["generation"], one["counts"]) for one in history] == [(1, True), (2, False)]
    served.finish_judging(history[1]["id"], Verdict.ACCEPTED)
    [difference] = admin.get(place).json()["differences"]
    assert difference["old"]["status"] == "wrong_answer"
    assert difference["new"] == {"status": "accepted", "score": 100.0}
    assert difference["changes"] is True
    assert caller.submission(number)["status"] == "wrong_answer"
    hidden = caller.get(f"/submission/{number}/judgings").json()["judgings"][1]
    assert hidden["status"] is None, "it does not count, so it is not shown"

    assert admin.post(f"{place}/apply").json()["state"] == "applied"
    assert caller.submission(number)["status"] == "accepted"
    assert caller.submission(number)["judging"]["generation"] == 2
    again = admin.post(f"{place}/apply")
    assert again.status_code == 400


def test_a_rejudge_is_dropped(served: ServedJudge, admin: Caller) -> None:
    number = served.caller().submit(served.problem())
    served.finish(number)
    made = admin.post("/rejudge/", data={"submission": f"{number}", "reason": "why not"}).json()
    assert admin.post(f"/rejudge/{made['id']}/drop").json()["state"] == "dropped"
    assert made["id"] in [one["id"] for one in admin.get("/rejudge/").json()["rejudges"]]


def test_a_rejudge_with_an_earlier_version(served: ServedJudge, admin: Caller) -> None:
    problem = served.problem()
    served.finish(served.caller().submit(problem))
    form = {"problem_id": problem.id, "version": problem.package[:12], "reason": "as it was"}
    assert admin.post("/rejudge/", data=form).status_code == 201
    assert admin.post("/rejudge/", data=form | {"version": "nosuch"}).status_code == 404
    alone = admin.post("/rejudge/", data={"submission": "1", "version": "a", "reason": "x"})
    assert alone.json()["message"] == "version is one of a problem: name it by problem_id"


def test_a_rejudge_of_nothing(admin: Caller) -> None:
    for form, said in (
        ({"reason": "x"}, "name what"),
        ({"submission": "999999", "reason": "x"}, "no submission"),
        ({"problem_id": "x", "reason": "x"}, "no number"),
        ({"submission": "1"}, "reason is missing"),
    ):
        answer = admin.post("/rejudge/", data=form)
        assert answer.status_code == 400
        assert said in answer.json()["message"]


def test_void(served: ServedJudge, admin: Caller) -> None:
    caller = served.caller()
    number = caller.submit(served.problem(cap=1))
    served.finish(number)
    assert admin.post(f"/submission/{number}/void", data={"reason": "copied"}).status_code == 204
    found = caller.submission(number)
    assert (found["status"], found["score"], found["details"]) == ("void", 0, None)
    assert found["should_show_score"] is False
    assert found["quota"]["left"] == 1


def test_hold_and_resume(served: ServedJudge, admin: Caller) -> None:
    problem, caller = served.problem(), served.caller()
    held = admin.post(f"/problem/{problem.id}/hold", data={"reason": "the checker fails"})
    assert held.status_code == 204
    number = caller.submit(problem)
    assert caller.submission(number)["held"] == "the checker fails"
    assert caller.get(f"/problem/{problem.id}").json()["held"] == "the checker fails"
    admin.post(f"/problem/{problem.id}/resume")
    assert caller.submission(number)["held"] is None


def zipped(files: dict[str, bytes]) -> io.BytesIO:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        for name, text in files.items():
            content.writestr(name, text)
    archive.seek(0)
    return archive


def echo(slug: str, folder: str = "problems/", definition: str = "") -> dict[str, bytes]:
    text = """
title = "Echo"
[limits]
time = "1s"
memory = "64MiB"
[[group]]
name = "All"
points = 100
tests = ["1"]
"""
    package, data = f"{folder}{slug}", f"data/{slug}"
    return {
        f"{package}/problem.toml": (definition + text).encode(),
        f"{package}/statement.md": b"Print it.\n",
        f"{data}/1.in": b"x\n",
        f"{data}/1.ans": b"x\n",
    }


def test_a_package_is_uploaded_and_replaced(served: ServedJudge, admin: Caller) -> None:
    files = {"package": ("echo.zip", zipped(echo("echo")))}
    made = admin.post("/problem/", files=files, data={"cap": "3", "released": "false"})
    assert made.status_code == 201, made.text
    number = made.json()["id"]
    assert (made.json()["slug"], made.json()["title"]) == ("echo", "Echo")
    assert made.headers["Location"].endswith(f"/problem/{number}")
    assert admin.get(f"/problem/{number}").json()["quota"]["cap"] == 3
    caller = served.caller()
    assert caller.get(f"/problem/{number}").status_code == 404, "not released"

    other = zipped(echo("any") | {"problems/any/starter/a.py": b"pass"})
    again = admin.post("/problem/", files={"package": other}, data={"name": "echo"})
    assert again.json()["id"] == number
    assert again.json()["package"] != made.json()["package"]
    [file] = caller.get(f"/problem/{number}").json()["attachments"]
    assert file["name"] == "a.py"


def test_a_package_that_holds_its_tests_is_uploaded(admin: Caller) -> None:
    files = {"problem.yaml": b"name: Add\nlimits: {time_limit: 1}\n", "attachments/a.py": b""}
    files |= {f"data/secret/1.{suffix}": b"1\n" for suffix in ("in", "ans")}
    archive = zipped({f"add/{name}": text for name, text in files.items()})
    made = admin.post("/problem/", files={"package": ("x.zip", archive)}, data={"name": "plus"})
    assert made.status_code == 201, made.text
    shown = admin.get(f"/problem/{made.json()['id']}").json()
    assert (shown["slug"], shown["title"]) == ("plus", "Add")
    assert [file["name"] for file in shown["attachments"]] == ["a.py"]


def test_a_package_is_uploaded_under_the_id_that_it_has_elsewhere(admin: Caller) -> None:
    form = {"id": "2510", "group": "quiet"}
    made = admin.post("/problem/", files={"package": zipped(echo("moved"))}, data=form)
    assert (made.status_code, made.json()["id"]) == (201, 2510)
    taken = admin.post("/problem/", files={"package": zipped(echo("late"))}, data=form)
    assert (taken.status_code, taken.json()["message"]) == (
        409,
        "problem 2510 is 'moved' already; give another id",
    )


def test_an_upload_is_checked_before_it_is_served(admin: Caller) -> None:
    hasty = echo("hasty", definition='tests = { 1 = { wall = "0.5s" } }\n')
    answer = admin.post("/problem/", files={"package": zipped(hasty)})
    assert answer.status_code == 400
    assert "less than the CPU time" in answer.json()["message"]


def test_a_package_with_faults_is_refused_with_all_of_them(admin: Caller) -> None:
    bad = echo("bad", definition="tme = 1\n")
    del bad["data/bad/1.ans"]
    answer = admin.post("/problem/", files={"package": zipped(bad)})
    assert answer.status_code == 400
    found = {(fault["file"], fault["key"]) for fault in answer.json()["faults"]}
    assert ("problem.toml", "tme") in {(name.split("/")[-1], key) for name, key in found}
    assert "/tmp" not in answer.text
    assert "upload" not in answer.text


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../x": b""}, "leads out"),
        ({"/etc/x": b""}, "leads out"),
        ({"a/b": b"", "A/B": b""}, "twice"),
        ({"a": b""}, "no package"),
        (echo("a") | echo("b"), "several packages"),
    ],
)
def test_archives_that_are_no_package(
    served: ServedJudge, admin: Caller, files: dict[str, bytes], said: str
) -> None:
    answer = admin.post("/problem/", files={"package": zipped(files)})
    assert answer.status_code == 400
    assert said in answer.json()["message"]
    assert not list(served.settings.packages.glob(".*")), "nothing is left"


def test_what_is_no_archive(admin: Caller) -> None:
    answer = admin.post("/problem/", files={"package": b"PK no"})
    assert answer.status_code == 400
    assert "no zip archive" in answer.json()["message"]
    assert "missing" in admin.post("/problem/", data={"package": "x"}).json()["message"]


def test_a_word_that_is_neither_true_nor_false_is_not_taken_for_one(admin: Caller) -> None:
    files = {"package": ("p.zip", b"")}
    hidden = admin.post("/problem/", files=files, data={"released": "no"})
    applied = admin.post("/rejudge/", data={"submission": "1", "reason": "mended", "apply": "yes"})

    assert hidden.json()["message"] == "released is true or false, not 'no'"
    assert applied.json()["message"] == "apply is true or false, not 'yes'"
    assert (hidden.status_code, applied.status_code) == (400, 400)


def test_operators_learn_what_is_not_there(served: ServedJudge, admin: Caller) -> None:
    assert admin.get("/user/nobody/token/").json()["message"] == "there is no user 'nobody'"
    assert admin.get("/submission/999").json()["message"] == "there is no submission 999"
    assert served.caller().get("/submission/999").json()["message"] == ""
