"""Writes the 10 tests of Round trip, and the trips that its checker is tried on:
`python generate.py [FOLDER]`, by default into data/tour.

An answer is the length of the trip that the reference solution finds, which is built for it (g++
and cmake are needed).
"""

import math
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
REFERENCE = HERE / "solutions" / "accepted" / "reference"
SIDE = 10_000

Places = list[tuple[int, int]]

SQUARE: Places = [(0, 0), (0, 10), (10, 10), (10, 0)]
TRIED = {
    "invalid_output/twice": "1 2 3 1\n",
    "invalid_output/not_all": "1 2 3\n",
    "invalid_output/nowhere": "1 2 3 5\n",
    "invalid_output/words": "one two three four\n",
    "valid_output/around": "1 2 3 4\n",
    "valid_output/lines": "3\n2\n1\n4\n",
}


def spread(rng: random.Random, number: int) -> Places:
    return distinct(
        rng, ((rng.randint(0, SIDE), rng.randint(0, SIDE)) for _ in iter(int, 1)), number
    )


def clusters(rng: random.Random, number: int, centres: int) -> Places:
    around = spread(rng, centres)

    def near() -> Iterator[tuple[int, int]]:
        while True:
            x, y = rng.choice(around)
            place = (round(rng.gauss(x, SIDE / 40)), round(rng.gauss(y, SIDE / 40)))
            if all(0 <= coordinate <= SIDE for coordinate in place):
                yield place

    return distinct(rng, near(), number)


def grid(rng: random.Random, width: int, height: int) -> Places:
    step = SIDE // max(width, height)
    return distinct(
        rng, ((x * step, y * step) for x in range(width) for y in range(height)), width * height
    )


def distinct(rng: random.Random, places: Iterator[tuple[int, int]], number: int) -> Places:
    found: dict[tuple[int, int], None] = {}
    for place in places:
        found[place] = None
        if len(found) == number:
            break
    result = list(found)
    rng.shuffle(result)
    return result


def inputs(rng: random.Random) -> Iterator[Places]:
    yield [(0, 0), (10, 10), (10, 0), (0, 10)]
    yield [(5000, 5000)]
    yield spread(rng, 7)
    yield spread(rng, 10)
    yield spread(rng, 200)
    yield spread(rng, 200)
    yield clusters(rng, 200, centres=8)
    yield grid(rng, 20, 10)
    yield spread(rng, 3000)
    yield clusters(rng, 3000, centres=30)


def build_reference(folder: Path) -> Path:
    shutil.copytree(REFERENCE, folder, dirs_exist_ok=True)
    for command in (["cmake", "."], ["make"]):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "code"


def length(places: Places, order: list[int]) -> float:
    trip = [places[place - 1] for place in order]
    return math.fsum(map(math.dist, trip, trip[1:] + trip[:1]))


def written(places: Places) -> str:
    return f"{len(places)}\n" + "".join(f"{x} {y}\n" for x, y in places)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1832)
    with tempfile.TemporaryDirectory() as scratch:
        program = build_reference(Path(scratch))
        for number, places in enumerate(inputs(rng), start=1):
            text = written(places)
            done = subprocess.run([program], input=text.encode(), capture_output=True, check=True)
            order = [int(word) for word in done.stdout.split()]
            (folder / f"{number:02}.in").write_text(text)
            (folder / f"{number:02}.ans").write_text(f"{length(places, order):.3f}\n")
    for name, trip in TRIED.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.with_suffix(".in").write_text(written(SQUARE))
        file.with_suffix(".ans").write_text(f"{length(SQUARE, [1, 2, 3, 4]):.3f}\n")
        file.with_suffix(".out").write_text(trip)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
