"""The operator's command line: `adjudge`."""

import importlib.util
import sys

__all__ = ["main"]


def main() -> None:
    """Runs `adjudge`. The base install is the client alone, so say so where the rest is missing."""
    if importlib.util.find_spec("click") is None:
        sys.exit('adjudge needs the server\'s packages: pip install "adjudge[server]"')
    from judge.cli.main import adjudge

    adjudge()
