"""The folder of a judge, and the socket it listens on: held by one `adjudge up` at a time."""

import fcntl
import logging
import os
import re
import socket
import time
from typing import Self

import psutil

from judge.store import Settings, StoreError

_SOCKET_PATH_BYTES = 107
"""Longest path of a unix socket (unix(7): sun_path)."""
_DYING_S = 30.0
"""How long the children of an `adjudge up` that was killed may take to end."""
_LOOK_S = 0.1

log = logging.getLogger(__name__)


class Home:
    """Entered, the home is ours alone and `listener` is open; StoreError says why it cannot be.

    Our children inherit `descriptors`, so that the home is not free before the last of them has
    ended, whatever kills us: two Redis on the same files, or a port that is taken still, would harm
    who comes next.
    """

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
        self._take_lock()
        self.listener = _listen(settings.listen)
        host, port = self.listener.getsockname()[:2]
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self._lock.truncate(0)
        self._lock.write(f"process {os.getpid()}, {self.address}\n")
        self._lock.flush()
        return self

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Open as long as the home is held."""
        return (self._lock.fileno(),)

    def _take_lock(self) -> None:
        deadline = time.monotonic() + _DYING_S
        waits = False
        while not _locked(self._lock.fileno()):
            self._lock.seek(0)
            holder = self._lock.read().strip()
            if _is_there(holder) or time.monotonic() > deadline:
                home = self._settings.home.absolute()
                raise StoreError(f"a judge is up on {home} already ({holder})")
            if not waits:
                log.warning("a judge was killed here: waiting until the last of it has ended")
            waits = True
            time.sleep(_LOOK_S)  # flock(2) would wait without an end

    def __exit__(self, *_: object) -> None:
        self.listener.close()
        self._lock.close()


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_there(holder: str) -> bool:
    """Whether the process that wrote down that it holds the home is alive."""
    number = re.match(r"process (\d+)", holder)
    try:
        found = psutil.Process(int(number[1])) if number else None
        return found is not None and found.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


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
