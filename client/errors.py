"""What can go wrong for an agent, and the exit code that tells a script which it was."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of `adjudge-client`."""

    OK = 0
    NOT_ACCEPTED = 1
    BAD_INPUT = 2
    REFUSED = 3
    UNREACHABLE = 4
    STILL_JUDGING = 5
    NOT_JUDGED = 6


class ClientError(Exception):
    """Base of the client's errors. `str()` is one sentence that says what to do."""

    exit_code: Exit = Exit.BAD_INPUT


class BadInput(ClientError):
    """What was asked for cannot be done from here: nothing was sent that counts."""

    exit_code = Exit.BAD_INPUT


class Refused(ClientError):
    """The server said no. `status` is its HTTP status (0 where git said it), `reason` its words."""

    exit_code = Exit.REFUSED

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Unreachable(ClientError):
    """No answer, or none of a judge's, from `server`."""

    exit_code = Exit.UNREACHABLE

    def __init__(self, server: str, reason: str) -> None:
        super().__init__(f"no answer from {server}: {reason}")
        self.server = server
        self.reason = reason
