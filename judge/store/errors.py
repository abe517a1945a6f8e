"""Refusals. Each is one clear sentence, and carries what a caller needs to answer it."""


class StoreError(Exception):
    """What was asked for cannot be done; `reason` is a sentence for the one who asked."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotFound(StoreError):
    """There is no such record."""


class Exists(StoreError):
    """There is such a record already."""


class Refused(StoreError):
    """A submission is not admitted, or an action on it is not allowed."""


class CapReached(Refused):
    """The submission would be one more than its entry allows."""

    def __init__(self, entry: str, cap: int, used: int) -> None:
        super().__init__(
            f"submission cap reached: {used} of {cap} submissions to {entry!r} used, 0 left"
        )
        self.entry = entry
        self.cap = cap
        self.used = used


class QueueFull(Refused):
    """More submissions wait than the judge takes; ask again in `retry_after` seconds."""

    def __init__(self, waiting: int, retry_after: int) -> None:
        super().__init__(f"{waiting} submissions wait already; try again in {retry_after} s")
        self.waiting = waiting
        self.retry_after = retry_after


class Unavailable(StoreError):
    """The database is away: restarted, out of reach, its disk full. `detail` is for the log."""

    def __init__(self, detail: str) -> None:
        super().__init__("the judge's database cannot be used at the moment; try again in a while")
        self.detail = detail
        self.retry_after = 5


class LeaseLost(Exception):
    """The judging is no longer ours: it was aborted, requeued, or finished by another worker."""

    def __init__(self, judging_id: int) -> None:
        super().__init__(f"the lease of judging {judging_id} is lost")
        self.judging_id = judging_id
