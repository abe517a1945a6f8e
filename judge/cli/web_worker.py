"""Gunicorn's worker, which refuses in JSON what never reaches the application: gunicorn answers a
malformed request by itself, and in HTML."""

import json
import logging
import os
import socket
from http import HTTPStatus

from gunicorn.http.errors import (  # type: ignore[import-untyped]
    ConfigurationProblem,
    ExpectationFailed,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]

_STATUSES = (
    (LimitRequestLine, HTTPStatus.REQUEST_URI_TOO_LONG),
    (LimitRequestHeaders, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (ExpectationFailed, HTTPStatus.EXPECTATION_FAILED),
    (UnsupportedTransferCoding, HTTPStatus.NOT_IMPLEMENTED),
    (ConfigurationProblem, HTTPStatus.INTERNAL_SERVER_ERROR),
    (ParseException, HTTPStatus.BAD_REQUEST),
    (Exception, HTTPStatus.INTERNAL_SERVER_ERROR),
)
_TO_LINGER_S = 1.0
_TO_DRAIN = 1 << 20

log = logging.getLogger(__name__)


class WebWorker(GeventWorker):  # type: ignore[misc]
    """Green threads, one for each connection."""

    def notify(self) -> None:
        """Tells the arbiter that all is well. Where that was killed, the worker takes no more
        requests and answers those it has: gunicorn would drop them."""
        if self.ppid == os.getppid():
            super().notify()
        else:
            self.alive = False

    def handle_error(
        self, _req: object, client: socket.socket, _addr: object, exc: BaseException
    ) -> None:
        """Answers what could not be read, or broke below the application."""
        status = next(status for kind, status in _STATUSES if isinstance(exc, kind))
        if status is HTTPStatus.INTERNAL_SERVER_ERROR:
            log.error("a request failed before the application had it", exc_info=exc)
        # The text of the exception quotes the request, which may hold a token.
        body = json.dumps({"error": status, "message": _sentence(status)}) + "\n"
        answer = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )
        try:
            client.sendall(answer.encode())
            _let_it_be_read(client)
        except OSError as error:
            log.info("a refusal could not be sent: %s", error)


def _sentence(status: HTTPStatus) -> str:
    match status:
        case HTTPStatus.INTERNAL_SERVER_ERROR:
            return "the judge failed to answer; this is not your fault"
        case HTTPStatus.BAD_REQUEST:
            return "that is no HTTP request that can be understood"
        case _:
            return status.description or status.phrase


def _let_it_be_read(client: socket.socket) -> None:
    """Closing a socket while something unread waits in it would take the answer back (RFC 9112,
    section 9.6)."""
    client.shutdown(socket.SHUT_WR)
    client.settimeout(_TO_LINGER_S)
    drained = 0
    while drained < _TO_DRAIN and (piece := client.recv(1 << 16)):
        drained += len(piece)
