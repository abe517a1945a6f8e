"""Refusals: the codes and sentences of acmoj.md section 1.2, and JSON always."""

import pytest
import requests

from judge.store import tokens
from judge.store.tokens import Scope
from tests.conftest import Caller, ServedJudge

MISSING = {"error": 401, "message": "access token is missing or invalid"}


def without_token(served: ServedJudge, path: str) -> requests.Response:
    return requests.get(f"{served.address}/OnlineJudge/api/v1{path}", timeout=10)


def test_no_token_on_a_path_with_an_id(served: ServedJudge) -> None:
    answer = without_token(served, "/problem/1")
    assert (answer.status_code, answer.json()) == (401, MISSING)


def test_no_token_on_a_path_without_id(served: ServedJudge) -> None:
    answer = without_token(served, "/problem/")
    assert answer.status_code == 401
    assert answer.json() == {"error": 401, "message": "this api call needs scope problem:read"}


def test_tokens_that_are_wrong_expired_or_revoked(served: ServedJudge) -> None:
    caller = served.caller()
    wrong = Caller(caller.user, "acmoj-" + "0" * 32, served.address)
    expired = served.token_of(caller.user, days=1e-9)
    token, secret = tokens.create(served.db, caller.user)
    tokens.revoke(served.db, token.id)
    revoked = Caller(caller.user, secret, served.address)
    for invalid in (wrong, expired, revoked):
        answer = invalid.get("/submission/1")
        assert (answer.status_code, answer.json()) == (401, MISSING)
    assert caller.get("/user/profile").status_code == 200


def test_the_scheme_may_be_written_in_any_case(served: ServedJudge) -> None:
    caller = served.caller()
    headers = {"Authorization": f"bEARER {caller.token}"}
    assert caller.get("/user/profile", headers=headers).status_code == 200


def test_a_token_without_the_scope(served: ServedJudge) -> None:
    """A hidden id is 404 before the scope is looked at, a visible one 401."""
    problem, hidden = served.problem(), served.problem(released=False)
    caller = served.caller(scopes=[Scope.USER_PROFILE])
    answer = caller.get(f"/problem/{problem.id}")
    assert answer.status_code == 401
    assert answer.json()["message"] == "this api call needs scope problem:read"
    assert caller.get(f"/problem/{hidden.id}").status_code == 404


@pytest.mark.parametrize("path", ["/problem/x", "/submission/1.5", "/submission/%00"])
def test_an_id_that_is_no_integer(served: ServedJudge, path: str) -> None:
    answer = served.caller().get(path)
    assert answer.status_code == 400
    assert answer.json() == {"error": 400, "message": "invalid argument"}


@pytest.mark.parametrize("number", ["0", "-1", "999999", "2147483648", "9" * 20])
def test_an_id_of_nothing(served: ServedJudge, number: str) -> None:
    answer = served.caller().get(f"/submission/{number}")
    assert (answer.status_code, answer.json()) == (404, {"error": 404, "message": ""})


@pytest.mark.parametrize("query", ["cursor=abc", "problem_id=abc", "cursor=99999999999999999999"])
def test_a_number_in_the_query_that_is_none(served: ServedJudge, query: str) -> None:
    answer = served.caller().get(f"/submission/?{query}")
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.json()["message"]


@pytest.mark.parametrize("path", ["/nothing", "/problem/1/nothing", "//"])
def test_a_path_of_nothing(served: ServedJudge, path: str) -> None:
    answer = served.caller().get(path)
    assert answer.status_code == 404
    assert answer.json()["error"] == 404


def test_a_method_that_is_not_for_the_path(served: ServedJudge) -> None:
    answer = served.caller().post("/submission/")
    assert answer.status_code == 405
    assert answer.json()["error"] == 405
    assert "GET" in answer.headers["Allow"]


def test_the_root_leads_to_the_description(served: ServedJudge) -> None:
    for prefix in ("/api/v1", "/OnlineJudge/api/v1"):
        answer = requests.get(f"{served.address}{prefix}/", timeout=10, allow_redirects=False)
        assert answer.status_code == 302
        assert answer.headers["Location"].endswith(f"{prefix}/openapi.json")
