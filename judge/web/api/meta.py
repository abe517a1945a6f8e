"""The words of this judge: statuses and languages."""

from flask import Blueprint, jsonify, redirect
from flask.typing import ResponseReturnValue

from judge.model import State, Verdict
from judge.model.language import LANGUAGES
from judge.store import workers
from judge.web import shapes
from judge.web.auth import signed_in
from judge.web.openapi import document
from judge.web.services import services

blueprint = Blueprint("meta", __name__)

# Names and colours of acmoj.md section 1.6; output_limit_exceeded is ours.
STATUSES: dict[State | Verdict, tuple[str, str, str]] = {
    State.PENDING: ("Pending", "Pending", "gray-dark"),
    State.COMPILING: ("Compiling", "Compiling", "blue"),
    State.JUDGING: ("Judging", "Judging", "blue"),
    Verdict.ACCEPTED: ("Accepted", "AC", "green"),
    Verdict.WRONG_ANSWER: ("Wrong answer", "WA", "red"),
    Verdict.COMPILE_ERROR: ("Compile error", "CE", "yellow"),
    Verdict.RUNTIME_ERROR: ("Runtime error", "RE", "red"),
    Verdict.TIME_LIMIT_EXCEEDED: ("Time limit exceeded", "TLE", "orange"),
    Verdict.MEMORY_LIMIT_EXCEEDED: ("Memory limit exceeded", "MLE", "orange"),
    Verdict.DISK_LIMIT_EXCEEDED: ("Disk limit exceeded", "DLE", "purple"),
    Verdict.OUTPUT_LIMIT_EXCEEDED: ("Output limit exceeded", "OLE", "purple"),
    Verdict.MEMORY_LEAK: ("Memory leak", "Leak", "purple"),
    Verdict.SKIPPED: ("Skipped", "Skip", "black"),
    Verdict.ABORTED: ("Aborted", "Aborted", "gray-dark"),
    Verdict.VOID: ("Void", "Void", "brown"),
    Verdict.BAD_PROBLEM: ("Bad problem", "BP", "gray-dark"),
    Verdict.SYSTEM_ERROR: ("System error", "SE", "gray-dark"),
}


@blueprint.get("/meta/info/judge-status")
def judge_status() -> ResponseReturnValue:
    signed_in()
    return jsonify(
        {
            status.value: {"name": name, "name_short": short, "color": color}
            for status, (name, short, color) in STATUSES.items()
        }
    )


@blueprint.get("/meta/info/language")
def language() -> ResponseReturnValue:
    signed_in()
    return jsonify(
        {entry.id: {"name": entry.name, "extension": entry.extension} for entry in LANGUAGES}
    )


@blueprint.get("/meta/runner-status")
def runner_status() -> ResponseReturnValue:
    """Every worker, in ACMOJ's shape (acmoj.md section 1.4)."""
    signed_in()
    rows = []
    for worker, there in workers.all_workers(services().db):
        name, color = ("Offline", "black-50")
        if there:
            name, color = ("Busy", "orange") if worker.judging_id else ("Idle", "blue")
        rows.append(
            {
                "id": worker.name,
                "name": worker.name,
                "hardware": worker.hardware,
                "provider": worker.host,
                "status": {"name": name, "color": color},
                "message": f"load {worker.load:.2f}, version {worker.version}",
                "last_seen": worker.seen_at.isoformat(),
            }
        )
    return jsonify(rows)


@blueprint.get("/")
def root() -> ResponseReturnValue:
    """Where the API is described."""
    return redirect(shapes.api_url("meta.openapi"))


@blueprint.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    """The description of this API, for the prefix that was asked."""
    return jsonify(document(shapes.api_url("meta.openapi").removesuffix("/openapi.json")))
