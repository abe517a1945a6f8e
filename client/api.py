"""The judge's API, one method a call. Answers are the server's JSON as it came."""

import uuid
from collections.abc import Iterator
from typing import Any, Self

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.util import Retry

from client.account import Account
from client.errors import Refused, Unreachable

Json = dict[str, Any]

API = "/api/v1"
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 60.0

# A server that restarts, or asks for patience with Retry-After, is asked again. A repeated submit
# carries the same Idempotency-Key, so that it is never counted twice.
RETRY = Retry(
    total=4,
    connect=2,
    backoff_factor=0.3,
    status_forcelist=(502, 503, 504),
    allowed_methods=None,
    raise_on_status=False,
)


class _Bearer(AuthBase):
    """As an auth object, and not a header: a .netrc entry for the host would replace a header."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Client:
    """A judge, as one account sees it. Use as a context manager, or `close()` it.

    Every method raises Refused where the server says no, and Unreachable where it says nothing.
    """

    def __init__(self, account: Account) -> None:
        self.account = account
        self._session = requests.Session()
        self._session.auth = _Bearer(account.token)
        self._session.headers["Accept"] = "application/json"
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=RETRY))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._session.close()

    def profile(self) -> Json:
        """Who the token belongs to: `username` and more."""
        return self._json("GET", "/user/profile")

    def languages(self) -> Json:
        """Language id -> `{name, extension}`."""
        return self._json("GET", "/meta/info/language")

    def problems(self) -> Iterator[Json]:
        """Every problem that the account may see, in order of id."""
        return self._pages("/problem/", "problems")

    def problem(self, problem_id: int) -> Json:
        return self._json("GET", f"/problem/{problem_id}")

    def submit(
        self, problem_id: int, language: str, code: str | bytes, commit: str | None = None
    ) -> int:
        """Submit a source text, or for language git a repository's URL or the bytes of a bundle.
        The submission's id."""
        form = {"language": language}
        if commit is not None:
            form["commit"] = commit
        answer = self._json(
            "POST",
            f"/problem/{problem_id}/submit",
            data=form if isinstance(code, bytes) else form | {"code": code},
            files={"code": code} if isinstance(code, bytes) else None,
            headers={"Idempotency-Key": str(uuid.uuid4())},
        )
        return int(answer["id"])

    def submission(self, submission_id: int, wait_seconds: float = 0) -> Json:
        """The submission; with `wait_seconds`, as soon as it is final or that time is over."""
        query = {"wait": f"{wait_seconds:.3f}"} if wait_seconds > 0 else {}
        return self._json(
            "GET",
            f"/submission/{submission_id}",
            params=query,
            timeout=(CONNECT_SECONDS, ANSWER_SECONDS + wait_seconds),
        )

    def abort(self, submission_id: int) -> None:
        self._request("POST", f"/submission/{submission_id}/abort")

    def _pages(self, path: str, key: str) -> Iterator[Json]:
        page = self._json("GET", path)
        while True:
            yield from page[key]
            if page["next"] is None:
                return
            page = self._decoded(self._send("GET", self.account.server + page["next"]))

    def _json(self, method: str, path: str, **arguments: Any) -> Json:  # noqa: ANN401
        return self._decoded(self._request(method, path, **arguments))

    def _decoded(self, response: requests.Response) -> Json:
        try:
            answer = response.json()
        except requests.JSONDecodeError:
            answer = None
        if not isinstance(answer, dict):
            raise Unreachable(self.account.server, "what answers there is not a judge")
        return answer

    def _request(self, method: str, path: str, **arguments: Any) -> requests.Response:  # noqa: ANN401
        return self._send(method, self.account.server + API + path, **arguments)

    def _send(self, method: str, url: str, **arguments: Any) -> requests.Response:  # noqa: ANN401
        arguments.setdefault("timeout", (CONNECT_SECONDS, ANSWER_SECONDS))
        try:
            # A redirect would carry the token to another place than the one that was named.
            response = self._session.request(method, url, allow_redirects=False, **arguments)
        except requests.RequestException as error:
            raise Unreachable(self.account.server, _cause(error)) from error
        if response.is_redirect:
            target = response.headers.get("Location", "another address")
            raise Unreachable(self.account.server, f"it redirects to {target}; use that address")
        if response.status_code >= 500:
            reason = f"HTTP {response.status_code}: {_reason(response)}"
            raise Unreachable(self.account.server, reason)
        if not response.ok:
            raise Refused(response.status_code, _reason(response))
        return response


def _reason(response: requests.Response) -> str:
    try:
        answer = response.json()
    except requests.JSONDecodeError:
        answer = None
    if isinstance(answer, dict) and answer.get("message"):
        # A judge says the same of a token without the scope and of one that it does not know.
        hint = " (or the token is not valid)" if response.status_code == 401 else ""
        return f"{answer['message']}{hint}"
    if response.status_code == 404:
        return "there is no such problem or submission, or it is not yours to see"
    return f"HTTP {response.status_code} {response.reason}"


def _cause(error: requests.RequestException) -> str:
    """The sentence at the root of a chain of wrapped exceptions."""
    cause: BaseException = error
    while (inner := cause.__cause__ or cause.__context__) is not None:
        cause = inner
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    return str(cause) or type(cause).__name__
