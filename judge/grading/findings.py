"""What a leak check found."""

from dataclasses import dataclass

from judge.model import Leak


@dataclass(frozen=True, slots=True)
class Findings:
    """Memory lost by all processes together, the first invalid access ("" where there was none),
    and the signal of which a process died, where that is known."""

    leak: Leak | None = None
    invalid_access: str = ""
    signal: int | None = None
