"""The default output validator of ICPC packages, as rules of ours."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from judge.model import Comparison, Test, Tolerance

_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_FLAGS = ("case_sensitive", "space_change_sensitive")

Rule = Comparison | Tolerance


def compared(
    tests: Iterable[Test], arguments: tuple[str, ...], fault: Callable[[str], None]
) -> tuple[Rule, tuple[Test, ...]]:
    """The rule that most tests go by, and the tests, of which the others have rules of their own.

    `arguments` are told in all tests; what is none goes to `fault`.
    """
    tests = tuple(tests)
    told = [(*arguments, *test.check_arguments) for test in tests] or [arguments]
    rules = {words: default_validator(words, fault) for words in dict.fromkeys(told)}
    ((common, _),) = Counter(rules[words] for words in told).most_common(1)
    return common, tuple(
        test if rules[words] == common else replace(test, compare=rules[words])
        for test, words in zip(tests, told, strict=False)
    )


def default_validator(arguments: tuple[str, ...], fault: Callable[[str], None]) -> Rule:
    """What the default output validator does when it is told these things."""
    words = iter(arguments)
    absolute = relative = 0.0
    for word in words:
        if word in _TOLERANCES:
            value = _tolerance(word, next(words, ""), fault)
            absolute = value if word != "float_relative_tolerance" else absolute
            relative = value if word != "float_absolute_tolerance" else relative
        elif word not in _FLAGS:
            fault(f'"{word}" is none of {", ".join((*_FLAGS, *_TOLERANCES))}')
    same_case = "case_sensitive" in arguments
    if absolute or relative:
        return Tolerance(absolute, relative, ignores_case=not same_case)
    if "space_change_sensitive" in arguments:
        return Comparison.EXACT
    return Comparison.TOKENS if same_case else Comparison.WORDS


def _tolerance(flag: str, word: str, fault: Callable[[str], None]) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        fault(f'{flag} must be followed by a number, 0 or more, not "{word}"')
        return 0
    return value
