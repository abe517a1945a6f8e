"""Writes the 13 tests of the key-value store: `python generate.py [FOLDER]`, by default into
data/kv. The answers come from a model of the store, a dictionary that lives as long as a chain."""

import random
import sys
from collections.abc import Iterator
from operator import mul
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEIGHTS = [31**place % 2**32 for place in reversed(range(120))]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789."


class Model:
    """Obeys the commands of the statement. What `fill` stores is made when it is read, if ever."""

    def __init__(self) -> None:
        self.values: dict[str, str | tuple[int, int]] = {}

    def answer(self, line: str) -> str | None:
        """What the command prints, if it prints anything."""
        match line.split():
            case ["put", key, value]:
                self.values[key] = value
            case ["get", key]:
                return written(self.values.get(key, "none"))
            case ["del", key]:
                self.values.pop(key, None)
            case ["count"]:
                return str(len(self.values))
            case ["fill", prefix, number, seed]:
                for i in range(int(number)):
                    self.values[f"{prefix}{i}"] = (int(seed), i)
            case ["drop", prefix, number]:
                for i in range(int(number)):
                    self.values.pop(f"{prefix}{i}", None)
            case ["digest", prefix, number]:
                keys = (f"{prefix}{i}" for i in range(int(number)))
                found = [written(self.values[key]) for key in keys if key in self.values]
                return f"{len(found)} {digest(found)}"
        return None


def written(value: str | tuple[int, int]) -> str:
    return value if isinstance(value, str) else made_value(*value)


def made_value(seed: int, number: int) -> str:
    x = (seed + 7919 * number) % 2**31
    words = []
    for _ in range(15):
        x = (1103515245 * x + 12345) % 2**31
        words.append(x)
    return "%08x" * 15 % tuple(words)


def digest(values: list[str]) -> int:
    """The statement's digest, a whole value at a time: a character counts 31 times the next."""
    result = 0
    for value in values:
        weights = WEIGHTS[-len(value) :]
        result = result * 31 ** len(value) + sum(map(mul, value.encode(), weights))
        result %= 2**32
    return result


def random_commands(rng: random.Random, keys: int, length: int) -> Iterator[str]:
    for _ in range(length):
        key = f"{LETTERS[rng.randrange(10)]}.{rng.randrange(keys)}"
        match rng.choice("pppgggdc"):
            case "p":
                value = "".join(rng.choices(LETTERS, k=rng.choice((1, 8, 8, 50, 120))))
                yield f"put {key} {value}"
            case "g":
                yield f"get {key}"
            case "d":
                yield f"del {key}"
            case _:
                yield "count"


FIRST_STEPS = """put color blue
put size 12
get color
put color green
get color
get colo
get colors
del size
get size
del size
count
put size 13
put a.key.of.20.letters a
get a.key.of.20.letters
count
digest color 10
fill k 3 1
get k0
digest k 5
drop k 2
count
digest k 5
fill k 0 7
count
"""


def chains(rng: random.Random) -> Iterator[list[list[str]]]:
    """The tests in order: a chain is a list of runs in the same folder, a run a list of lines."""
    yield [FIRST_STEPS.splitlines()]
    yield [list(random_commands(rng, keys=20, length=1500))]
    yield [
        ["fill x 2000 5", "digest x 2000", "fill x1 500 6", "digest x 2000", "drop x 1200", "count"]
    ]

    yield [
        [*random_commands(rng, keys=30, length=300), "fill f 2000 1", "count"],
        ["count", *random_commands(rng, keys=30, length=300), "digest f 2000", "drop f 1000"],
        ["digest f 2000", *random_commands(rng, keys=30, length=300), "fill f 1500 2", "del f7"],
        ["get f7", "get f8", *random_commands(rng, keys=30, length=300), "digest f 2000", "count"],
    ]

    yield [
        ["fill a 100000 1", "count", "fill b 80000 2", "count", "digest b 1000"],
        ["count", "digest a 100000", *gets(rng, "b", 80000), "drop a 20000", "fill c 20000 3"],
        ["count", "digest b 80000", "digest c 20000", *gets(rng, "a", 100000)],
    ]

    yield [
        [*(f"fill k 40000 {seed}" for seed in range(8)), "digest k 40000"],
        ["drop k 10000", "fill k 40000 8", "fill k 40000 9", "get k39999", "count"],
        ["digest k 40000", "fill k 40000 10", "fill k 40000 11", "digest k 40000", "count"],
    ]


def gets(rng: random.Random, prefix: str, number: int) -> list[str]:
    return [f"get {prefix}{rng.randrange(number)}" for _ in range(100)]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for chain in chains(random.Random(42)):
        model = Model()
        for run in chain:
            number += 1
            answers = [answer for line in run if (answer := model.answer(line)) is not None]
            (folder / f"{number:02}.in").write_text("".join(f"{line}\n" for line in run))
            (folder / f"{number:02}.ans").write_text("".join(f"{line}\n" for line in answers))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
