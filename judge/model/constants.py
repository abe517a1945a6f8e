"""Values that a package names once, and that stand in its files as `{{name}}`."""

import re
from collections.abc import Mapping

Constants = Mapping[str, str]

_SEQUENCE = re.compile(rb"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}")


def filled(text: bytes, constants: Constants) -> bytes:
    """The text with values in place of names; what is no name of a constant stays as it is."""
    if not constants:
        return text
    values = {name.encode(): value.encode() for name, value in constants.items()}
    return _SEQUENCE.sub(lambda found: values.get(found[1], found[0]), text)
