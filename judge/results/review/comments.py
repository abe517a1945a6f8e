"""Source text without its comments, by a real lexer of its language."""

from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, _TokenType, is_token_subtype
from pygments.util import ClassNotFound


def without_comments(file: str, text: str) -> str:
    """The text with every comment blanked, lines where they were. A file of no known language is
    returned as it is. The lexers are many regular expressions: bound the time of the call."""
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
