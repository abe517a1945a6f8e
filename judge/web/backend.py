"""Git's http-backend as a stream: requests in, answers out, nothing whole in memory."""

import io
import logging
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import IO, cast

from flask import Response, request

from judge.web.gitcommand import PROCESS_BOUNDS, environment
from judge.web.processes import end
from judge.web.repositories import Hosted

CHUNK_BYTES = 1 << 16
LONGEST_SECONDS = 900.0
"""How long one fetch or push may take."""

GRACE_SECONDS = 5.0

DRAIN_BYTES = 4 << 30
"""How much of a refused push is read on, so that the pusher gets to read the reason."""

log = logging.getLogger(__name__)


def serve(hosted: Hosted, path: str, settings: Mapping[str, str] | None = None) -> Response:
    """The answer of git's http-backend to the current request (git-http-backend(1)).

    `path` is what stands in the URL after the repository; `settings` are added to git's.
    """
    # The quota bounds packs, and git says so; the application's own bound is for forms.
    request.max_content_length = DRAIN_BYTES
    process = _Process(_cgi_environment(hosted, path, settings), request.stream)
    headers = process.headers()
    status = headers.pop("Status", "200 OK") if headers else "502 git failed"
    response = Response(process.body(), status, headers)
    response.call_on_close(process.close)
    return response


def _cgi_environment(
    hosted: Hosted, path: str, settings: Mapping[str, str] | None
) -> dict[str, str]:
    """CGI/1.1 (RFC 3875) as far as http-backend reads it."""
    variables = {
        "GIT_PROJECT_ROOT": str(hosted.folder.parent),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{hosted.folder.name}{path}",
        "REQUEST_METHOD": request.method,
        "QUERY_STRING": request.query_string.decode("latin-1"),
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "REMOTE_USER": "pusher",
        "REMOTE_ADDR": request.remote_addr or "",
    }
    if request.content_length is not None:
        variables["CONTENT_LENGTH"] = str(request.content_length)
    return environment(settings) | {name: value for name, value in variables.items() if value}


class _Process:
    """One http-backend, and the thread that hands it the request's body.

    A thread, because git may answer (with progress, or a refusal) while the body still comes in.
    """

    def __init__(self, variables: Mapping[str, str], body: IO[bytes]) -> None:
        self._process = subprocess.Popen(
            [*PROCESS_BOUNDS, "git", "http-backend"],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._answer = cast("io.BufferedReader", self._process.stdout)
        self._pump = threading.Thread(target=self._feed, args=(body,), daemon=True)
        self._pump.start()
        self._limit = threading.Timer(LONGEST_SECONDS, end, (self._process,))
        self._limit.daemon = True
        self._limit.start()

    def headers(self) -> dict[str, str]:
        """The answer's headers; none where git broke down."""
        found = {}
        for line in iter(self._answer.readline, b""):
            text = line.decode("latin-1").rstrip("\r\n")
            if not text:
                break
            name, _, value = text.partition(":")
            found[name] = value.strip()
        return found

    def body(self) -> Iterator[bytes]:
        while chunk := self._answer.read1(CHUNK_BYTES):
            yield chunk
        # The connection is only fit for a next request once this one was read to its end.
        self._pump.join()

    def close(self) -> None:
        """End it: git may clean up after itself, and is killed where it does not come to an end."""
        self._limit.cancel()
        self._answer.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        end(self._process)

    def _feed(self, body: IO[bytes]) -> None:
        stdin = cast("IO[bytes]", self._process.stdin)
        drained = 0
        try:
            while drained < DRAIN_BYTES and (chunk := body.read(CHUNK_BYTES)):
                try:
                    stdin.write(chunk)
                except BrokenPipeError:  # git has refused
                    drained += len(chunk)
            stdin.close()
        except BrokenPipeError:
            pass
        except Exception:
            log.info("a push ended before its end", exc_info=True)
            end(self._process)
