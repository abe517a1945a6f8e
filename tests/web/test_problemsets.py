"""Benchmarks as problem sets, and what else ACMOJ's clients look for."""

from pathlib import Path

from judge.store import benchmarks
from judge.store.benchmarks import EntryPlan, Part
from judge.web.attachments import attachments
from tests.conftest import ROOT, ServedJudge


def test_a_benchmark_as_a_problem_set(served: ServedJudge) -> None:
    first, second, hidden = served.problem(), served.problem(), served.problem(released=False)
    parts = tuple(Part(problem.id, 50.0, 100.0) for problem in (first, second, hidden))
    made = benchmarks.put(served.db, "tiny", "A tiny one", {}, [EntryPlan("001", 2, parts)])
    caller = served.caller()
    caller.submit(first)
    found = caller.get(f"/problemset/{made.id}").json()
    assert (found["name"], found["description"]) == ("tiny", "A tiny one")
    assert [problem["id"] for problem in found["problems"]] == [first.id, second.id]
    [entry] = found["entries"]
    assert entry["quota"] == {"cap": 2, "used": 1, "left": 1}, "shared by its problems"
    assert entry["problems"][0] == {"id": first.id, "weight": 50.0, "full_score": 100.0}
    assert (found["join_url"], found["quit_url"]) == (None, None)
    assert [one["id"] for one in caller.get("/user/problemsets").json()["problemsets"]] == [made.id]
    listed = caller.get("/problem/", params={"problemset_id": made.id}).json()["problems"]
    assert [problem["id"] for problem in listed] == [first.id, second.id]
    assert caller.get("/problem/", params={"problemset_id": 999}).json()["problems"] == []
    assert caller.get("/problemset/999").status_code == 404
    assert caller.get("/user/courses").json() == {"courses": []}


def test_starter_files_are_attachments(served: ServedJudge) -> None:
    problem = served.problem("ring")
    caller = served.caller()
    listed = caller.get(f"/problem/{problem.id}").json()["attachments"]
    assert listed
    for file in listed:
        original = ROOT / "problems/ring/starter" / file["name"]
        content = caller.get(file["url"]).content
        assert content == original.read_bytes()
        assert file["size_bytes"] == len(content)
    for name in ("nothing", "../problem.toml", "%2e%2e/problem.toml", "/etc/passwd"):
        path = f"/problem/{problem.id}/attachment/{name}"
        assert caller.get(path).status_code == 404, name


def test_links_are_no_starter_files(tmp_path: Path) -> None:
    (tmp_path / "starter").mkdir()
    (tmp_path / "starter/passwd").symlink_to("/etc/passwd")
    (tmp_path / "starter/etc").symlink_to("/etc")
    assert attachments(tmp_path) == []


def test_an_icpc_package_has_attachments_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "attachments" / "tool").mkdir(parents=True)
    (tmp_path / "attachments" / "tool" / "test.py").write_text("pass")
    (found,) = attachments(tmp_path)
    assert (found.name, found.size_bytes) == ("tool/test.py", 4)
