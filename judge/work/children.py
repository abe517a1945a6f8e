"""Child processes that are kept alive until they are told to stop."""

import logging
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

_SHORTEST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 30.0
_LIVED_LONG_S = 30.0
_FROM_OUTSIDE = frozenset({0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
"""Exit codes of what somebody else ended (0: that was asked to): they do not say that it cannot
start."""

log = logging.getLogger(__name__)


class Child:
    """A process that is started again when it dies; the pause doubles while it dies young and was
    not killed by somebody else.

    It gets SIGTERM when this process dies (prctl(2), PR_SET_PDEATHSIG), and it is in a session of
    its own, so that Ctrl-C on the terminal reaches the parent alone.
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        env: Mapping[str, str],
        descriptors: Sequence[int] = (),
    ) -> None:
        self.name = name
        self._argv = ("setpriv", "--pdeathsig", "TERM", "--", *argv)
        self._env = dict(env)
        self._descriptors = tuple(descriptors)
        self._deaths = 0
        self._start_at = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Its process, None where there is none at the moment."""
        return self._process.pid if self._process else None

    def tend(self) -> None:
        """Starts it if it is not there and its pause is over; notices its death."""
        if self._process is None:
            if time.monotonic() >= self._start_at:
                self._start()
        elif self._process.poll() is not None:
            self._note_death(self._process.returncode)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._argv,
            env=self._env,
            pass_fds=self._descriptors,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._start_at = time.monotonic()

    def _note_death(self, code: int) -> None:
        lived = time.monotonic() - self._start_at
        well = code in _FROM_OUTSIDE or lived > _LIVED_LONG_S
        self._deaths = 0 if well else self._deaths + 1
        pause = min(_SHORTEST_PAUSE_S * 2**self._deaths, _LONGEST_PAUSE_S)
        log.warning("%s ended (%d); it starts again in %g s", self.name, code, pause)
        self._process = None
        self._start_at = time.monotonic() + pause

    def terminate(self) -> None:
        """Asks it to end."""
        if self._process is not None:
            self._process.terminate()

    def wait(self, seconds: float) -> None:
        """Waits for its end, and kills it where that takes longer."""
        if self._process is None:
            return
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            log.warning("%s does not end; killing it", self.name)
            self._process.kill()
            self._process.wait()
        self._process = None
