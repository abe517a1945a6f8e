"""Source text without its comments, by a real lexer of its language.

The lexers are many regular expressions, and the text is hostile: they run in a process of their
own that is ended when it takes too long.
"""

import json
import subprocess
import sys
from collections.abc import Mapping

from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, _TokenType, is_token_subtype
from pygments.util import ClassNotFound

SECONDS = 60.0


class TooSlow(Exception):
    """The lexers did not come to an end."""


def without_comments(texts: Mapping[str, str], seconds: float = SECONDS) -> dict[str, str]:
    """The texts by file name with every comment blanked, lines where they were. A file of no known
    language is returned as it is. Raises TooSlow."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            input=json.dumps(dict(texts)).encode(),
            stdout=subprocess.PIPE,
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    return {str(name): str(text) for name, text in json.loads(done.stdout).items()}


def _stripped(file: str, text: str) -> str:
    try:
        lexer = get_lexer_for_filename(file, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return text
    return "".join(
        "".join(letter if letter == "\n" else " " for letter in value)
        if is_token_subtype(kind, Comment) and not _is_directive(kind)
        else value
        for kind, value in lexer.get_tokens(text)
    )


def _is_directive(kind: _TokenType) -> bool:
    """A preprocessor directive is a kind of comment to Pygments, and no comment to anybody else."""
    return any(
        is_token_subtype(kind, directive) for directive in (Comment.Preproc, Comment.PreprocFile)
    )


def main() -> None:
    """The process: texts by file name on standard input, and back on standard output, as JSON."""
    texts = json.load(sys.stdin)
    json.dump({file: _stripped(file, text) for file, text in texts.items()}, sys.stdout)


if __name__ == "__main__":
    main()
