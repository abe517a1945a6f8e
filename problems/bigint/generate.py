"""Writes the 18 tests of Big integers: `python generate.py [FOLDER]`, by default into data/bigint.
The answers are what the accepted solution in Python prints; the reference is another one."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLE = HERE / "solutions" / "accepted" / "bigint.py"

SUMS = ["add", "sub"]
PRODUCTS = [*SUMS, "mul", "mul"]
QUOTIENTS = [*SUMS, "div", "div", "mod", "mod"]
EDGES = [
    0,
    1,
    -1,
    9,
    10,
    10**9 - 1,
    10**9,
    -(10**9),
    2**32,
    2**63 - 1,
    -(2**64),
    10**18,
    10**27 - 1,
]


def edges(operations: list[str]) -> Iterator[str]:
    """Each operation on all pairs of numbers at which a carry or a word begins."""
    for x in EDGES:
        yield f"set x {x}"
        for y in EDGES:
            yield f"set y {y}"
            for operation in dict.fromkeys(operations):
                yield f"{operation} z x y"
                yield "print z"
            yield "cmp x y"


def random_numbers(
    rng: random.Random, operations: list[str], rounds: int, longest: int
) -> Iterator[str]:
    for _ in range(rounds):
        for name in "ab":
            yield f"set {name} {number(rng, rng.randint(1, longest))}"
        operation = rng.choice(operations)
        yield f"{operation} c a b"
        yield "print c"
        yield f"{operation} {rng.choice('ab')} {rng.choice('ab')} {rng.choice('abc')}"
        yield f"digits {rng.choice('ab')}"
        yield f"cmp {rng.choice('abc')} {rng.choice('abc')}"


def number(rng: random.Random, length: int) -> int:
    """Half of them have long rows of zeros and nines, where carries run far."""
    digits = rng.choice(["0123456789", "0000999990", "9999999998"])
    value = int(rng.choice("123456789") + "".join(rng.choices(digits, k=length - 1)))
    return rng.choice((value, -value))


def hard_quotients(rng: random.Random) -> Iterator[str]:
    """Divisors that make the first guess of a digit of the quotient too large."""
    for _ in range(150):
        base = 10 ** rng.choice((9, 18)) if rng.random() < 0.5 else 2 ** rng.choice((32, 64))
        divisor = base ** rng.randint(1, 4) // 2 + rng.choice((-1, 0, 1, base - 1))
        quotient = base ** rng.randint(1, 4) - rng.randint(0, 2)
        rest = rng.choice((0, 1, divisor - 1))
        yield f"set x {quotient * divisor + rest}"
        yield f"set y {rng.choice((divisor, -divisor))}"
        yield "div q x y"
        yield "mod r x y"
        yield "print q"
        yield "print r"


def power(base: int, squarings: int) -> Iterator[str]:
    yield f"set p {base}"
    yield from ["mul p p p"] * squarings
    yield "digits p"


def factorial(top: int) -> Iterator[str]:
    yield from ("set f 1", "set i 0", "set e 1")
    for _ in range(top):
        yield "add i i e"
        yield "mul f f i"
    yield "digits f"


def fibonacci(steps: int) -> Iterator[str]:
    yield from ("set a 0", "set b 1")
    for _ in range(steps):
        yield "add c a b"
        yield "add a b z"
        yield "add b c z"
    yield "digits a"
    yield from ("mul s a a", "mul t b b", "mul u a b", "sub v t s", "sub v v u", "print v")


def large_quotients(rng: random.Random) -> Iterator[str]:
    yield from power(7, 16)
    yield "add x p z"
    for squarings in (8, 12, 15):
        yield from power(rng.choice((3, 11, 13)), squarings)
        yield from ("div q x p", "digits q", "mod r x p", "digits r")
        yield from ("mul s q p", "add s s r", "cmp s x")


def inputs(rng: random.Random) -> Iterator[list[str]]:
    yield list(edges(SUMS))
    for rounds, longest in ((60, 20), (60, 100), (30, 300), (10, 1000)):
        yield list(random_numbers(rng, SUMS, rounds, longest))
    yield list(edges(PRODUCTS))
    for rounds, longest in ((60, 20), (60, 100), (12, 500)):
        yield list(random_numbers(rng, PRODUCTS, rounds, longest))
    yield list(edges(QUOTIENTS))
    yield list(hard_quotients(rng))
    for rounds, longest in ((60, 40), (60, 150), (15, 1000)):
        yield list(random_numbers(rng, QUOTIENTS, rounds, longest))
    yield list(factorial(2500))
    yield list(fibonacci(3000))
    yield list(power(3, 18))
    yield list(large_quotients(rng))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1801)
    for place, lines in enumerate(inputs(rng), start=1):
        text = "".join(f"{line}\n" for line in lines)
        answer = subprocess.run(
            [sys.executable, ORACLE], input=text.encode(), capture_output=True, check=True
        )
        (folder / f"{place:02}.in").write_text(text)
        (folder / f"{place:02}.ans").write_bytes(answer.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
