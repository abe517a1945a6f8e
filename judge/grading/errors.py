"""What ends a grading without a verdict."""


class GradingError(Exception):
    """A fault of ours: `step` is where it happened, `reason` what the machinery said.

    Never shown to a participant, and never a verdict of theirs.
    """

    def __init__(self, step: str, reason: str) -> None:
        self.step, self.reason = step, reason
        super().__init__(f"{step}: {reason}")


class Cancelled(Exception):
    """The grading was cancelled from outside."""
