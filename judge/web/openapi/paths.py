"""The operations: one entry for each method of each path, in the order in which one reads them."""

from dataclasses import dataclass, field

from judge.model.language import LANGUAGES
from judge.store import Feedback, Role
from judge.store.tokens import Scope
from judge.web.openapi.schemas import STRING, TEXT, Schema, ref, shape, some, words

# What a query holds as a number may be empty as well: an empty filter is none.
NUMBER_OR_EMPTY: Schema = {"type": "string", "pattern": "^[0-9]{0,9}$"}
NUMBERS: Schema = {"type": "string", "pattern": "^[0-9]{0,9}(,[0-9]{1,9})*$"}
FLAG: Schema = {"type": "string", "not": {"const": "true"}}
EVENT: Schema = {
    "type": "object",
    "properties": {"event": words(["progress", "final"]), "data": STRING},
    "required": ["event", "data"],
}
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Operation:
    """`answer` is the schema of a JSON answer, None for an empty one, or a media type. `scope` is
    None where any valid token does, and empty where no token is asked for."""

    method: str
    path: str
    text: str
    answer: Schema | str | None
    scope: Scope | str | None = None
    status: int = 200
    query: dict[str, Schema] = field(default_factory=dict)
    form: dict[str, Schema] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    headers: dict[str, Schema] = field(default_factory=dict)
    refusals: tuple[int, ...] = ()
    media_type: str = FORM


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "get", "/user/profile", "Who the token belongs to", ref("OwnProfile"), Scope.USER_PROFILE
    ),
    Operation(
        "get",
        "/problem/",
        "Problems, by id",
        shape(problems=some(ref("ProblemRow")), next=TEXT),
        Scope.PROBLEM_READ,
        query={"keyword": STRING, "problemset_id": NUMBER_OR_EMPTY, "cursor": NUMBER_OR_EMPTY},
    ),
    Operation(
        "get",
        "/problem/{problem_id}",
        "A problem, its limits and what is left of its cap",
        ref("Problem"),
        Scope.PROBLEM_READ,
    ),
    Operation(
        "get",
        "/problem/{problem_id}/attachment/{name}",
        "A starter file",
        "application/octet-stream",
        Scope.PROBLEM_READ,
    ),
    Operation(
        "post",
        "/problem/{problem_id}/submit",
        "Submit a source text, or the URL of a repository (language git)",
        ref("Created"),
        Scope.SUBMISSION_CREATE,
        status=201,
        form={
            "language": words([language.id for language in LANGUAGES]),
            "code": STRING,
            "public": FLAG,
            "commit": STRING,
        },
        needs=("language", "code"),
        headers={"Idempotency-Key": {"type": "string", "pattern": "^[!-~]{1,200}$"}},
        refusals=(403, 413, 429, 502, 503),
    ),
    Operation(
        "get",
        "/submission/",
        "One's own submissions (for operators: all), the newest first",
        shape(submissions=some(ref("SubmissionBrief")), next=TEXT),
        Scope.SUBMISSION_READ,
        query={
            "username": STRING,
            "problem_id": NUMBER_OR_EMPTY,
            "status": STRING,
            "lang": STRING,
            "cursor": NUMBER_OR_EMPTY,
        },
    ),
    Operation(
        "get",
        "/submission/{submission_id}",
        "A submission; with `wait` (60 s at most), as soon as it is final",
        ref("Submission"),
        Scope.SUBMISSION_READ,
        query={"wait": {"type": "number", "minimum": 0}},
    ),
    Operation(
        "get",
        "/submission/{submission_id}/events",
        "Server-sent events: `progress` at every change, `final` at the end",
        "text/event-stream",
        Scope.SUBMISSION_READ,
    ),
    Operation(
        "get",
        "/submission/{submission_id}/code",
        "What was submitted",
        "text/plain",
        Scope.SUBMISSION_READ,
    ),
    Operation(
        "get",
        "/submission/{submission_id}/judgings",
        "How often it was judged",
        shape(judgings=some(ref("JudgingRow"))),
        Scope.SUBMISSION_READ,
    ),
    Operation(
        "post",
        "/submission/{submission_id}/abort",
        "Abort it",
        None,
        Scope.SUBMISSION_WRITE,
        status=204,
        refusals=(403,),
    ),
    Operation(
        "post",
        "/submission/{submission_id}/void",
        "Let it count for nothing, for good",
        None,
        Scope.SUBMISSION_MANAGE,
        status=204,
        form={"reason": STRING},
        needs=("reason",),
    ),
    Operation(
        "get",
        "/user/problemsets",
        "The benchmarks",
        shape(problemsets=some(ref("Problemset"))),
        Scope.PROBLEMSET_READ,
    ),
    Operation(
        "get",
        "/problemset/{problemset_id}",
        "A benchmark",
        ref("Problemset"),
        Scope.PROBLEMSET_READ,
    ),
    Operation(
        "get",
        "/user/courses",
        "None: this judge has no courses",
        shape(courses=some({"type": "object"})),
        Scope.COURSE_READ,
    ),
    Operation(
        "get",
        "/meta/info/judge-status",
        "Status -> its names and colour",
        {"type": "object", "additionalProperties": ref("StatusName")},
    ),
    Operation(
        "get",
        "/meta/runner-status",
        "The workers, what they do, and when they were last heard of",
        some(ref("Runner")),
    ),
    Operation(
        "get",
        "/meta/info/language",
        "Language -> its name and extension",
        {"type": "object", "additionalProperties": ref("LanguageName")},
    ),
    Operation(
        "post",
        "/problem/",
        "A new problem, or a new version of one: `package` is a zip archive",
        ref("NewProblem"),
        Scope.PROBLEM_WRITE,
        status=201,
        form={
            "package": {"type": "string", "format": "binary"},
            "name": STRING,
            "id": NUMBER_OR_EMPTY,
            "cap": NUMBER_OR_EMPTY,
            "released": STRING,
            "feedback": words(Feedback),
            "group": STRING,
        },
        needs=("package",),
        media_type="multipart/form-data",
        refusals=(413,),
    ),
    Operation(
        "post",
        "/problem/{problem_id}/hold",
        "Let its submissions wait, and say why",
        None,
        Scope.PROBLEM_WRITE,
        status=204,
        form={"reason": STRING},
        needs=("reason",),
    ),
    Operation(
        "post",
        "/problem/{problem_id}/resume",
        "Judge what waits",
        None,
        Scope.PROBLEM_WRITE,
        status=204,
    ),
    Operation(
        "get",
        "/rejudge/",
        "The newest rejudges",
        shape(rejudges=some(ref("Rejudge"))),
        Scope.SUBMISSION_MANAGE,
    ),
    Operation(
        "post",
        "/rejudge/",
        "Judge a set of submissions again",
        ref("NewRejudge"),
        Scope.SUBMISSION_MANAGE,
        status=201,
        form={
            "submission": NUMBERS,
            "problem_id": NUMBER_OR_EMPTY,
            "username": STRING,
            "status": STRING,
            "language": STRING,
            "version": STRING,
            "reason": STRING,
            "apply": STRING,
        },
        needs=("reason",),
    ),
    Operation(
        "get",
        "/rejudge/{rejudge_id}",
        "What applying it would change",
        ref("RejudgePreview"),
        Scope.SUBMISSION_MANAGE,
    ),
    Operation(
        "post",
        "/rejudge/{rejudge_id}/apply",
        "Let its results count",
        ref("Rejudge"),
        Scope.SUBMISSION_MANAGE,
    ),
    Operation(
        "post",
        "/rejudge/{rejudge_id}/drop",
        "Do away with it",
        ref("Rejudge"),
        Scope.SUBMISSION_MANAGE,
    ),
    Operation("get", "/user/", "All users", shape(users=some(ref("Profile"))), Scope.USER_MANAGE),
    Operation(
        "post",
        "/user/",
        "A new user",
        ref("Profile"),
        Scope.USER_MANAGE,
        status=201,
        form={
            "username": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
            "role": words(Role),
            "friendly_name": STRING,
            "agent": STRING,
            "model": STRING,
            "round": STRING,
        },
        needs=("username",),
        refusals=(409,),
    ),
    Operation(
        "get",
        "/user/{username}/token/",
        "A user's tokens",
        shape(tokens=some(ref("Token"))),
        Scope.USER_MANAGE,
    ),
    Operation(
        "post",
        "/user/{username}/token/",
        "A new token; its secret is shown this once",
        ref("NewToken"),
        Scope.USER_MANAGE,
        status=201,
        form={
            "name": STRING,
            "scopes": STRING,
            "problem": NUMBERS,
            "days": {"type": "number", "exclusiveMinimum": 0, "maximum": 36500},
        },
    ),
    Operation(
        "post", "/token/{token_id}/revoke", "End a token now", None, Scope.USER_MANAGE, status=204
    ),
    Operation("get", "/", "To this document", "text/html", "", status=302),
    Operation("get", "/openapi.json", "This document", {"type": "object"}, ""),
)
