"""What a worker on another machine gets from the server, over connections that break."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge.work.shelf import Shelf
from judge.work.stock import RemoteStock

NOTHING = b"HTTP/1.1 204 No Content\r\n\r\n"
RESET = struct.pack("ii", 1, 0)  # with nothing left to send, close() says RST (socket(7))


@contextmanager
def server_that_resets(times: int) -> Iterator[str]:
    """So many connections first, in the middle of a request."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for number in range(times + 1):
                connection, _ = server.accept()
                with connection:
                    connection.recv(1 << 16)
                    if number < times:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    else:
                        connection.sendall(NOTHING)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield "http://{}:{}".format(*server.getsockname())
        thread.join()


def test_a_connection_that_breaks_is_made_anew(tmp_path: Path) -> None:
    with server_that_resets(times=1) as address:
        RemoteStock(Shelf(tmp_path), address, "acmoj-1").check()
