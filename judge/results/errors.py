"""What is refused: one clear sentence, no traceback."""


class ResultsError(Exception):
    """Input that cannot be scored, exported or reviewed as it is."""
