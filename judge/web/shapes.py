"""Records to the API's JSON: ACMOJ's fields and nulls (acmoj.md section 1.5), and ours beside them.

Ours: `slug` and `quota` of a problem; `commit`, `quota` and `judging` of a submission; `cpu_ns` and
`wall_ns` wherever resources are shown. Times are ISO 8601 with their zone.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from flask import request, url_for

from judge import model
from judge.model import State, Verdict
from judge.store import Judging, Problem
from judge.store.caps import Quota
from judge.store.submissions import View
from judge.web import details
from judge.web.attachments import Attachment

Json = dict[str, Any]

# With these the score says nothing (acmoj.md section 1.5, should_show_score).
NO_SCORE = frozenset({Verdict.ABORTED, Verdict.VOID})


def api_url(endpoint: str, **values: Any) -> str:  # noqa: ANN401
    """The path of an endpoint under the prefix that the request came by."""
    return url_for(f"{request.blueprints[-1]}.{endpoint}", **values)


def next_page(cursor: int | None) -> str | None:
    """The request's own path and query with the cursor put in; None on the last page."""
    if cursor is None:
        return None
    query = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    return f"{request.script_root}{request.path}?{urlencode([*query, ('cursor', cursor)])}"


def quota(left: Quota | None) -> Json | None:
    return None if left is None else {"cap": left.cap, "used": left.used, "left": left.left}


def problem_brief(problem: Problem) -> Json:
    return {
        "id": problem.id,
        "slug": problem.slug,
        "title": problem.title,
        "url": api_url("problems.show", problem_id=problem.id),
        "submit_url": api_url("submissions.submit", problem_id=problem.id),
        "html_url": None,
    }


def problem(
    problem: Problem, package: model.Problem, files: Iterable[Attachment], left: Quota | None
) -> Json:
    examples = [
        {
            "name": example.name,
            "input": example.input,
            "output": example.output,
            "description": None,
        }
        for example in package.examples
    ]
    return {
        "id": problem.id,
        "slug": problem.slug,
        "title": problem.title,
        "description": package.statement,
        "input": None,
        "output": None,
        "examples": examples,
        "example_input": package.examples[0].input if package.examples else None,
        "example_output": package.examples[0].output if package.examples else None,
        "data_range": None,
        "languages_accepted": problem.languages,
        "allow_public_submissions": False,
        "plan_summary": {"subtasks": [_subtask(group, package) for group in package.groups]},
        "attachments": [
            {
                "name": file.name,
                "size_bytes": file.size_bytes,
                "url": api_url("problems.attachment", problem_id=problem.id, name=file.name),
            }
            for file in files
        ],
        "held": problem.held,
        "source_bytes": problem.source_bytes,
        "quota": quota(left),
    }


def _subtask(group: model.Group, package: model.Problem) -> Json:
    tests = [package.test(test) for test in group.tests]
    return {
        "id": group.id,
        "name": group.name,
        "score": float(group.points),
        "testpoints": [{"id": test.id, "limits": _limits(test.limits)} for test in tests],
    }


def _limits(limits: model.Limits) -> Json:
    return {
        "time_msecs": details.milliseconds(limits.cpu_ns),
        "memory_bytes": limits.memory_bytes,
        "file_count": limits.files,
        "file_size_bytes": limits.disk_bytes,
        "cpu_ns": limits.cpu_ns,
        "wall_ns": limits.wall_ns,
    }


def submission_brief(view: View, left: Quota | None) -> Json:
    submission = view.submission
    return {
        "id": submission.id,
        "friendly_name": view.user.friendly_name,
        "problem": problem_brief(view.problem),
        "status": submission.status,
        "language": submission.language,
        "created_at": submission.created_at.isoformat(),
        "url": api_url("submissions.show", submission_id=submission.id),
        "html_url": None,
        "quota": quota(left),
    }


def submission(
    view: View, left: Quota | None, found: details.Json | None, *, abortable: bool
) -> Json:
    """`found` are its details as far as they are shown; `abortable`: by the caller, now."""
    submission, judging = view.submission, view.judging
    final = judging.state is State.FINISHED
    is_void = submission.status == Verdict.VOID
    return submission_brief(view, left) | {
        "public": submission.public,
        "score": 0 if is_void else int(judging.score),
        "message": judging.message or None,
        "time_msecs": None if judging.cpu_ns is None else details.milliseconds(judging.cpu_ns),
        "memory_bytes": judging.memory_bytes,
        "cpu_ns": judging.cpu_ns,
        "wall_ns": judging.wall_ns,
        "should_auto_reload": not final,
        "should_show_score": not abortable and submission.status not in NO_SCORE,
        "code_url": api_url("submissions.code", submission_id=submission.id),
        "abort_url": (
            api_url("submissions.abort", submission_id=submission.id) if abortable else None
        ),
        "details": found,
        "commit": submission.commit,
        "judging": judging_brief(judging),
        "held": view.problem.held if not final else None,
    }


def judging_brief(judging: Judging) -> Json:
    """When and how often it was judged."""
    return {
        "id": judging.id,
        "generation": judging.generation,
        "attempt": judging.attempt,
        "started_at": judging.started_at.isoformat() if judging.started_at else None,
        "finished_at": judging.finished_at.isoformat() if judging.finished_at else None,
    }
