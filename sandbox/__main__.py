"""`python -m sandbox run -- CMD`: one run, one JSON report."""

import sys

from sandbox.cli import main

if __name__ == "__main__":
    sys.exit(main())
