"""Header problems: the submission is compiled into the problem's own mains."""

from collections.abc import Callable

from judge.grading import Source, SourceText
from judge.model import Outcome, Problem, Verdict

Judge = Callable[[Problem, Source], Outcome]
Make = Callable[..., Problem]

TWICE = SourceText("cpp", b"inline int twice(int x) { return 2 * x; }\n")
MAIN = """#include <iostream>
#include "src.hpp"
#include "support.hpp"
int main() { std::cout << twice(INPUT) << "\\n"; }
"""


def test_one_main_for_all_tests(judge: Judge, make: Make) -> None:
    problem = make(
        '[build]\nheader = "src.hpp"\nmain = "main.cpp"\nsupport = ["support.hpp"]',
        [("", "14\n"), ("", "14\n")],
        {"mains/main.cpp": MAIN, "mains/support.hpp": "#define INPUT 7\n"},
    )
    assert problem.languages == ("cpp",)
    assert judge(problem, TWICE).verdict is Verdict.ACCEPTED


def test_a_main_of_its_own_fails_its_own_test_only(judge: Judge, make: Make) -> None:
    problem = make(
        '[build]\nheader = "src.hpp"\n[tests.1]\nmain = "1.cpp"\n[tests.2]\nmain = "2.cpp"\n'
        '[tests.3]\nmain = "1.cpp"',
        [("", "14\n"), ("", "1\n"), ("", "14\n")],
        {
            "mains/1.cpp": MAIN.replace('#include "support.hpp"', "#define INPUT 7"),
            "mains/2.cpp": '#include "src.hpp"\nint main() { return thrice(1); }\n',
        },
    )
    outcome = judge(problem, TWICE)
    assert [result.verdict for result in outcome.groups[0].results] == [
        *(Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    ]
    assert "thrice" in outcome.groups[0].results[1].message
    assert outcome.groups[0].results[1].usage is None


def test_support_is_there_at_compile_time_only(judge: Judge, make: Make) -> None:
    peek = '#include "src.hpp"\n#include <fstream>\n#include <iostream>\n'
    peek += 'int main() { std::cout << twice(!!std::ifstream("support.hpp")) << "\\n"; }\n'
    problem = make(
        '[build]\nheader = "src.hpp"\nmain = "main.cpp"\nsupport = ["support.hpp"]',
        [("", "0\n")],
        {"mains/main.cpp": peek, "mains/support.hpp": ""},
    )
    assert judge(problem, TWICE).verdict is Verdict.ACCEPTED
