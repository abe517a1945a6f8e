"""The shapes of answers as JSON Schema; what `judge.web.shapes` and `judge.web.details` write."""

from collections.abc import Iterable
from typing import Any

from judge.model import State, Verdict
from judge.store import AbortPolicy, Feedback, Role
from judge.store.tables import RejudgeState
from judge.web.arguments import LARGEST_ID

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
TEXT: Schema = {"type": ["string", "null"]}
INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": ["integer", "null"]}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
NULL: Schema = {"type": "null"}
TIME: Schema = {"type": "string", "format": "date-time"}
MAYBE_TIME: Schema = {"type": ["string", "null"], "format": "date-time"}
ID: Schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_ID}

STATUSES = [*(state.value for state in State if state is not State.FINISHED), *Verdict]


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, NULL]}


def some(schema: Schema) -> Schema:
    """A list of such."""
    return {"type": "array", "items": schema}


def words(choices: Iterable[str]) -> Schema:
    """One of some words."""
    return {"type": "string", "enum": [str(choice) for choice in choices]}


def shape(**properties: Schema) -> Schema:
    """An object with all of these properties; more may come (additions are no break)."""
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def extended(name: str, **properties: Schema) -> Schema:
    """Another shape, and more."""
    return {"allOf": [ref(name), shape(**properties)]}


SCHEMAS: dict[str, Schema] = {
    "Error": shape(error=INTEGER, message=STRING),
    "Created": shape(id=ID),
    "Status": words(STATUSES),
    "Quota": maybe(shape(cap=INTEGER, used=INTEGER, left=INTEGER)),
    "Profile": shape(
        username=STRING,
        friendly_name=STRING,
        role=words(Role),
        agent=TEXT,
        model=TEXT,
        round=TEXT,
    ),
    "OwnProfile": extended("Profile", student_id=STRING),
    "Token": shape(
        id=ID,
        username=STRING,
        name=STRING,
        scopes=some(STRING),
        problems=maybe(some(INTEGER)),
        created_at=TIME,
        expires_at=TIME,
        revoked_at=MAYBE_TIME,
    ),
    "NewToken": extended("Token", token=STRING),
    "Attachment": shape(name=STRING, size_bytes=INTEGER, url=STRING),
    "Example": shape(name=TEXT, input=TEXT, output=TEXT, description=TEXT),
    "Limits": shape(
        time_msecs=INTEGER,
        memory_bytes=INTEGER,
        file_count=INTEGER,
        file_size_bytes=INTEGER,
        cpu_ns=INTEGER,
        wall_ns=INTEGER,
    ),
    "Plan": shape(
        subtasks=some(
            shape(
                id=STRING,
                name=STRING,
                score=NUMBER,
                testpoints=some(shape(id=STRING, limits=maybe(ref("Limits")))),
            )
        )
    ),
    "ProblemBrief": shape(id=ID, slug=STRING, title=TEXT, url=TEXT, submit_url=TEXT, html_url=TEXT),
    "NewProblem": extended("ProblemBrief", package=STRING),
    "ProblemRow": extended("ProblemBrief", quota=ref("Quota")),
    "Problem": shape(
        id=ID,
        slug=STRING,
        title=STRING,
        description=TEXT,
        input=TEXT,
        output=TEXT,
        examples=some(ref("Example")),
        example_input=TEXT,
        example_output=TEXT,
        data_range=TEXT,
        languages_accepted=maybe(some(STRING)),
        allow_public_submissions=BOOLEAN,
        plan_summary=maybe(ref("Plan")),
        attachments=some(ref("Attachment")),
        source_bytes=INTEGER,
        quota=ref("Quota"),
        held=TEXT,
    ),
    "Usage": maybe(
        shape(
            time_msecs=INTEGER,
            memory_bytes=INTEGER,
            file_count=INTEGER,
            file_size_bytes=INTEGER,
            cpu_ns=INTEGER,
            wall_ns=INTEGER,
        )
    ),
    "Details": shape(
        result=ref("Status"),
        message=TEXT,
        score=NUMBER,
        resource_usage=ref("Usage"),
        groups=some(
            shape(
                id=STRING,
                name=STRING,
                result=ref("Status"),
                score=NUMBER,
                testpoints=some(
                    shape(
                        id=STRING,
                        result=ref("Status"),
                        message=TEXT,
                        score=NUMBER,
                        resource_usage=ref("Usage"),
                        raw_score=maybe(NUMBER),
                        judge_message=maybe(STRING),
                        other_look=maybe(shape(cpu_ns=INTEGER, wall_ns=INTEGER)),
                    )
                ),
            )
        ),
    ),
    "JudgingBrief": shape(
        id=ID,
        generation=INTEGER,
        attempt=INTEGER,
        started_at=MAYBE_TIME,
        finished_at=MAYBE_TIME,
    ),
    "JudgingRow": extended("JudgingBrief", counts=BOOLEAN, status=maybe(ref("Status"))),
    "SubmissionBrief": shape(
        id=ID,
        friendly_name=STRING,
        problem=ref("ProblemBrief"),
        status=ref("Status"),
        language=STRING,
        created_at=TIME,
        url=TEXT,
        html_url=TEXT,
        quota=ref("Quota"),
    ),
    "Submission": extended(
        "SubmissionBrief",
        public=BOOLEAN,
        score=INTEGER,
        message=TEXT,
        time_msecs=COUNT,
        memory_bytes=COUNT,
        cpu_ns=COUNT,
        wall_ns=COUNT,
        should_auto_reload=BOOLEAN,
        should_show_score=BOOLEAN,
        code_url=STRING,
        abort_url=TEXT,
        details=maybe(ref("Details")),
        commit=TEXT,
        judging=ref("JudgingBrief"),
        held=TEXT,
    ),
    "Problemset": shape(
        id=ID,
        course={"type": "object"},
        name=STRING,
        description=STRING,
        allowed_languages=maybe(some(STRING)),
        start_time=TIME,
        end_time=TIME,
        late_submission_deadline=MAYBE_TIME,
        type=words(["contest", "homework", "exam"]),
        problems=some(ref("ProblemBrief")),
        entries=some(
            shape(
                name=STRING,
                feedback=words(Feedback),
                abort=words(AbortPolicy),
                quota=ref("Quota"),
                problems=some(shape(id=ID, weight=NUMBER, full_score={"type": ["number", "null"]})),
            )
        ),
        url=STRING,
        join_url=TEXT,
        quit_url=TEXT,
        html_url=TEXT,
    ),
    "Rejudge": shape(
        id=ID,
        reason=STRING,
        state=words(RejudgeState),
        created_at=TIME,
        closed_at=MAYBE_TIME,
        url=STRING,
    ),
    "NewRejudge": extended("Rejudge", count=INTEGER),
    "RejudgePreview": extended(
        "Rejudge",
        waiting=INTEGER,
        differences=some(
            shape(
                submission_id=ID,
                old=shape(status=STRING, score=NUMBER),
                new=maybe(shape(status=STRING, score=NUMBER)),
                changes=BOOLEAN,
            )
        ),
    ),
    "StatusName": shape(name=STRING, name_short=STRING, color=STRING),
    "LanguageName": shape(name=STRING, extension=TEXT),
    "Runner": shape(
        id=STRING,
        name=STRING,
        hardware=STRING,
        provider=STRING,
        status=shape(name=words(["Idle", "Busy", "Offline"]), color=STRING),
        message=STRING,
        last_seen=STRING,
    ),
}
