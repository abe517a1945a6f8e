"""The folder of a judge, and the socket it listens on: held by one `adjudge up` at a time."""

import fcntl
import os
import socket
from typing import Self

from judge.store import Settings, StoreError

_SOCKET_PATH_BYTES = 107
"""Longest path of a unix socket (unix(7): sun_path)."""


class Home:
    """Entered, the home is ours alone and `listener` is open; StoreError says why it cannot be."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __enter__(self) -> Self:
        settings = self._settings
        if len(os.fsencode(settings.redis_socket)) > _SOCKET_PATH_BYTES:
            raise StoreError(
                f"the path of the home is too long for the socket {settings.redis_socket}; set"
                f" ADJUDGE_HOME to a shorter one"
            )
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings.run.mkdir(mode=0o700, exist_ok=True)
        self._lock = (settings.run / "lock").open("a+")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.seek(0)
            raise StoreError(
                f"a judge is up on {settings.home.absolute()} already ({self._lock.read().strip()})"
            ) from None
        self.listener = _listen(settings.listen)
        host, port = self.listener.getsockname()[:2]
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self._lock.truncate(0)
        self._lock.write(f"process {os.getpid()}, {self.address}\n")
        self._lock.flush()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()
        self._lock.close()


def _listen(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise StoreError(f"the address to listen on is HOST:PORT, not {address!r}")
    try:
        return socket.create_server(
            (host.strip("[]"), int(port)),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=1024,
        )
    except (OSError, OverflowError) as error:
        raise StoreError(
            f"cannot listen on {address}: {error}; choose another: --listen"
        ) from error
