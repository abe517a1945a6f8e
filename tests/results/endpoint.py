"""A local server that speaks the protocols of two model providers, with their faults."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "key-SEKRET-1234"
Ratings = dict[str, Any]


def ratings(first: object, second: object) -> Ratings:
    return {
        "ratings": [
            {"criterion": "c1", "reason": "a.cpp:1", "rating": first},
            {"criterion": "c2", "reason": "b.cpp:2", "rating": second},
        ]
    }


@dataclass
class Reply:
    """What the server does with one request. `cut`: the connection ends within the body."""

    data: object = None
    text: str | None = None
    status: int = 200
    stop: str = ""
    cut: bool = False
    empty: bool = False
    page: object = None


@dataclass
class Endpoint:
    """A server with a script: each request is answered by the next reply, then by the last."""

    server: ThreadingHTTPServer
    script: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def next(self, request: dict[str, Any]) -> Reply:
        self.requests.append(request)
        return self.script[min(len(self.requests), len(self.script)) - 1]


class _Handler(BaseHTTPRequestHandler):
    endpoint: Endpoint

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        request = json.loads(self.rfile.read(length))
        key = self.headers.get("X-Api-Key") or self.headers["Authorization"].split()[1]
        assert key == KEY
        reply = self.endpoint.next(request)
        if reply.status != 200:
            said = {"error": {"message": f"status {reply.status} for {KEY}", "type": "fault"}}
            self._send(reply.status, said)
            return
        if reply.page is not None:
            self._send(200, reply.page)
            return
        shape = _openai if self.path.endswith("/chat/completions") else _anthropic
        self._send(200, shape(reply), cut=reply.cut)

    def _send(self, status: int, data: object, *, cut: bool = False) -> None:
        page = isinstance(data, str)
        body = data.encode() if isinstance(data, str) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if page else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = cut

    def log_message(self, *_words: object) -> None:
        """Silent."""


def _openai(reply: Reply) -> dict[str, Any]:
    content = reply.text if reply.text is not None else json.dumps(reply.data)
    message = {"role": "assistant", "content": content, "refusal": None}
    choice = {"index": 0, "finish_reason": reply.stop or "stop", "message": message}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [] if reply.empty else [choice],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010},
    }


def _anthropic(reply: Reply) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "submit_review"}
    block["input"] = reply.data
    if reply.text is not None:
        block = {"type": "text", "text": reply.text}
    stop = {"length": "max_tokens"}.get(reply.stop, "tool_use")
    return {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [] if reply.empty else [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 10},
    }


@contextmanager
def serve_endpoint() -> Iterator[Endpoint]:
    """An endpoint on a port of its own."""

    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Handler.endpoint = endpoint = Endpoint(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield endpoint
    server.shutdown()
    thread.join()
    server.server_close()
