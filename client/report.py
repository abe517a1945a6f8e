"""How answers are shown to a person. What came from a program or a compiler is shown as text."""

from collections.abc import Iterable, Sequence

from client.api import Json


def plain(text: object) -> str:
    """Text without anything that a terminal would obey: control characters become their names."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else repr(char)[1:-1] for char in str(text)
    )


def problems(found: Iterable[Json]) -> str:
    rows = [
        (problem["id"], problem.get("slug"), problem["title"], quota(problem.get("quota")))
        for problem in found
    ]
    return table(("id", "name", "title", "submissions left"), rows) if rows else "no problems yet"


def quota(left: Json | None) -> str:
    return "no cap" if left is None else f"{left['left']} of {left['cap']}"


def submission(found: Json) -> str:
    """One submission with its groups and tests."""
    head = f"submission {found['id']}: {found['status']}"
    if found["should_show_score"]:
        head += f", score {found['score']}"
    lines = [head, f"problem {found['problem']['id']}: {plain(found['problem']['title'])}"]
    if found.get("commit"):
        lines.append(f"commit {found['commit']}")
    if found.get("time_msecs") is not None and found.get("memory_bytes", -1) >= 0:
        lines.append(f"CPU {found['time_msecs']} ms, memory {_mebibytes(found['memory_bytes'])}")
    if found.get("quota") is not None:
        lines.append(f"submissions left: {quota(found['quota'])}")
    if found.get("held"):
        lines.append(f"the problem is held: {plain(found['held'])}")
    if found["message"]:
        lines += ["", plain(found["message"]).rstrip()]
    rows = [
        (group["name"], test["id"], test["result"], *_figures(test), plain(test["message"] or ""))
        for group in (found["details"] or {}).get("groups", ())
        for test in group["testpoints"]
    ]
    if rows:
        heads = ("group", "test", "result", "score", "CPU ms", "memory", "message")
        lines += ["", table(heads, rows)]
    return "\n".join(lines)


def progress(found: Json) -> str:
    """One line about a submission that is still on its way."""
    line = f"submission {found['id']}: {found['status']}"
    tests = [
        test["result"]
        for group in (found["details"] or {}).get("groups", ())
        for test in group["testpoints"]
    ]
    if tests:
        done = sum(result not in {"pending", "compiling", "judging"} for result in tests)
        line += f", {done} of {len(tests)} tests done"
    if found.get("held"):
        line += f" (the problem is held: {plain(found['held'])})"
    return line


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns aligned to the left, two blanks between them."""
    cells = [[plain(cell).replace("\n", " ") for cell in row] for row in (heads, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def _figures(test: Json) -> tuple[str, str, str]:
    usage = test["resource_usage"]
    score = f"{test['score']:g}"
    if usage is None or usage["memory_bytes"] < 0:
        return score, "-", "-"
    return score, str(usage["time_msecs"]), _mebibytes(usage["memory_bytes"])


def _mebibytes(count: int) -> str:
    return f"{count / (1 << 20):.1f} MiB"
