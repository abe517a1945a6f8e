"""The constants of an ICPC package: values that are named once, in `problem.yaml`."""

import re

from judge.model import Constants, filled
from judge.packages.fields import Fields

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_LATEX = re.compile(r"\\constant\{([a-zA-Z_][a-zA-Z0-9_]*)\}")


def read_constants(fields: Fields) -> dict[str, str]:
    """The table `constants`: names, and each one's number, text, or table with its `value`."""
    table = fields.table("constants")
    found = {}
    for name in table.names():
        value = table.anything(name, "")
        if not _NAME.fullmatch(name):
            table.fault(name, "must be a name of letters, digits and _ that begins with no digit")
            continue
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            table.fault(name, 'must be a number, a text, or a table with such a "value"')
            continue
        found[name] = str(value)
    return found


def filled_statement(text: str, constants: Constants) -> str:
    """A statement with its constants in place, as LaTeX writes them or everything else does."""
    text = _LATEX.sub(lambda found: constants.get(found[1], found[0]), text)
    return filled(text.encode(), constants).decode()
