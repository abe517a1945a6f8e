"""Writes the 100 tests of A + B: `python generate.py [FOLDER]`, by default into data/sum."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

SMALL = 1000
LARGE = 10**15
EXTREME = 10**18


def pairs(rng: random.Random) -> Iterator[tuple[int, int]]:
    """One pair a test, in the order of the groups."""
    yield 2, -5
    yield 0, 0
    yield SMALL, SMALL
    yield -SMALL, -SMALL
    for _ in range(36):
        yield rng.randint(-SMALL, SMALL), rng.randint(-SMALL, SMALL)

    yield LARGE, LARGE
    yield 2**31 - 1, 1  # the first sums that 32 bits do not hold
    yield -(2**31), -1
    yield 2**32, -1
    for _ in range(52):
        yield large(rng), large(rng)

    yield EXTREME, EXTREME
    yield 2 - EXTREME, 1 - EXTREME  # binary floating point does not hold the sum
    yield EXTREME - 1, -2
    yield EXTREME, -EXTREME


def large(rng: random.Random) -> int:
    """A number of either sign, never so small that the sum of two could fit in 32 bits by luck."""
    return rng.choice((1, 1, 1, -1)) * rng.randint(LARGE // 10, LARGE)


def main(folder: Path) -> None:
    rng = random.Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    for number, (a, b) in enumerate(pairs(rng), start=1):
        (folder / f"{number:03}.in").write_text(f"{a} {b}\n")
        (folder / f"{number:03}.ans").write_text(f"{a + b}\n")


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here.parents[1] / "data" / here.name)
