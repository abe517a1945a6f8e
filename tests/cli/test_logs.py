"""A log that programs read: one JSON object a line, whatever a record carries."""

import json
import logging

from judge.cli.logs import JsonFormatter


def record(message: str, *arguments: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("judge.test").makeRecord(
        "judge.test", logging.INFO, "file", 1, message, arguments, None, extra=extra or None
    )
    assert isinstance(made, logging.LogRecord)
    return made


def test_fields_stay_apart() -> None:
    line = JsonFormatter().format(record("submission %d", 7, submission=7, user=None))
    fields = json.loads(line)
    assert fields.pop("time").endswith("+00:00")
    assert fields == {
        "level": "info",
        "logger": "judge.test",
        "message": "submission 7",
        "submission": 7,
    }


def test_a_record_is_a_line() -> None:
    assert "\n" not in JsonFormatter().format(record("two\nlines", path="/a\nb"))
