"""Writes the 20 tests of Library: `python generate.py [FOLDER]`, by default into data/library.
The answers are what the accepted solution in Python prints; the reference is another one."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLE = HERE / "solutions" / "accepted" / "library.py"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

LENDING = ["lend"] * 8 + ["back"] * 6 + ["pay", "member", "book", "book", "day", "add", "join"]
WAITING = LENDING + ["wait"] * 5 + ["day"] * 2
LISTS = [*WAITING, "overdue", "top"]
BIG_STEPS = (0, 1, 1, 2, 3, 5, -1)  # how the number of the day changes
SMALL_STEPS = (0, 0, 1)


class Session:
    """Random commands about members and books with numbers from 1 up.

    A method makes the commands of its name; `lent` remembers loans roughly, so that most of the
    books that come back were lent.
    """

    def __init__(
        self, rng: random.Random, members: int, books: int, steps: tuple[int, ...]
    ) -> None:
        self.rng = rng
        self.members, self.books = range(1, members + 1), range(1, books + 1)
        self.steps = steps
        self.today = 0
        self.lent: list[tuple[int, int]] = []

    def lines(self, commands: list[str], length: int) -> Iterator[str]:
        """Begins with most members and books, and goes on with `length` of the commands."""
        for member in self.rng.sample(self.members, len(self.members) * 9 // 10):
            yield self.join(member)
        for book in self.rng.sample(self.books, len(self.books) * 9 // 10):
            yield f"add {book} {self.rng.choice((1, 1, 1, 2, 3))} {word(self.rng)}"
        for _ in range(length):
            member = self.rng.choice(self.members)
            book = self.books[int(len(self.books) * self.rng.random() ** 2)]
            command = self.rng.choice(commands)
            match command:
                case "overdue":
                    yield command
                case "top":
                    yield f"top {self.rng.randint(1, 10)}"
                case "day":
                    yield self.day()
                case "join" | "pay" | "member":
                    yield getattr(self, command)(member)
                case "add" | "book":
                    yield getattr(self, command)(book)
                case _:
                    yield getattr(self, command)(member, book)

    def day(self) -> str:
        self.today = max(0, self.today + self.rng.choice(self.steps))
        return f"day {self.today}"

    def join(self, member: int) -> str:
        return f"join {member} {word(self.rng)}"

    def pay(self, member: int) -> str:
        return f"pay {member} {self.rng.choice((0, 5, 5, 10, 15, 50))}"

    def member(self, member: int) -> str:
        return f"member {member}"

    def add(self, book: int) -> str:
        return f"add {book} 1 {word(self.rng)}"

    def book(self, book: int) -> str:
        return f"book {book}"

    def lend(self, member: int, book: int) -> str:
        self.lent.append((member, book))
        return f"lend {member} {book}"

    def back(self, member: int, book: int) -> str:
        if self.lent and self.rng.random() < 0.9:
            member, book = self.lent.pop(self.rng.randrange(len(self.lent)))
        return f"back {member} {book}"

    def wait(self, member: int, book: int) -> str:
        return f"wait {member} {book}"


def word(rng: random.Random) -> str:
    return "".join(rng.choices(LETTERS, k=rng.randint(2, 8)))


EVERY_REFUSAL = """member 1
book 1
lend 1 1
join 1 a
join 1 b
lend 1 1
back 1 1
add 1 2 one
add 1 1 uno
back 1 1
back 2 1
pay 1 1
pay 2 0
pay 1 0
lend 1 1
lend 1 1
add 2 1 two
add 3 1 three
add 4 1 four
add 5 1 five
add 6 1 six
lend 1 5
lend 1 4
lend 1 3
lend 1 2
lend 1 6
member 1
day 14
back 1 2
day 15
back 1 3
lend 1 3
member 1
pay 1 6
pay 1 3
lend 1 3
pay 1 2
lend 1 3
day 14
day 15
book 1
"""

GIVEN_UP = """join 1 a
join 2 b
join 3 c
join 4 d
join 5 e
add 1 1 one
wait 1 1
lend 1 1
wait 1 1
wait 2 1
wait 2 1
wait 3 1
wait 4 1
wait 5 1
back 1 1
book 1
wait 2 1
lend 3 1
day 3
book 1
day 4
book 1
lend 2 1
wait 2 1
day 7
lend 3 1
back 3 1
add 1 1 uno
book 1
day 30
book 1
lend 4 1
lend 1 1
lend 2 1
lend 3 1
wait 5 1
back 1 1
lend 1 1
lend 5 1
"""


def inputs(rng: random.Random) -> Iterator[str]:
    def sessions(
        commands: list[str], lengths: list[int], members: int, books: int
    ) -> Iterator[str]:
        for length in lengths:
            steps = BIG_STEPS if length < 2000 else SMALL_STEPS
            lines = Session(rng, members, books, steps).lines(commands, length)
            yield "".join(f"{line}\n" for line in lines)

    yield EVERY_REFUSAL
    yield from sessions(LENDING, [100, 300, 600, 1000], members=10, books=12)
    yield GIVEN_UP
    yield from sessions(WAITING, [100, 300, 600, 1000, 1000], members=12, books=5)
    yield from sessions(LISTS, [100, 300, 600, 1000, 1500], members=30, books=20)
    yield from sessions(LISTS, [4000], members=1500, books=1000)
    yield from sessions(LISTS, [5000], members=300, books=1000)
    yield from sessions(["lend"] * 4 + ["back", "day", "top", "overdue"] * 2, [6000], 2000, 3000)
    yield from sessions(WAITING + ["wait"] * 9, [6000], members=2500, books=5)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1890)
    for number, text in enumerate(inputs(rng), start=1):
        answer = subprocess.run(
            [sys.executable, ORACLE], input=text.encode(), capture_output=True, check=True
        )
        (folder / f"{number:02}.in").write_text(text)
        (folder / f"{number:02}.ans").write_bytes(answer.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
