"""The words of the domain. Pure: no I/O, no clock, and it imports nothing else of ours."""

from judge.model.check import (
    TOOL_LIMITS,
    Check,
    Comparison,
    OwnScore,
    Protocol,
    Quiz,
    ScoreMap,
    Tolerance,
    Tool,
)
from judge.model.constants import Constants, filled
from judge.model.evidence import Checked, Evidence, Leak, Run
from judge.model.group import Aggregation, Group
from judge.model.language import LANGUAGES, Language, is_source, language, language_of
from judge.model.limits import Limits, Usage, default_wall_ns
from judge.model.problem import (
    DEFAULT,
    Build,
    Example,
    Header,
    LeakCheck,
    Problem,
    Test,
    Timing,
)
from judge.model.score import (
    GroupResult,
    Outcome,
    TestResult,
    passed,
    points_within,
    score,
    total_usage,
)
from judge.model.verdict import State, Verdict, decide, explain, needs_checker

__all__ = [
    "DEFAULT",
    "LANGUAGES",
    "TOOL_LIMITS",
    "Aggregation",
    "Build",
    "Check",
    "Checked",
    "Comparison",
    "Constants",
    "Evidence",
    "Example",
    "Group",
    "GroupResult",
    "Header",
    "Language",
    "Leak",
    "LeakCheck",
    "Limits",
    "Outcome",
    "OwnScore",
    "Problem",
    "Protocol",
    "Quiz",
    "Run",
    "ScoreMap",
    "State",
    "Test",
    "TestResult",
    "Timing",
    "Tolerance",
    "Tool",
    "Usage",
    "Verdict",
    "decide",
    "default_wall_ns",
    "explain",
    "filled",
    "is_source",
    "language",
    "language_of",
    "needs_checker",
    "passed",
    "points_within",
    "score",
    "total_usage",
]
