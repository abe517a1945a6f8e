"""Writes the 100 tests of the BASIC interpreter: `python generate.py [FOLDER]`, by default into
data/basic. Each function below is the theme of one group of five; the answers are what the
reference solution prints, which is built for it (g++ and cmake are needed)."""

import itertools
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
REFERENCE = HERE / "solutions" / "accepted" / "reference"

Lines = list[str]


def session(*lines: str) -> Lines:
    return [*lines, "QUIT"]


def nothing_to_do(rng: random.Random) -> Iterator[Lines]:
    yield session("", "")
    yield session("LIST", "RUN", "LIST")
    yield session("CLEAR", "LIST", "CLEAR")
    yield [*session("10 PRINT 1", "REMARK"), "RUN", "PRINT 2"]
    yield session(
        "PRINT", "LET x", "LET 1 = 2", "LET PRINT = 1", "PRINT 1 +", f"WRITE {rng.randint(1, 9)}"
    )


def stored_in_order(rng: random.Random) -> Iterator[Lines]:
    yield session(*remarks(rng.sample(range(1, 50), 4)), "LIST")
    yield session(*remarks(rng.sample(range(1, 1_000_000), 8)), "LIST")
    yield session(*remarks([9, 10, 100, 99, 1000, 11]), "LIST", "LIST")
    yield session("10 REM", "20   REM  blanks   stay", "30 REM: 1 + ( = ?", "LIST")
    numbers = list(range(10, 210, 10))
    rng.shuffle(numbers)
    yield session(*remarks(numbers), "LIST")


def replaced_and_deleted(rng: random.Random) -> Iterator[Lines]:
    yield session(*remarks([10, 20, 30]), "20", "LIST", "20 REM again", "LIST")
    yield session(*remarks([10, 20]), "10", "20", "LIST", "10", "LIST")
    yield session("10 PRINT 1", "10 PRINT 2", "LIST", "RUN", "10", "RUN", "LIST")
    yield session("10 PRINT 1", "10 PRINT +", "20 LET GOTO = 1", "LIST", "RUN")
    edits = remarks([rng.randint(1, 12) for _ in range(30)])
    deletions = [str(rng.randint(1, 12)) for _ in range(8)]
    mixed = edits + deletions
    rng.shuffle(mixed)
    yield session(*mixed, "LIST")


def one_operation(rng: random.Random) -> Iterator[Lines]:
    yield session(f"PRINT {rng.randint(0, 9)}", "PRINT 2147483647")
    for op in "+-*/":
        a, b = rng.randint(100, 40_000), rng.randint(2, 99)
        yield session(f"PRINT {a} {op} {b}", f"PRINT {b}{op}{a}")


def division(rng: random.Random) -> Iterator[Lines]:
    a = rng.randint(100, 999)
    yield session(f"PRINT {a} / 0", "PRINT 0 / 0", f"PRINT 0 / {a}")
    yield session(f"PRINT 0 - {a}", f"PRINT {a} - {2 * a}")
    yield session(f"PRINT {a} / 7", f"PRINT {a} / 7 * 7", f"PRINT {a} - {a} / 7 * 7")
    yield session(f"PRINT {a} / ({a} - {a})", f"PRINT {a}")
    yield session(f"PRINT (0 - {7 * 13 + 5}) / 7", "PRINT (0 - 1) / 2", "PRINT 1 / (0 - 2)")


def left_to_right(rng: random.Random) -> Iterator[Lines]:
    yield session("PRINT 100 - 30 - 20 - 10")
    yield session("PRINT 360 / 6 / 5 / 4", "PRINT 7 / 2 * 2", "PRINT 2 * 7 / 2")
    yield session("PRINT 2 + 3 * 4 - 5", "PRINT 2 * 3 + 4 * 5", "PRINT 2 - 3 * 4 / 5 + 6")
    for terms in (12, 25):
        yield session(f"PRINT {flat_expression(rng, terms)}")


def parentheses(rng: random.Random) -> Iterator[Lines]:
    yield session("PRINT (((7)))", "PRINT (1+2)*(3+4)", "PRINT 2*(3)")
    yield session("PRINT 100 - (50 - (25 - (12 - 6)))", "PRINT 100 / (50 / (25 / 5))")
    yield session("PRINT (1 + 2", "PRINT 1 + 2)", "PRINT ()", "PRINT 3 (4)", "PRINT (1)(2)")
    for depth in (4, 6):
        yield session(f"PRINT {nested_expression(rng, depth)}")


def many_lines(rng: random.Random) -> Iterator[Lines]:
    for depth in (1, 2, 3, 4, 5):
        yield session(*(f"PRINT {nested_expression(rng, depth)}" for _ in range(12 - 2 * depth)))


def variables(rng: random.Random) -> Iterator[Lines]:
    a, b = rng.sample(range(10, 1000), 2)
    yield session(f"LET x = {a}", "PRINT x", f"LET x = {b}", "PRINT x", "LET x = x", "PRINT x")
    yield session(f"LET Total = {a}", f"LET total = {b}", "PRINT Total", "PRINT total - Total")
    yield session(f"LET x1 = {a}", f"LET x2y3 = {b}", "PRINT x1 * x2y3", "PRINT x2y3/x1")
    yield session(f"LET RUNNER = {a}", f"LET ENDS = {b}", "PRINT RUNNER + ENDS")
    yield session(f"LET a={a}", "PRINT(a)", "PRINT a-a*2", "LET  a  =  a  +  1", "PRINT   a")


def variables_in_expressions(rng: random.Random) -> Iterator[Lines]:
    for size in (2, 3, 4, 5, 6):
        names = [f"v{i}" for i in range(size)]
        lets = [f"LET {name} = {rng.randint(1, 30)}" for name in names]
        sums = [f"PRINT {flat_expression(rng, 4, names)}" for _ in range(4)]
        yield session(*lets, *sums)


def undefined_variables(rng: random.Random) -> Iterator[Lines]:
    a = rng.randint(2, 9)
    yield session("PRINT x", f"LET x = {a}", "PRINT x", "PRINT X")
    yield session("LET x = x + 1", "PRINT x", f"LET x = {a}", "LET x = x + y", "PRINT x")
    yield session(f"LET x = {a} / 0", "PRINT x", "PRINT x / 0")
    yield session(f"LET x = {a}", *["LET x = x * 2 - 1"] * 20, "PRINT x")
    yield session(
        f"LET a = {a}", "LET b = 1", *["LET c = a + b", "LET a = b", "LET b = c"] * 12, "PRINT c"
    )


def input_of_numbers(rng: random.Random) -> Iterator[Lines]:
    a, b = rng.randint(10, 99), rng.randint(100, 999)
    yield session("INPUT x", f"{a}", "PRINT x * x")
    yield session("INPUT x", f"-{b}", "PRINT x", "PRINT 0 - x")
    yield session("INPUT a", f"{a}", "INPUT b", f"{b}", "INPUT a", "7", "PRINT a * 1000 + b")
    yield session("INPUT x", f"   {a}  ", "PRINT x", "INPUT x", "-0", "PRINT x")
    yield session("INPUT PRINT", "INPUT", "INPUT 3", "INPUT x y", "INPUT x", "0012", "PRINT x")


def input_of_nonsense(rng: random.Random) -> Iterator[Lines]:
    a = rng.randint(10, 99)
    yield session("INPUT x", "ten", f"{a}", "PRINT x")
    yield session("INPUT x", "1 2", "1,2", "1.", f"{a}", "PRINT x")
    yield session("INPUT x", "", "-", "--1", "- 1", f"-{a}", "PRINT x")
    yield session("INPUT x", "0x1F", "1e3", "12a", "(3)", f"{a}", "PRINT x")
    yield session("INPUT x", "PRINT 1", "x", "QUIT NOW", f"{a}", "PRINT x")


def what_clear_and_run_keep(rng: random.Random) -> Iterator[Lines]:
    a = rng.randint(10, 99)
    yield session(f"LET x = {a}", "10 PRINT x", "CLEAR", "RUN", "PRINT x")
    yield session("10 PRINT x", "RUN", f"LET x = {a}", "RUN", "LIST")
    yield session("10 LET x = x + 1", f"LET x = {a}", "RUN", "RUN", "RUN", "PRINT x")
    yield session("10 PRINT 1", "20 PRINT 1 / 0", "30 PRINT 3", "RUN", "20", "RUN")
    yield session("10 PRINT 1", "20 PRINT y", "30 PRINT 3", "RUN", "LET y = 2", "RUN")


def programs_in_order(rng: random.Random) -> Iterator[Lines]:
    for length in (3, 5, 8, 13, 21):
        numbers = rng.sample(range(1, 1000), length)
        yield session(*(f"{number} PRINT {number * 3}" for number in numbers), "RUN", "LIST")


def ends_and_jumps(rng: random.Random) -> Iterator[Lines]:
    a = rng.randint(10, 99)
    yield session("10 PRINT 1", "30 PRINT 3", "20 END", "RUN", "20", "RUN")
    yield session("10 INPUT x", "20 PRINT x * 2", "30 END", "RUN", f"{a}", "RUN", "no", f"{a + 1}")
    yield session("10 GOTO 30", "20 PRINT 2", "25 END", "30 PRINT 3", "40 GOTO 20", "RUN")
    yield session(
        "10 GOTO 40", "20 PRINT 2", "30 GOTO 60", "40 PRINT 4", "50 GOTO 20", "60 REM", "RUN"
    )
    yield session("10 PRINT 1", "20 GOTO 15", "30 PRINT 3", "RUN")


def conditions(rng: random.Random) -> Iterator[Lines]:
    yield session("10 PRINT 1", "20 IF 1 = 1 THEN 15", "30 PRINT 3", "RUN", "15 END", "RUN")
    for op in "=<>":
        program = ["10 INPUT a", "20 INPUT b", f"30 IF a {op} b THEN 60"]
        program += ["40 PRINT 0", "50 END", "60 PRINT 1"]
        a = rng.randint(-50, 50)
        runs = [["RUN", f"{a}", f"{a + step}"] for step in (-1, 0, 1)]
        yield session(*program, *itertools.chain(*runs))
    yield session(
        "10 IF 1 == 1 THEN 10",
        "20 IF 1 THEN 10",
        "30 IF 1 = 1 GOTO 10",
        "40 IF 1 <> 2 THEN 10",
        "LIST",
    )


def conditions_on_expressions(rng: random.Random) -> Iterator[Lines]:
    for depth in (1, 2, 2, 3, 3):
        left, right = nested_expression(rng, depth), nested_expression(rng, depth)
        program = []
        for start, op in ((100, "="), (200, "<"), (300, ">")):
            program += [f"{start} IF {left} {op} {right} THEN {start + 30}"]
            program += [f"{start + 10} PRINT {start}", f"{start + 30} REM"]
        yield session(*program, "RUN")


def jumps_all_over(rng: random.Random) -> Iterator[Lines]:
    for length in (5, 10, 20, 40, 80):
        stops = [number * 10 for number in rng.sample(range(2, length + 2), length)]
        program = [f"10 GOTO {stops[0]}"]
        for here, there in zip(stops, [*stops[1:], 10_000], strict=True):
            program += [f"{here} PRINT {here}", f"{here + 5} GOTO {there}"]
        program += ["10000 INPUT again", "10010 IF again > 0 THEN 10"]
        rng.shuffle(program)
        yield session(*program, "RUN", "1", "0")


def whole_programs(rng: random.Random) -> Iterator[Lines]:
    collatz = ["10 INPUT n", "20 LET steps = 0", "30 IF n = 1 THEN 90", "40 LET steps = steps + 1"]
    collatz += ["50 IF n / 2 * 2 = n THEN 80", "60 LET n = 3 * n + 1", "70 GOTO 30"]
    collatz += ["80 LET n = n / 2", "85 GOTO 30", "90 PRINT steps"]
    yield session(*collatz, *runs_with(rng.sample(range(2, 1000), 5)))

    gcd = ["10 INPUT a", "20 INPUT b", "30 IF b = 0 THEN 80", "40 LET r = a - a / b * b"]
    gcd += ["50 LET a = b", "60 LET b = r", "70 GOTO 30", "80 PRINT a"]
    yield session(*gcd, "RUN", "1071", "462", "RUN", "17", "0", "RUN", "x", "99990", "", "36360")

    sieve = ["10 INPUT top", "20 LET p = 2", "30 LET d = 2", "40 IF d * d > p THEN 80"]
    sieve += ["50 IF p / d * d = p THEN 90", "60 LET d = d + 1", "70 GOTO 40", "80 PRINT p"]
    sieve += ["90 LET p = p + 1", "100 IF p < top THEN 30"]
    yield session(*sieve, *runs_with([30, 200]))

    power = ["10 INPUT x", "20 INPUT n", "30 LET y = 1", "40 IF n = 0 THEN 100"]
    power += ["50 IF n / 2 * 2 = n THEN 80", "60 LET y = y * x", "65 LET y = y - y / 997 * 997"]
    power += ["70 LET n = n - 1", "75 GOTO 40", "80 LET x = x * x", "85 LET x = x - x / 997 * 997"]
    power += ["90 LET n = n / 2", "95 GOTO 40", "100 PRINT y"]
    yield session(*power, "RUN", "3", "996", "RUN", "2", f"{rng.randint(1, 10**9)}")

    count = ["10 LET i = 0", "20 LET s = 0", "30 LET i = i + 1", "40 LET s = s + i * i / (i + 1)"]
    count += ["50 IF s > 1000000 THEN 70", "55 GOTO 60", "60 IF i < 40000 THEN 30", "65 GOTO 90"]
    count += ["70 LET s = s - 1000000", "80 GOTO 60", "90 PRINT s"]
    yield session(*count, "RUN")


THEMES = (
    nothing_to_do,
    stored_in_order,
    replaced_and_deleted,
    one_operation,
    division,
    left_to_right,
    parentheses,
    many_lines,
    variables,
    variables_in_expressions,
    undefined_variables,
    input_of_numbers,
    input_of_nonsense,
    what_clear_and_run_keep,
    programs_in_order,
    ends_and_jumps,
    conditions,
    conditions_on_expressions,
    jumps_all_over,
    whole_programs,
)


def remarks(numbers: list[int]) -> Lines:
    return [f"{number} REM line {place}" for place, number in enumerate(numbers)]


def runs_with(values: list[int]) -> Lines:
    return [line for value in values for line in ("RUN", str(value))]


def flat_expression(rng: random.Random, terms: int, names: list[str] | None = None) -> str:
    """Products of at most two small factors, so that 32 bits are enough."""
    words = []
    for _ in range(terms):
        factors = [rng.choice(names) if names else str(rng.randint(1, 99)) for _ in range(2)]
        words.append(rng.choice((factors[0], f" {rng.choice('*/')} ".join(factors))))
    return "".join(
        f"{rng.choice((' + ', ' - ')) if i else ''}{word}" for i, word in enumerate(words)
    )


def nested_expression(rng: random.Random, depth: int) -> str:
    """Divides by constants only, and multiplies by small ones."""
    if depth == 0:
        return str(rng.randint(0, 99))
    left = nested_expression(rng, depth - 1)
    match rng.choice("+-*/"):
        case "*":
            return f"({left}) * {rng.randint(2, 9)}"
        case "/":
            return f"({left}) / {rng.randint(2, 9)}"
        case op:
            return f"({left} {op} {nested_expression(rng, depth - 1)})"


def build_reference(folder: Path) -> Path:
    shutil.copytree(REFERENCE, folder, dirs_exist_ok=True)
    for command in (["cmake", "."], ["make"]):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "code"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1964)
    sessions = [lines for theme in THEMES for lines in theme(rng)]
    with tempfile.TemporaryDirectory() as scratch:
        program = build_reference(Path(scratch))
        for number, lines in enumerate(sessions):
            text = "".join(f"{line}\n" for line in lines)
            answer = subprocess.run([program], input=text.encode(), capture_output=True, check=True)
            (folder / f"{number:02}.in").write_text(text)
            (folder / f"{number:02}.ans").write_bytes(answer.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "data" / HERE.name)
