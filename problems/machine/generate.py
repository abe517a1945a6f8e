"""Writes the 10 tests of Tiny machine: `python generate.py [FOLDER]`, by default into
data/machine."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SMALL = 50
LARGE = 10**9

Pairs = list[tuple[int, int]]


def tests(rng: random.Random) -> Iterator[Pairs]:
    def pairs(lowest: int, highest: int, count: int = 10) -> Pairs:
        return [(rng.randint(lowest, highest), rng.randint(lowest, highest)) for _ in range(count)]

    yield [(2, 3)]
    yield [(0, 0), (0, 7), (7, 0), (1, 1), (SMALL, SMALL), (1, SMALL), (SMALL, 1)]
    yield pairs(0, SMALL)
    yield [(2, -3), (-2, 3), (-2, -3), (0, -5), (-5, 0), (-SMALL, -SMALL), (-SMALL, SMALL)]
    yield pairs(-SMALL, SMALL)
    yield pairs(-SMALL, -1)
    yield [
        (LARGE, LARGE),
        (-LARGE, LARGE),
        (LARGE, -LARGE),
        (-LARGE, -LARGE),
        (LARGE, 1),
        (1, LARGE),
    ]
    yield [(2**i, 2**29 - 1) for i in range(20, 30)]
    yield [(2**i - 1, -(2**i) - 1) for i in range(20, 30)]
    yield pairs(-LARGE, LARGE)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1945)
    for number, pairs in enumerate(tests(rng), start=1):
        (folder / f"{number:02}.in").write_text("".join(f"{a} {b}\n" for a, b in pairs))
        (folder / f"{number:02}.ans").write_text("".join(f"{a * b}\n" for a, b in pairs))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
