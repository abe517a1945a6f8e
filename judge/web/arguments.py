"""What callers send, read with care: ids in paths, numbers in queries, fields of forms."""

import re
from enum import StrEnum
from typing import TypeVar, cast
from urllib.parse import parse_qsl

from flask import g, request
from werkzeug.exceptions import RequestEntityTooLarge

from judge.web.errors import ApiError, not_found

E = TypeVar("E", bound=StrEnum)

LARGEST_ID = 999_999_999
"""Nine digits: what fits an integer column, and is easy to say in a pattern."""
MOST_FIELDS = 100

_INTEGER = re.compile(r"-?[0-9]{1,20}")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}")
_NATURAL = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?")


def object_id(text: str) -> int:
    """The id in a path. ApiError 400 where it is no integer, 404 where no object can have it."""
    if not _INTEGER.fullmatch(text):
        raise ApiError(400, "invalid argument")
    number = int(text)
    if not 0 < number <= LARGEST_ID:
        raise not_found()
    return number


def query_integer(name: str) -> int | None:
    """A number in the query; None where it is missing or empty. ApiError 400 for anything else."""
    text = request.args.get(name, "")
    if not text:
        return None
    return _natural(name, text)


def query_seconds(name: str, most: float) -> float:
    """A time in the query, cut to `most`; 0 where it is missing. ApiError 400 for anything else."""
    text = request.args.get(name)
    if text is None:
        return 0.0
    if not _NUMBER.fullmatch(text):
        raise ApiError(400, f"{name} is a number of seconds, such as 20")
    return min(float(text), most)


def form_field(name: str, default: str | None = None) -> str:
    """A field of the form. ApiError 400, which names the field, where it is missing."""
    if default is not None and name not in _form():
        return default
    return form_bytes(name).decode("utf-8", "replace")


def form_integer(name: str) -> int | None:
    """A number in the form; None where it is missing or empty. ApiError 400 for anything else."""
    text = form_field(name, "")
    if not text:
        return None
    return _natural(name, text)


def form_integers(name: str) -> list[int]:
    """Numbers in the form, separated by commas. ApiError 400 for anything else."""
    text = form_field(name, "")
    return [_natural(name, word) for word in text.split(",")] if text else []


def _natural(name: str, text: str) -> int:
    if not _NATURAL.fullmatch(text):
        raise ApiError(400, f"{name} is no number that can be used here: {text[:20]!r}")
    return int(text)


def form_number(name: str, default: float) -> float:
    """A number with or without a fraction. ApiError 400 for anything else."""
    text = form_field(name, "")
    if not text:
        return default
    if not _NUMBER.fullmatch(text):
        raise ApiError(400, f"{name} is a number, such as 30")
    return float(text)


def form_flag(name: str, *, default: bool) -> bool:
    """`true` or `false`; the default where it is missing or empty. ApiError 400 for anything else,
    which would be taken for its opposite."""
    text = form_field(name, "")
    if text not in {"", "true", "false"}:
        raise ApiError(400, f"{name} is true or false, not {text[:20]!r}")
    return text == "true" if text else default


def form_choice(name: str, choices: type[E]) -> E | None:
    """One of the words of an enumeration, None where it is missing or empty. ApiError 400, which
    lists them, for anything else."""
    text = form_field(name, "")
    try:
        return choices(text) if text else None
    except ValueError:
        raise ApiError(400, f"{name} is one of {', '.join(choices)}") from None


def form_bytes(name: str) -> bytes:
    """A field of the form, or a file of it, byte for byte as it was sent: a source text need not be
    UTF-8. ApiError 400 where it is missing."""
    form = _form()
    if name not in form and name in request.files:
        form[name] = request.files[name].read()
    try:
        return form[name]
    except KeyError:
        raise ApiError(
            400,
            f"the form field {name} is missing (send application/x-www-form-urlencoded"
            " or multipart/form-data)",
        ) from None


def form_revision(name: str) -> str:
    """A commit, branch or tag, empty where it is missing. ApiError 400 for what git would read as
    something else: an option, a range, a path."""
    text = form_field(name, "").strip()
    if text and (not _REVISION.fullmatch(text) or ".." in text):
        raise ApiError(400, f"{name} must be a commit, a branch or a tag")
    return text


def _form() -> dict[str, bytes]:
    if "form" not in g:
        g.form = _read_form()
    return cast("dict[str, bytes]", g.form)


def _read_form() -> dict[str, bytes]:
    # Werkzeug's form is text, and what is not UTF-8 is lost on the way to it.
    if request.mimetype == "application/x-www-form-urlencoded":
        body = _whole_body()
        try:
            pairs = parse_qsl(
                body.decode("utf-8", "surrogateescape"),
                keep_blank_values=True,
                errors="surrogateescape",
                max_num_fields=MOST_FIELDS,
            )
        except ValueError:
            raise ApiError(400, f"a form has at most {MOST_FIELDS} fields") from None
        return {name: value.encode("utf-8", "surrogateescape") for name, value in pairs}
    return {name: value.encode("utf-8", "replace") for name, value in request.form.items()}


def _whole_body() -> bytes:
    """Werkzeug takes what came for the whole, where the sender went away or sent more than the
    application takes: half a program must not be judged."""
    body = request.get_data(parse_form_data=False)
    if request.content_length is None and len(body) == request.max_content_length:
        raise RequestEntityTooLarge
    if request.content_length is not None and len(body) != request.content_length:
        raise ApiError(400, "the body of the request breaks off")
    return body
