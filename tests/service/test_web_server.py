"""What never reaches the application, or reaches it in parts: refused in JSON, and never judged."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import requests

from judge.store import submissions
from tests.service.conftest import SLEEP, Live, live, wait_until

FORM = "Content-Type: application/x-www-form-urlencoded"
MIB = 1 << 20


def send(judge: Live, data: bytes, *, all_of_it: bool = True) -> tuple[int, dict[str, object]]:
    """The status and the JSON that come back for these bytes; the sender goes away after them where
    they are not all of it."""
    parts = urlsplit(judge.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as connection:
        connection.sendall(data)
        if not all_of_it:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head.lower(), answer
    return int(head.split()[1]), json.loads(body)


def request(judge: Live, *headers: str, body: bytes = b"") -> bytes:
    """A submit with these headers."""
    lines = (
        f"POST /api/v1/problem/{judge.problem}/submit HTTP/1.1",
        "Host: judge",
        "Connection: close",
        f"Authorization: Bearer {judge.token}",
        FORM,
        *headers,
    )
    return "\r\n".join((*lines, "", "")).encode() + body


def ids(page: submissions.Page) -> list[int]:
    return [view.submission.id for view in page.views]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"NONSENSE\r\n\r\n", 400),
        (b"GET / HTTP/9.1\r\nHost: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n", 417),
        (b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13\r\n\r\n", 501),
    ],
)
def test_what_is_no_request_is_refused_in_json(calm_judge: Live, data: bytes, status: int) -> None:
    answered, body = send(calm_judge, data)

    assert (answered, body["error"]) == (status, status)
    assert body["message"]


def test_a_refusal_does_not_repeat_the_request(calm_judge: Live) -> None:
    data = f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization Bearer {calm_judge.token}\r\n\r\n"

    _, body = send(calm_judge, data.encode())

    assert calm_judge.token not in str(body)


def test_a_chunk_that_is_none_is_refused(calm_judge: Live) -> None:
    chunks = b"zz\r\nlanguage=python\r\n0\r\n\r\n"

    assert send(calm_judge, request(calm_judge, "Transfer-Encoding: chunked", body=chunks)) == (
        400,
        {"error": 400, "message": "the body of the request is malformed, or breaks off"},
    )


def test_who_waits_is_answered_though_the_arbiter_was_killed(
    tmp_path: Path, echo_package: Path
) -> None:
    with live(tmp_path / "home", echo_package, workers=1) as judge, ThreadPoolExecutor() as pool:
        number = judge.submit(SLEEP.replace("sleep(1)", "sleep(5)"))
        judge.wait_for(number, "judging")
        waiting = [pool.submit(judge.status, number, wait=3) for _ in range(6)]
        (arbiter,) = judge.children("judge.cli.server")
        wait_until(lambda: accepted_connections(arbiter) >= len(waiting))
        arbiter.kill()

        assert {answer.result() for answer in waiting} == {"judging"}
        judge.wait_for(number, "accepted")


def accepted_connections(arbiter: psutil.Process) -> int:
    connections = (one for worker in arbiter.children() for one in worker.net_connections("tcp"))
    return sum(one.status == psutil.CONN_ESTABLISHED for one in connections)


def test_half_a_program_is_not_judged(calm_judge: Live) -> None:
    """The sender went away, or its cable was pulled, in the middle of a form."""
    half = b"language=python&code=print(1)"
    data = request(calm_judge, f"Content-Length: {2 * len(half)}", body=half)
    before = submissions.page(calm_judge.db)

    status, body = send(calm_judge, data, all_of_it=False)

    assert (status, body["message"]) == (400, "the body of the request breaks off")
    assert ids(submissions.page(calm_judge.db)) == ids(before)


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("as_file", [False, True])
def test_a_request_that_is_too_large_gets_to_read_why(
    calm_judge: Live, *, chunked: bool, as_file: bool
) -> None:
    code = b"a" * (20 * MIB)
    before = submissions.page(calm_judge.db)
    made = requests.Request(
        "POST",
        f"{calm_judge.address}/api/v1/problem/{calm_judge.problem}/submit",
        data={"language": "python"} if as_file else {"language": "python", "code": code},
        files={"code": code} if as_file else None,
        headers={"Authorization": f"Bearer {calm_judge.token}"},
    ).prepare()
    if chunked:
        made.body = iter([made.body[:MIB], made.body[MIB:]])
        made.headers["Transfer-Encoding"] = "chunked"
        del made.headers["Content-Length"]

    with requests.Session() as session:
        answer = session.send(made, timeout=30)

    assert answer.json() == {"error": 413, "message": "a request here has at most 16 MiB"}
    assert ids(submissions.page(calm_judge.db)) == ids(before)
