"""Benchmarks, read-only, as ACMOJ's problem sets; and the lists of courses that its clients ask for
(acmoj.md section 1.5). A benchmark is open to everybody, always: nobody joins or leaves it."""

from itertools import groupby
from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from judge.store import Benchmark, Entry, Problem, benchmarks, caps
from judge.store.tables import EntryProblem
from judge.store.tokens import Access, Scope
from judge.web import shapes
from judge.web.arguments import object_id
from judge.web.auth import require, signed_in
from judge.web.services import services

FOR_EVER = "9999-12-31T23:59:59+00:00"

blueprint = Blueprint("problemsets", __name__)


@blueprint.get("/user/courses")
def courses() -> ResponseReturnValue:
    """None: this judge has no courses."""
    require(Scope.COURSE_READ)
    return jsonify(courses=[])


@blueprint.get("/user/problemsets")
def index() -> ResponseReturnValue:
    """Every benchmark, by name."""
    access = require(Scope.PROBLEMSET_READ)
    found = benchmarks.all_benchmarks(services().db)
    return jsonify(problemsets=[_shape(benchmark, access) for benchmark in found])


@blueprint.get("/problemset/<problemset_id>")
def show(problemset_id: str) -> ResponseReturnValue:
    signed_in()
    benchmark = benchmarks.get(services().db, object_id(problemset_id))
    return jsonify(_shape(benchmark, require(Scope.PROBLEMSET_READ)))


def _shape(benchmark: Benchmark, access: Access) -> dict[str, Any]:
    contents = [
        (entry, link, problem)
        for entry, link, problem in benchmarks.contents(services().db, benchmark.id)
        if access.may_touch(problem.id) and (problem.released or access.is_operator)
    ]
    return {
        "id": benchmark.id,
        "course": _course(),
        "name": benchmark.name,
        "description": benchmark.title,
        "allowed_languages": None,
        "start_time": benchmark.created_at.isoformat(),
        "end_time": FOR_EVER,
        "late_submission_deadline": None,
        "type": "homework",
        "problems": [shapes.problem_brief(problem) for _, _, problem in contents],
        "entries": [
            _entry(entry, [(link, problem) for _, link, problem in part], access)
            for entry, part in groupby(contents, key=lambda row: row[0])
        ],
        "url": shapes.api_url("problemsets.show", problemset_id=benchmark.id),
        "join_url": None,
        "quit_url": None,
        "html_url": None,
    }


def _entry(entry: Entry, parts: list[tuple[EntryProblem, Problem]], access: Access) -> shapes.Json:
    """Problems that share a cap, with their weights."""
    left = caps.quota(services().db, access.user.id, parts[0][1].id)
    return {
        "name": entry.name,
        "feedback": entry.feedback,
        "abort": entry.abort,
        "quota": shapes.quota(left),
        "problems": [
            {"id": problem.id, "weight": link.weight, "full_score": link.full_score}
            for link, problem in parts
        ],
    }


def _course() -> shapes.Json:
    return {
        "id": 1,
        "name": "Benchmarks",
        "description": "",
        "tag": None,
        "term": None,
        "url": None,
        "join_url": None,
        "quit_url": None,
        "html_url": None,
    }
