"""The default output validator of ICPC packages, as a rule of ours."""

import math

from judge.model import Check, Comparison, Tolerance


def default_validator(arguments: tuple[str, ...]) -> Check:
    """What the default output validator does when it is told these things."""
    words = iter(arguments)
    absolute = relative = 0.0
    same_case = same_space = False
    for word in words:
        match word:
            case "case_sensitive":
                same_case = True
            case "space_change_sensitive":
                same_space = True
            case "float_tolerance":
                absolute = relative = _tolerance(next(words, ""))
            case "float_absolute_tolerance":
                absolute = _tolerance(next(words, ""))
            case "float_relative_tolerance":
                relative = _tolerance(next(words, ""))
            case _:
                pass
    if absolute or relative:
        return Tolerance(absolute, relative, ignores_case=not same_case)
    if same_space:
        return Comparison.EXACT
    return Comparison.TOKENS if same_case else Comparison.WORDS


def _tolerance(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        return 0
    return value if math.isfinite(value) else 0
