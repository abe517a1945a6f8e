"""The examples that a statement shows."""

from collections.abc import Iterator

from judge.model import Example

_DECORATION = "#*_: \t"


def examples(statement: str) -> tuple[Example, ...]:
    """The samples of a statement, in order (docs/problems.md).

    Under a level-2 heading that begins with "Example", the fenced block after a line "Input"
    and the one after a line "Output" are a sample; the next "Input" begins another one.
    """
    found: list[Example] = []
    heading, label, pending = "", "", None
    lines = iter(statement.splitlines())
    for line in lines:
        fence = line.lstrip()[:3]
        if fence in ("```", "~~~"):
            block = _block(lines, fence)
            if heading.startswith("example"):
                if label.startswith("input"):
                    pending = block
                elif label.startswith("output") and pending is not None:
                    found.append(Example(str(len(found) + 1), pending, block))
                    pending = None
        elif line.startswith("## "):
            heading = label = line.strip(_DECORATION).lower()
        elif line.strip():
            label = line.strip(_DECORATION).lower()
    return tuple(found)


def _block(lines: Iterator[str], fence: str) -> str:
    block = []
    for line in lines:
        if line.strip() == fence:
            break
        block.append(line + "\n")
    return "".join(block)
