"""A function on hostile text, in bounded time.

Regular expressions, lexers and parsers can take for ever on a text that was made for it, and
nothing within a process can stop them: they run in one of their own, which is ended in time.
"""

import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar, cast

SECONDS = 60.0

T = TypeVar("T")


class TooSlow(Exception):
    """The function did not come to an end."""


def bounded(seconds: float, function: Callable[..., T], *arguments: object) -> T:
    """What a function of a module gives, called in another process. Raises TooSlow."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            input=pickle.dumps((function, arguments)),
            stdout=subprocess.PIPE,
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    # Both ends are this module; no text of a repository is ever unpickled.
    return cast("T", pickle.loads(done.stdout))  # noqa: S301


def main() -> None:
    """The process: a function and its arguments on standard input, its result on the output."""
    function, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301
    pickle.dump(function(*arguments), sys.stdout.buffer)


if __name__ == "__main__":
    main()
