"""check.py INPUT OUTPUT ANSWER SCORE MESSAGE FOLDER: the raw score of a round trip, as ACMOJ's
checkers write it. ANSWER holds the length of the judge's own trip."""

import math
import sys
from pathlib import Path


class NoTripError(Exception):
    """The output is no round trip; the exception says why."""


def places(text: str) -> list[tuple[int, int]]:
    number, *coordinates = map(int, text.split())
    return list(zip(coordinates[0::2], coordinates[1::2], strict=True))[:number]


def order(text: str, number: int) -> list[int]:
    """The places of the trip, counted from 0."""
    words = text.split()
    if len(words) != number:
        raise NoTripError(f"there are {len(words)} numbers, not {number}")
    seen = set()
    for word in words:
        if not (word.isascii() and word.isdecimal() and len(word) < 10):
            raise NoTripError(f"{word[:20]} is no place")
        if not 1 <= int(word) <= number:
            raise NoTripError(f"there is no place {word}")
        if int(word) in seen:
            raise NoTripError(f"place {word} is visited twice")
        seen.add(int(word))
    return [int(word) - 1 for word in words]


def length(trip: list[tuple[int, int]]) -> float:
    return math.fsum(
        math.dist(here, there) for here, there in zip(trip, trip[1:] + trip[:1], strict=True)
    )


def judge(given: str, output: str, answer: str) -> tuple[float, str]:
    """The raw score and a message."""
    found = places(given)
    try:
        way = length([found[place] for place in order(output, len(found))])
    except NoTripError as reason:
        return 0, str(reason)
    own = float(answer)
    score = 1000 * own / way if way > 0 else 1000.0
    return score, f"length {way:.1f}, the judge's own {own:.1f}, raw score {score:.1f}"


def main() -> None:
    given, output, answer, score_file, message_file = map(Path, sys.argv[1:6])
    text = output.read_bytes().decode(errors="replace")
    score, message = judge(given.read_text(), text, answer.read_text())
    score_file.write_text(f"{score}\n")
    message_file.write_text(f"{message}\n")


if __name__ == "__main__":
    main()
