"""Programs of the problem's own that say whether an input is one."""

from collections.abc import Callable

import pytest

from judge.grading import Refused, Slot, refused_inputs
from judge.model import Problem

Make = Callable[..., Problem]

SMALL = """
import sys
word = sys.stdin.read().split()
if len(word) != 1 or not word[0].isdigit():
    sys.exit("one number is wanted")
sys.exit(YES if int(word[0]) <= int(sys.argv[1]) else 1)
"""
TESTS = [("7\n", ""), ("12\n", ""), ("x\n", "")]


def validate(make: Make, slot: Slot, protocol: str, source: str, more: str = "") -> list[Refused]:
    definition = f'[[validate]]\nprogram = "in.py"\nprotocol = "{protocol}"\narguments = ["9"]\n'
    return list(refused_inputs(make(definition + more, TESTS, {"judge/in.py": source}), slot))


@pytest.mark.parametrize(("protocol", "yes"), [("icpc", "42"), ("testlib", "0")])
def test_an_input_is_refused_with_the_validator_s_words(
    make: Make, slot: Slot, protocol: str, yes: str
) -> None:
    found = validate(make, slot, protocol, SMALL.replace("YES", yes))
    assert [(entry.input and entry.input.name, entry.reason) for entry in found] == [
        ("2.in", "in.py: exit code 1."),
        ("3.in", "in.py: exit code 1. one number is wanted"),
    ]


def test_a_test_may_tell_the_validators_more(make: Make, slot: Slot) -> None:
    source = SMALL.replace("sys.argv[1]", "sys.argv[-1]").replace("YES", "42")
    found = validate(make, slot, "icpc", source, '[tests.2]\ninput_arguments = ["99"]\n')
    assert [entry.input and entry.input.name for entry in found] == ["3.in"]


def test_an_input_that_is_not_there_is_empty(make: Make, slot: Slot) -> None:
    definition = '[[validate]]\nprogram = "in.py"\nprotocol = "icpc"\n[tests.1]\ninput = "1.in"\n'
    source = "import sys; sys.exit(42 if sys.stdin.read() == '' else 43)"
    problem = make(definition, [("", "")], {"judge/in.py": source})
    assert list(refused_inputs(problem, slot)) == []


def test_a_validator_that_does_not_work_is_named(make: Make, slot: Slot) -> None:
    definition = '[[validate]]\nprogram = "in.cpp"\n'
    problem = make(definition, TESTS, {"judge/in.cpp": "int main() { return x; }"})
    (found,) = refused_inputs(problem, slot)
    assert found.input is None
    assert "in.cpp does not compile" in found.reason


def test_one_that_runs_for_ever_is_stopped(make: Make, slot: Slot) -> None:
    definition = '[[validate]]\nprogram = "in.py"\ntime = "100ms"\n'
    problem = make(definition, TESTS[:1], {"judge/in.py": "while True: pass"})
    (found,) = refused_inputs(problem, slot)
    assert "More CPU time" in found.reason
