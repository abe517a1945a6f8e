"""A repository that comes with the request."""

import os
import subprocess
from pathlib import Path

import pytest
import requests

from tests.conftest import Caller, ServedJudge
from tests.git.conftest import ENVIRONMENT, commit, git


def bundle(work: Path, *arguments: str) -> bytes:
    command = ["git", "bundle", "create", "-", *arguments]
    return subprocess.run(
        command, cwd=work, env=ENVIRONMENT, capture_output=True, check=True
    ).stdout


def submit(caller: Caller, problem_id: int, code: bytes, revision: str = "") -> requests.Response:
    form = {"language": "git", "commit": revision}
    return caller.post(f"/problem/{problem_id}/submit", data=form, files={"code": code})


def test_its_head_a_branch_a_tag_or_a_commit(served: ServedJudge, work: Path) -> None:
    caller, problem = served.caller(), served.problem()
    first = git(work, "rev-parse", "HEAD")
    git(work, "tag", "-a", "v1", "-m", "v1")
    second = commit(work, "b", "2")
    code = bundle(work, "HEAD", "main", "v1")
    for revision, expected in (
        *(("", second), ("main", second), ("refs/heads/main", second), ("v1", first)),
        *((first, first), (second[:12], second)),
    ):
        answer = submit(caller, problem.id, code, revision)
        assert answer.status_code == 201, (revision, answer.text)
        assert caller.submission(answer.json()["id"])["commit"] == expected
    assert submit(caller, problem.id, bundle(work, "main")).status_code == 201, "the only branch"
    [kept] = (served.settings.git / caller.user.name).iterdir()
    assert git(kept, "show", f"{second}:b") == "2"


def test_what_one_problem_takes_is_not_taken_from_another(
    served: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, large, small = served.caller(), served.problem(), served.problem()
    commit(work, "large", os.urandom(1 << 20))
    submit(caller, large.id, bundle(work, "HEAD")).raise_for_status()
    git(work, "reset", "--quiet", "--hard", "HEAD~1")
    monkeypatch.setattr(served.repositories, "quota_bytes", 1 << 20)

    answer = submit(caller, large.id, bundle(work, "HEAD"))
    assert answer.status_code == 403
    assert f"what you sent as bundles for problem {large.id} is full" in answer.text
    submit(caller, small.id, bundle(work, "HEAD")).raise_for_status()


def test_what_is_no_whole_bundle(
    served: ServedJudge, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, problem = served.caller(), served.problem(cap=1)
    first = git(work, "rev-parse", "HEAD")
    commit(work, "b", "2")
    git(work, "branch", "other", first)
    whole = bundle(work, "HEAD", "main")
    pack = whole.index(b"PACK")
    for code, revision, said in (
        (whole[:-30], "", "damaged"),
        (whole[: pack + 20] + b"\xff" * 8 + whole[pack + 28 :], "", "damaged"),
        (whole[:pack], "", "no whole git bundle"),
        (b"# v2 git bundle\n", "", "no whole git bundle"),
        (b"# v2 git bundle\n\xff\n\nPACK", "", "no whole git bundle"),
        (b"# v3 git bundle\n@filter=blob:none\n\nPACK", "", "does not know"),
        (bundle(work, "HEAD", f"^{first}"), "", "lacks history"),
        (bundle(work, "main", "other"), "", "has no HEAD"),
        (whole, "none", "there is no commit none"),
        (whole, "-x", "must be a commit"),
        (whole, "f" * 40, "there is no commit"),
    ):
        answer = submit(caller, problem.id, code, revision)
        assert answer.status_code == 400, said
        assert said in answer.json()["message"], answer.text
    monkeypatch.setattr(served.repositories, "quota_bytes", 1000)
    assert submit(served.caller(), problem.id, whole).status_code == 403
    assert caller.get(f"/problem/{problem.id}").json()["quota"]["left"] == 1


def test_objects_that_are_a_trap(served: ServedJudge, work: Path) -> None:
    url = "--upload-pack=touch x"
    commit(work, ".gitmodules", f'[submodule "x"]\n\tpath = x\n\turl = {url}\n')
    answer = submit(served.caller(), served.problem().id, bundle(work, "HEAD"))
    assert answer.status_code == 400
    assert "trap" in answer.json()["message"]
