"""Following one submission: until it is final, or event by event."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from judge.web.watch import Watch

HEARTBEAT_SECONDS = 15.0
LONGEST_STREAM_SECONDS = 3600.0
RECONNECT_MS = 2000

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Look:
    """A submission as its viewer sees it, and whether that includes single tests yet."""

    submission: Json
    shows_tests: bool


def wait_until_final(watch: Watch, submission_id: int, seconds: float) -> None:
    """Return when the submission is final, or after `seconds`."""
    deadline = time.monotonic() + seconds
    with watch.changes(submission_id) as changes:
        while True:
            found = changes.next(deadline - time.monotonic())
            if found is None or found.is_final:
                return


def events(watch: Watch, submission_id: int, look: Callable[[], Look]) -> Iterator[str]:
    """An event stream (WHATWG HTML, server-sent events): `progress` at every change, and at the end
    `final`, with the submission as GET has it. Whoever connects again begins where things stand."""
    deadline = time.monotonic() + LONGEST_STREAM_SECONDS
    told: Json = {}
    yield f"retry: {RECONNECT_MS}\n\n"
    with watch.changes(submission_id) as changes:
        while time.monotonic() < deadline:
            found = changes.next(HEARTBEAT_SECONDS)
            if found is None:
                yield ": still on its way\n\n"
                continue
            seen = look()
            if found.is_final:
                yield _event("final", seen.submission)
                return
            # How many tests have run is a result too: where results are hidden it is not told, not
            # even by the number of events.
            tests = found.tests if seen.shows_tests else None
            news = {"id": submission_id, "status": found.status, "tests": tests}
            if news != told:
                told = news
                yield _event("progress", news)


def _event(kind: str, data: Json) -> str:
    return f"event: {kind}\ndata: {json.dumps(data, sort_keys=True)}\n\n"
