"""`adjudge judge`: exit codes, the object for scripts, and one clear sentence for bad input."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.main import adjudge

ROOT = Path(__file__).parents[2]
SUM = ROOT / "problems" / "sum"
REAL_DATA = ROOT.parent / "shared" / "projdevbench"

Call = Callable[..., Result]


@pytest.fixture
def call() -> Call:
    return lambda *words: CliRunner().invoke(adjudge, ["judge", *map(str, words)])


def test_accepted(call: Call) -> None:
    result = call(SUM, SUM / "solutions" / "accepted" / "sum.c")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("accepted: 100 of 100 points")


def test_not_accepted_with_json(call: Call, tmp_path: Path) -> None:
    source = tmp_path / "add.py"
    source.write_text("a, b = map(int, input().split())\nprint(a + b if a < 10**6 else 0)\n")
    result = call(SUM, source, "--json")
    assert result.exit_code == 1
    outcome = json.loads(result.stdout)
    assert outcome["verdict"] == "wrong_answer"
    assert outcome["points"] == 100
    assert 0 <= outcome["score"] < 100
    assert outcome["score"] == sum(group["score"] for group in outcome["groups"])
    assert len(outcome["tests"]) == 100
    test = outcome["tests"][0]
    assert set(test) == {
        *("id", "verdict", "score", "raw_score", "message", "judge_message"),
        *("cpu_ns", "wall_ns", "memory_bytes", "disk_bytes", "files", "other_look"),
    }
    assert outcome["cpu_ns"] == sum(test["cpu_ns"] for test in outcome["tests"])


def test_a_compile_error_shows_the_compiler_s_words(call: Call, tmp_path: Path) -> None:
    source = tmp_path / "[b]x[b].cpp"
    source.write_text('#error "[red]<img>"\n')
    result = call(SUM, source)
    assert result.exit_code == 1
    assert '#error "[red]<img>"' in result.stdout
    assert result.stdout.splitlines()[-1] == "compile_error: 0 of 100 points"


def test_a_commit_of_a_repository(call: Call, tmp_path: Path) -> None:
    program = SUM / "solutions" / "accepted" / "with_make"
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    bare = tmp_path / "bare.git"
    work = tmp_path / "work"
    subprocess.run(["cp", "-r", program, work], check=True)
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "all")):
        subprocess.run(["git", *words], cwd=work, check=True)
    subprocess.run(["git", "clone", "-q", "--bare", work, bare], check=True)
    (work / "main.cpp").write_text("broken")
    assert call(SUM, work).exit_code == 1
    assert call(SUM, work, "--commit", "HEAD").exit_code == 0
    result = call(SUM, bare)
    assert result.exit_code == 0
    assert "Using git commit" in result.stdout
    result = call(SUM, bare, "--commit", "--upload-pack=x")
    assert (result.exit_code, result.stderr) == (
        *(2, f'Error: {bare}: there is no commit "--upload-pack=x"\n'),
    )


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("no.cpp", [], "there is no such file or folder"),
        ("main.what", [], "cannot tell its language by its name: use --language"),
        ("main.cpp", ["--language", "cobol"], 'does not take "cobol": it takes c, cpp, cpp11'),
        ("main.cpp", ["--language", "git"], 'language "git" wants a folder or a repository'),
        ("main.cpp", ["--commit", "HEAD"], "is a file: --commit is for repositories"),
        ("folder", ["--language", "cpp"], 'is a folder: its language is "git", not "cpp"'),
        ("folder", ["--commit", "HEAD"], 'there is no commit "HEAD"'),
        ("big.cpp", [], "has 200000 bytes: the problem takes 131072"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    call: Call, tmp_path: Path, name: str, words: list[str], sentence: str
) -> None:
    (tmp_path / "main.what").touch()
    (tmp_path / "main.cpp").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "big.cpp").write_bytes(b" " * 200_000)
    result = call(SUM, tmp_path / name, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_package_with_a_typo(call: Call, tmp_path: Path) -> None:
    package = tmp_path / "problems" / "sum"
    package.mkdir(parents=True)
    text = (SUM / "problem.toml").read_text().partition("[expected]")[0]
    (package / "problem.toml").write_text(text.replace("time =", "tme ="))
    (package / "statement.md").touch()
    source = SUM / "solutions" / "accepted" / "sum.c"
    result = call(package, source, "--tests", ROOT / "data" / "sum")
    assert result.exit_code == 2
    file = package / "problem.toml"
    assert result.stderr == f'Error: {file}: limits.tme: unknown key (did you mean "time"?)\n'


def test_a_fault_of_ours_is_no_verdict(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADJUDGE_CGROUP_ROOT", str(tmp_path))
    result = call(SUM, SUM / "solutions" / "accepted" / "sum.c", "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: the judge failed: sandbox")


@pytest.mark.skipif(
    not REAL_DATA.is_dir() and "CI" not in os.environ,
    reason=f"the benchmark's own data is not in {REAL_DATA}",
)
def test_binary_output_is_compared_byte_for_byte(call: Call) -> None:
    package = Path(__file__).parent / "qoi"
    result = call(package, package / "codec.cpp", "--tests", REAL_DATA / "qoi", "--json")
    assert result.exit_code == 0, result.output
    outcome = json.loads(result.stdout)
    assert (outcome["verdict"], outcome["score"], len(outcome["tests"])) == ("accepted", 100, 16)
