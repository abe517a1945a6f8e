"""`python -m sandbox run -- CMD`: one run, one JSON report."""

import importlib.util
import sys

if __name__ == "__main__":
    if importlib.util.find_spec("humanfriendly") is None:
        sys.exit('the sandbox needs the server\'s packages: pip install "adjudge[server]"')
    from sandbox.cli import main

    sys.exit(main())
