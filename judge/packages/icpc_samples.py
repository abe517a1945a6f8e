"""The samples of an ICPC package, as they are shown at the end of its statement."""

from collections.abc import Iterator
from pathlib import Path


def samples(folder: Path, *, shows_samples: bool) -> Iterator[str]:
    """The sections of a statement that show what is in `data/sample`: pairs of input and output
    (docs/problems.md), and interactions (`.interaction`). Files for the statement win over those
    that are judged, and pairs are left out where it is a talk that makes the problem."""
    number = 0
    for file in sorted((*folder.glob("*.in"), *folder.glob("*.interaction"))):
        talk = file.with_suffix(".interaction")
        if file.suffix == ".in" and (talk.is_file() or not shows_samples):
            continue
        number += 1
        yield f"\n## Example {number}\n"
        if file == talk:
            yield from _block("Interaction (`<` is read and `>` is written by the program)", file)
        else:
            yield from _block("Input", _first(f"{file}.statement", file))
            answer = file.with_suffix(".ans")
            shown = (f"{answer}.statement", file.with_suffix(".out"), answer)
            yield from _block("Output", _first(*shown))


def _first(*names: str | Path) -> Path:
    """The first of these files that is there, or the last."""
    files = [Path(name) for name in names]
    return next((file for file in files if file.is_file()), files[-1])


def _block(title: str, file: Path) -> Iterator[str]:
    text = file.read_bytes().decode(errors="replace") if file.is_file() else ""
    fence = "~~~" if "```" in text else "```"
    end = "" if text.endswith("\n") or not text else "\n"
    yield f"\n{title}\n\n{fence}\n{text}{end}{fence}\n"
