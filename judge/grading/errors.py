"""What ends a step without a result, and whose fault it is."""


class GradingError(Exception):
    """A fault of ours: `step` is where it happened, `reason` what the machinery said.

    Never shown to a participant, and never a verdict of theirs.
    """

    def __init__(self, step: str, reason: str) -> None:
        self.step, self.reason = step, reason
        super().__init__(f"{step}: {reason}")


class ProblemFault(Exception):
    """The problem did not do its part, which is a bad_problem: `reason` is for the operator."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Cancelled(Exception):
    """The grading was cancelled from outside."""
