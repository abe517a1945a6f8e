"""What callers send, read with care: ids in paths, numbers in queries, fields of forms."""

import re

from flask import request

from judge.web.errors import ApiError, not_found

LARGEST_ID = 2**31 - 1
_INTEGER = re.compile(r"-?[0-9]{1,20}")


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
    if not _INTEGER.fullmatch(text) or abs(int(text)) > LARGEST_ID:
        raise ApiError(400, f"{name} is no number that can be used here")
    return int(text)


def form_field(name: str) -> str:
    """A field of the form. ApiError 400, which names the field, where it is missing."""
    value = request.form.get(name)
    if value is None:
        raise ApiError(
            400,
            f"the form field {name} is missing (send application/x-www-form-urlencoded"
            " or multipart/form-data)",
        )
    return value
