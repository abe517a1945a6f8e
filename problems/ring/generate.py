"""Writes the 16 tests of Ring: `python generate.py [FOLDER]`, by default into data/ring.

The answers are what the mains print with a ring that wraps std::deque (g++ is needed).
"""

import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLE = HERE / "solutions" / "compile_error" / "wraps_deque.hpp"

ONE_RING = (["push_back"] * 4 + ["push_front"] * 4 + ["pop_back", "pop_front"] * 3) + [
    "front",
    "back",
    "at",
    "at",
    "set",
    "size",
    "print",
]
SEVERAL_RINGS = [*ONE_RING, "copy", "move", "swap", "equal", "rotate", "rotate", "clear"]


def script(rng: random.Random, length: int, commands: list[str], rings: int) -> str:
    return "".join(
        f"{rng.randrange(rings)} {command(rng, commands, rings)}\n" for _ in range(length)
    )


def command(rng: random.Random, commands: list[str], rings: int) -> str:
    match rng.choice(commands):
        case "push_back" | "push_front" as push:
            return f"{push} {word(rng)}"
        case "at":
            return f"at {rng.randrange(20)}"
        case "set":
            return f"set {rng.randrange(20)} {word(rng)}"
        case "copy" | "move" | "swap" | "equal" as pair:
            return f"{pair} {rng.randrange(rings)}"
        case alone:
            return alone


def word(rng: random.Random) -> str:
    """Now and then too long for a std::string to keep without memory of its own."""
    return rng.choice("abcdefgh") * rng.choice((1, 3, 5, 20)) + str(rng.randrange(100))


def numbers(rng: random.Random, length: int) -> str:
    return " ".join(str(rng.randint(-999, 999)) for _ in range(length)) + "\n"


BEGINNING = """0 size
0 pop_back
0 front
0 push_back one
0 push_front zero
0 push_back two
0 print
0 front
0 back
0 at 1
0 at 3
0 pop_front
0 pop_back
0 print
0 pop_back
0 pop_back
0 size
"""


def inputs(rng: random.Random) -> dict[str, str]:
    """The inputs of the tests whose main reads one."""
    return {
        "01": BEGINNING,
        "02": script(rng, 300, ONE_RING, rings=1),
        "03": "".join(f"0 push_back {i}\n0 rotate\n0 rotate\n" for i in range(1000)) + "0 print\n",
        "04": script(rng, 400, SEVERAL_RINGS, rings=2),
        "05": script(rng, 2000, SEVERAL_RINGS, rings=8),
        "07": numbers(rng, 20),
        "08": numbers(rng, 1000),
        "11": "20000 10000000\n",
        "12": "7 20000000\n",
        "13": script(rng, 400, SEVERAL_RINGS, rings=4),
    }


def build(main: Path, folder: Path) -> Path:
    program = folder / main.stem
    command = ["g++", "-std=c++20", "-O2", f"-I{folder}", "-o", program, folder / main.name]
    subprocess.run(command, check=True)
    return program


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mains = {
        test: HERE / "mains" / table["main"]
        for test, table in tomllib.loads((HERE / "problem.toml").read_text())["tests"].items()
    }
    texts = inputs(random.Random(16))
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        shutil.copytree(HERE / "mains", work, dirs_exist_ok=True)
        shutil.copy(ORACLE, work / "ring.hpp")
        (work / "rules.hpp").write_text("")
        programs = {main: build(main, work) for main in sorted(set(mains.values()))}
        for test, source in mains.items():
            text = texts.get(test)
            if text is not None:
                (folder / f"{test}.in").write_text(text)
            answer = subprocess.run(
                [programs[source]], input=(text or "").encode(), capture_output=True, check=True
            )
            (folder / f"{test}.ans").write_bytes(answer.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
