"""How a native package has output judged, and how scores become points."""

from collections.abc import Callable

from judge.model import Check, Comparison, LeakCheck, OwnScore, Quiz, ScoreMap, Tolerance, Tool
from judge.packages.fields import Fields


def read_check(fields: Fields, tool: Callable[[Fields], Tool]) -> Check:
    """How output is judged: the table `check`, the key `own_score`, or a comparison."""
    compare = fields.word("compare", Comparison, Comparison.LINES)
    named = [key for key in ("compare", "check", "own_score", "quiz") if key in fields]
    if len(named) > 1:
        fields.fault(named[1], f'there is "{named[0]}" already: one of them decides')
    if fields.flag("own_score"):
        return OwnScore()
    if "quiz" in fields:
        quiz = fields.table("quiz")
        return Quiz(tuple((id_, quiz.text(id_)) for id_ in quiz.names()))
    if "check" not in fields:
        return compare
    check = fields.table("check")
    if "program" in check:
        return tool(check)
    if "absolute" not in check and "relative" not in check:
        check.fault("", 'must name a "program", or how far "absolute" or "relative" may be off')
    tolerance = Tolerance(
        check.number("absolute", 0), check.number("relative", 0), check.flag("ignores_case")
    )
    check.close()
    return tolerance


def read_leak_check(fields: Fields) -> LeakCheck | None:
    """`leak_check`: true is valgrind."""
    match fields.anything("leak_check", False):
        case bool(is_on):
            return LeakCheck.VALGRIND if is_on else None
        case _:
            return fields.word("leak_check", LeakCheck, LeakCheck.VALGRIND)


def read_score_map(fields: Fields) -> ScoreMap:
    """How raw scores become points: `full`, or break points."""
    table = fields.table("score")
    questions = len(fields.table("quiz").names())
    full = table.number("full", questions or 1)
    points = table.pairs("points", ((0.0, 0.0), (full or 1, 1.0)))
    if "full" in table and (full <= 0 or "points" in table):
        table.fault("full", 'must be above 0, and stands alone or not at all beside "points"')
    table.close()
    try:
        return ScoreMap(points)
    except ValueError as error:
        table.fault("points", str(error))
        return ScoreMap()
