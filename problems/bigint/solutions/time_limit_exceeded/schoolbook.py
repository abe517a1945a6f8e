"""Multiplies digit by digit, as one learns it at school."""

import sys


def quotient(x: int, y: int) -> int:
    magnitude = abs(x) // abs(y)
    return magnitude if (x < 0) == (y < 0) else -magnitude


def product(x: int, y: int) -> int:
    digits_of_x = [int(digit) for digit in reversed(str(abs(x)))]
    digits_of_y = [int(digit) for digit in reversed(str(abs(y)))]
    result = [0] * (len(digits_of_x) + len(digits_of_y))
    for i, digit in enumerate(digits_of_x):
        carry = 0
        for j, other in enumerate(digits_of_y, start=i):
            carry, result[j] = divmod(result[j] + digit * other + carry, 10)
        result[i + len(digits_of_y)] = carry
    magnitude = int("".join(map(str, reversed(result))))
    return magnitude if (x < 0) == (y < 0) else -magnitude


def main() -> None:
    sys.set_int_max_str_digits(0)  # by default, Python refuses to print more than 4300 digits
    registers = dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 0)
    for line in sys.stdin:
        command, *names = line.split()
        if command == "set":
            registers[names[0]] = int(names[1])
            continue
        *to, x, y = ["", *names] if len(names) == 1 else names
        a, b = registers.get(x, 0), registers[y]
        match command:
            case "add":
                registers[to[0]] = a + b
            case "sub":
                registers[to[0]] = a - b
            case "mul":
                registers[to[0]] = product(a, b)
            case "div" | "mod" if b == 0:
                print("division by zero")
            case "div":
                registers[to[0]] = quotient(a, b)
            case "mod":
                registers[to[0]] = a - b * quotient(a, b)
            case "cmp":
                print("<" if a < b else ">" if a > b else "=")
            case "print":
                print(b)
            case "digits":
                digits = str(abs(b))
                print(len(digits), sum(map(int, digits)))


if __name__ == "__main__":
    main()
