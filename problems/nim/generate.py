"""Writes the 12 tests of Nim: `python generate.py [FOLDER]`, by default into data/nim.

A test's input is for the referee, who knows by itself when the program has won: the answers are
empty.
"""

import random
import sys
from collections.abc import Iterator
from functools import reduce
from operator import xor
from pathlib import Path

HERE = Path(__file__).resolve().parent

Game = list[int]


def winnable(rng: random.Random, heaps: int, largest: int) -> Game:
    while True:
        sizes = [rng.randint(0, largest) for _ in range(heaps)]
        if reduce(xor, sizes) != 0:
            return sizes


def nearly_lost(rng: random.Random, heaps: int, largest: int) -> Game:
    """Equal pairs but for one stone: there are few moves that win."""
    half = [rng.randint(1, largest) for _ in range(heaps // 2)]
    sizes = half + half
    sizes[rng.randrange(len(sizes))] ^= 1
    rng.shuffle(sizes)
    return sizes


def tests(rng: random.Random) -> Iterator[list[Game]]:
    yield [[1], [2], [10**9]]
    yield [winnable(rng, 1, 10**9) for _ in range(10)]
    yield [[1, 3], [0, 5], [5, 0], [2, 1]]
    yield [winnable(rng, 2, 63) for _ in range(20)]
    yield [nearly_lost(rng, 2, 62) for _ in range(20)]
    yield [winnable(rng, 3, 7) for _ in range(50)]
    yield [winnable(rng, 4, 7) for _ in range(50)]
    yield [nearly_lost(rng, 4, 6) for _ in range(50)]
    yield [winnable(rng, rng.randint(3, 20), 1000) for _ in range(20)]
    yield [winnable(rng, rng.randint(50, 100), 10**9) for _ in range(5)]
    yield [nearly_lost(rng, rng.randint(6, 30), 10**9 - 1) for _ in range(10)]
    yield [winnable(rng, 100, 1) for _ in range(10)]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1901)
    for number, games in enumerate(tests(rng), start=1):
        lines = [f"{rng.randrange(10**9)} {len(games)}"]
        for game in games:
            lines += [str(len(game)), " ".join(map(str, game))]
        (folder / f"{number:02}.in").write_text("".join(f"{line}\n" for line in lines))
        (folder / f"{number:02}.ans").write_text("")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
