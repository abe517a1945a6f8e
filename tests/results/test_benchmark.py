"""A benchmark from end to end: three participants submit solutions of the sample problems to a
running judge, and every figure that comes out is one that was worked out by hand.

    001  A+B            judge id 9001 (sum), cap 2
    002  two libraries  judge ids 9002 (ring, weight 60, full 80) and 9003 (bigint, 40, 100), cap 3
    003  BASIC          judge id 9004, served by nothing

codex + gpt         001: 80, 100 = 100 (at first 80)
                    002: ring 50, bigint 70, ring 90 = 100 x (1 x 60 + 0.7 x 40) / 100 = 88
                         (at first 0.625 x 60 + 0.7 x 40 = 65.5; uncapped 1.125 x 60 + 28 = 95.5)
claude + opus       001: 0;  002: bigint 100 = 40
openhands + qwen    001: 100, a repository of two commits; one of its two review rules passes
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
import requests
from click.testing import CliRunner

from judge.cli.main import adjudge
from judge.store import Database, Settings, tokens, users

ROOT = Path(__file__).parents[2]
PROBLEMS = ("sum", "ring", "bigint")
REGISTRY = {
    "problems": {
        "001": {"name": "A+B", "acmoj_id": "9001", "max_submissions": 2, "category": "Basics"},
        "002": {
            "name": "Two libraries",
            "acmoj_id": "9002,9003",
            "max_submissions": 3,
            "score_weight": {"9002": 60, "9003": 40},
            "score_full": {"9002": 80, "9003": 100},
            "category": "Libraries",
        },
        "003": {"name": "BASIC", "acmoj_id": "9004", "category": "Libraries"},
    }
}
REVIEW = """
[[rule]]
kind = "cmake_target"
name = "CMake makes code"

[[rule]]
kind = "ignored"
name = "Build files are ignored"
paths = ["CMakeFiles/"]
"""


def command(*words: str | Path) -> str:
    """`adjudge` with these words; what it printed."""
    result = CliRunner().invoke(adjudge, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


@contextmanager
def running(home: Path) -> Iterator[str]:
    """A judge of its own; its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "judge.cli", "up", "--home", home, "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith("ADJUDGE_")},
    )
    assert process.stdout is not None
    try:
        yield _until_up(process.stdout)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def _until_up(lines: IO[str]) -> str:
    address = ""
    for line in lines:
        address = next((word for word in line.split() if word.startswith("http://")), address)
        if address and "stop" in line:
            return address
    raise AssertionError("adjudge up ended without a word")


@dataclass(frozen=True)
class Agent:
    """A participant who speaks HTTP and git."""

    address: str
    name: str
    token: str
    numbers: dict[str, int]

    def post(self, problem: str, language: str, code: str) -> requests.Response:
        return self._call(
            "POST", f"problem/{self.numbers[problem]}/submit", {"language": language, "code": code}
        )

    def submit(self, problem: str, solution: str) -> int:
        """A source file, which is accepted to be judged; the submission's number."""
        path = ROOT / "problems" / problem / "solutions" / solution
        language = {".py": "python", ".hpp": "cpp", ".cpp": "cpp"}[path.suffix]
        return _admitted(self.post(problem, language, path.read_text()))

    def push(self, problem: str, folder: Path) -> int:
        """A repository, likewise."""
        scheme, host = self.address.split("://")
        url = f"{scheme}://{self.name}:{self.token}@{host}/git/{self.name}/{problem}.git"
        subprocess.run(["git", "-C", folder, "push", "-q", url, "HEAD:main"], check=True)
        return _admitted(self.post(problem, "git", url))

    def result(self, number: int) -> tuple[str, float]:
        """Status and score of a submission once it is judged."""
        while True:
            submission = self._call("GET", f"submission/{number}?wait=20").json()
            if not submission["should_auto_reload"]:
                return submission["status"], submission["score"]

    def _call(
        self, method: str, path: str, form: dict[str, str] | None = None
    ) -> requests.Response:
        return requests.request(
            method,
            f"{self.address}/OnlineJudge/api/v1/{path}",
            data=form,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=60,
        )


def _admitted(answer: requests.Response) -> int:
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def repository(folder: Path) -> Path:
    """A solution of A+B as a repository of two commits."""
    shutil.copytree(ROOT / "problems/sum/solutions/accepted/with_cmake", folder)
    who = ["-c", "user.name=qwen", "-c", "user.email=qwen@example.org"]
    subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
    for message in ("first", "second"):
        (folder / "NOTES").write_text(message)
        subprocess.run(["git", "-C", folder, "add", "-A"], check=True)
        subprocess.run(["git", "-C", folder, *who, "commit", "-q", "-m", message], check=True)
    return folder


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The whole benchmark, played once: the folder of the score files."""
    folder = tmp_path_factory.mktemp("benchmark")
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith("ADJUDGE_")]:
            environment.delenv(name)
        environment.setenv("ADJUDGE_HOME", str(folder / "home"))
        with running(folder / "home") as address:
            play(folder, address)
        (folder / "definitions").mkdir()
        (folder / "definitions/001.toml").write_text(REVIEW)
        chosen = ("--benchmark", "sample")
        reviews = ("--definitions", folder / "definitions", "--out", folder / "reviews")
        command("review", "run", *chosen, *reviews)
        command("score", "all", *chosen, "--reviews", folder / "reviews", "--out", folder / "out")
        command("score", "exec", *chosen, "--uncapped", "--out", folder / "uncapped")
        command("report", *chosen, "--reviews", folder / "reviews", "--out", folder / "r.html")
        yield folder / "out"


def play(folder: Path, address: str) -> None:
    """What the operator and the three participants do."""
    registry = folder / "registry.json"
    registry.write_text(json.dumps(REGISTRY))
    numbers = {}
    for problem in PROBLEMS:
        added = command("problem", "add", ROOT / "problems" / problem, "--json")
        numbers[problem] = json.loads(added)["id"]
    served = (("--serve", "9001=sum"), ("--serve", "9002=ring"), ("--serve", "9003=bigint"))
    words = [word for pair in served for word in pair]
    said = command("benchmark", "import", registry, "--name", "sample", *words)
    assert "3 entries; 3 of their judge ids are served here, 1 are not" in said

    agents = {}
    with closing(Database(Settings().database)) as db:
        for agent, model in (("codex", "gpt"), ("claude", "opus"), ("openhands", "qwen")):
            user = users.add(db, agent, agent=agent, model=model, round="1")
            agents[agent] = Agent(address, agent, tokens.create(db, user)[1], numbers)

    codex, claude, openhands = agents.values()
    floats = codex.submit("sum", "wrong_answer/as_float.py")
    sum_ = codex.submit("sum", "accepted/sum.cpp")
    assert codex.post("sum", "python", "print(1)").status_code == 429
    silent = codex.submit("ring", "wrong_answer/silent_pop.hpp")
    quotient = codex.submit("bigint", "wrong_answer/float_quotient.py")
    leaks = codex.submit("ring", "memory_leak/keeps_slots.hpp")
    assert codex.post("bigint", "python", "print(1)").status_code == 429
    raises = claude.submit("sum", "runtime_error/raises.py")
    bigint = claude.submit("bigint", "accepted/bigint.py")
    pushed = openhands.push("sum", repository(folder / "repository"))

    assert codex.result(floats) == ("wrong_answer", 80)
    assert codex.result(sum_) == ("accepted", 100)
    assert codex.result(silent) == ("wrong_answer", 50)
    assert codex.result(quotient) == ("wrong_answer", 70)
    assert codex.result(leaks) == ("memory_leak", 90)
    assert claude.result(raises) == ("runtime_error", 0)
    assert claude.result(bigint) == ("accepted", 100)
    assert openhands.result(pushed) == ("accepted", 100)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_name(out: Path) -> dict[str, dict[str, Any]]:
    document = json.loads((out / "scores.json").read_text())
    return {one["agent"]: one for one in document["participants"]}


def test_every_file_is_there(out: Path) -> None:
    names = (
        "exec_results.json exec_results.csv exec_score_analysis.json exec_score_analysis.csv"
        " exec_score_summary.txt cr_score_analysis.json cr_score_analysis.csv cr_score_detail.csv"
        " cr_score_summary.txt all_score_analysis.json all_score_analysis.csv all_score_detail.csv"
        " all_score_summary.txt scores.json averages.csv problems.csv categories.csv verdicts.csv"
        " score_by_submissions.csv rounds.csv verdict_distribution.csv"
    )
    assert " ".join(sorted(path.name for path in out.iterdir())) == " ".join(sorted(names.split()))


def test_the_execution_scores(out: Path) -> None:
    assert table(out / "exec_score_analysis.csv") == [
        {"agent+model": "claude+opus", "001": "0.0", "002": "40.0"},
        {"agent+model": "codex+gpt", "001": "100.0", "002": "88.0"},
        {"agent+model": "openhands+qwen", "001": "100.0", "002": ""},
    ]
    analysis = json.loads((out / "exec_score_analysis.json").read_text())
    assert analysis["codex+gpt"]["002"] == {
        "api_scores": {"9002": 100, "9003": 70},
        "api_raw_scores": {"9002": 90, "9003": 70},
        "final_score": 88,
        "total_weight": 100,
        "total_submissions": 3,
        "abort_count": 0,
        "valid_submissions": 3,
        "excluded_submissions": 0,
        "max_allowed": 3,
        "expected_api_ids": ["9002", "9003"],
    }
    uncapped = table(out.parent / "uncapped/exec_score_analysis.csv")
    assert [row["002"] for row in uncapped] == ["40.0", "95.5", ""]


def test_averages_over_all_and_over_attempted(out: Path) -> None:
    scores = by_name(out)
    expected = {
        "codex": (188 / 3, 94, 145.5 / 3, 72.75),
        "claude": (40 / 3, 20, 40 / 3, 20),
        "openhands": (100 / 3, 100, 100 / 3, 100),
    }
    for agent, (all_, attempted, first_all, first_attempted) in expected.items():
        one = scores[agent]
        assert one["average"]["all"] == pytest.approx(all_)
        assert one["average"]["attempted"] == pytest.approx(attempted)
        assert one["exec_at_1"]["all"] == pytest.approx(first_all)
        assert one["exec_at_1"]["attempted"] == pytest.approx(first_attempted)
    assert scores["codex"]["categories"]["Libraries"]["all"] == pytest.approx(44)


def test_the_score_after_each_submission(out: Path) -> None:
    found = by_name(out)["codex"]["score_by_submissions"]
    assert found == pytest.approx([117.5 / 3, 165.5 / 3, 188 / 3])


def test_the_verdicts(out: Path) -> None:
    found = {
        (row["agent"], row["status"]): (int(row["submissions"]), float(row["percent"]))
        for row in table(out / "verdicts.csv")
    }
    assert found == {
        ("codex", "wrong_answer"): (3, 60),
        ("codex", "accepted"): (1, 20),
        ("codex", "memory_leak"): (1, 20),
        ("claude", "runtime_error"): (1, 50),
        ("claude", "accepted"): (1, 50),
        ("openhands", "accepted"): (1, 100),
    }
    assert [tuple(row.values()) for row in table(out / "verdict_distribution.csv")] == [
        ("accepted", "3", "37.5"),
        ("wrong_answer", "3", "37.5"),
        ("runtime_error", "1", "12.5"),
        ("memory_leak", "1", "12.5"),
    ]


def test_review_and_final(out: Path) -> None:
    (review,) = table(out / "cr_score_detail.csv")
    assert (review["agent"], review["final_score"], review["commit_count"]) == (
        "openhands",
        "50.0",
        "2",
    )
    assert (review["cr_approved"], review["cr_total"]) == ("1", "2")
    final = {
        (row["agent"], row["problem"]): (row["all_score"], row["status"])
        for row in table(out / "all_score_detail.csv")
    }
    assert final == {
        ("codex", "001"): ("80.0", "exec_only"),
        ("codex", "002"): ("70.4", "exec_only"),
        ("claude", "001"): ("0.0", "exec_only"),
        ("claude", "002"): ("32.0", "exec_only"),
        ("openhands", "001"): ("90.0", "complete"),
    }
    finals = {one["agent"]: one for one in json.loads((out / "scores.json").read_text())["finals"]}
    assert finals["codex"]["missing_as_zero"]["all"] == pytest.approx(150.4 / 3)
    assert finals["codex"]["missing_left_out"]["all"] == pytest.approx(188 / 3)


def test_the_source_is_in_the_results(out: Path) -> None:
    results = json.loads((out / "exec_results.json").read_text())
    first = next(one for one in results if one["agent"] == "codex")
    solution = ROOT / "problems/sum/solutions/wrong_answer/as_float.py"
    assert first["code_content"] == solution.read_text()
    pushed = next(one for one in results if one["agent"] == "openhands")
    assert pushed["code_content"] == "N/A"
    assert "/git/openhands/sum.git" in pushed["repo_url"]
    assert "acmoj-" not in (out / "exec_results.json").read_text(), "no token may be in it"


def test_the_report_names_the_best_first(out: Path) -> None:
    page = (out.parent / "r.html").read_text()
    places = [page.index(name) for name in ("1. codex", "2. openhands", "3. claude")]
    assert places == sorted(places)
