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
    return tool(check) if "program" in check else _read_tolerance(check)


def read_compare(fields: Fields, *, is_compared: bool) -> Comparison | Tolerance | None:
    """How the output of one test is compared, where that is other than in the problem, which must
    be one whose output `is_compared` at all."""
    named = [key for key in ("compare", "check") if key in fields]
    if named and not is_compared:
        fields.fault(named[0], "the problem's output is judged by no rule")
    elif len(named) > 1:
        fields.fault(named[1], f'there is "{named[0]}" already: one of them decides')
    if "check" in fields:
        return _read_tolerance(fields.table("check"))
    if "compare" in fields:
        return fields.word("compare", Comparison, Comparison.LINES)
    return None


def _read_tolerance(check: Fields) -> Tolerance:
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
