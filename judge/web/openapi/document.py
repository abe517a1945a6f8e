"""Operations and shapes, put together to one OpenAPI 3.1 document."""

import re
from importlib.metadata import version
from typing import Any

from judge.web.openapi.paths import EVENT, OPERATIONS, Operation
from judge.web.openapi.schemas import ID, SCHEMAS, STRING, Schema, ref, shape

REASONS = {
    400: "A field is missing or wrong",
    401: "No token, an invalid one, or one without the scope",
    403: "Not now, or not by you",
    404: "Not there, or not yours to see",
    409: "There is one already",
    413: "Too large",
    429: "The cap is reached, or too many requests",
    502: "A repository elsewhere did not answer; nothing was submitted",
    503: "Too busy; nothing was submitted",
}
ALWAYS = (400, 401, 404, 429)


def document(server: str) -> dict[str, Any]:
    """The document for an API whose paths begin with `server`."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        item = paths.setdefault(operation.path, {"parameters": _path_parameters(operation.path)})
        item[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Adjudge",
            "version": version("adjudge"),
            "description": "Submit to a judge and read its verdicts. Compatible with ACMOJ's API.",
        },
        "servers": [{"url": server}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    refusals = () if operation.scope == "" else (*ALWAYS, *operation.refusals)
    described: dict[str, Any] = {
        "summary": operation.text,
        "operationId": _name(operation),
        "security": [] if operation.scope == "" else [{"token": []}],
        "parameters": [
            {"name": name, "in": place, "schema": schema}
            for place, fields in (("query", operation.query), ("header", operation.headers))
            for name, schema in fields.items()
        ],
        "responses": {
            str(operation.status): _answer(operation),
            **{str(status): _refusal(status) for status in sorted(set(refusals))},
        },
    }
    if operation.scope:
        described["description"] = f"The token needs the scope `{operation.scope}`."
    if operation.form:
        schema = shape(**operation.form) | {"required": list(operation.needs)}
        described["requestBody"] = {
            "required": bool(operation.needs),
            "content": {operation.media_type: {"schema": schema}},
        }
    return described


def _answer(operation: Operation) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": operation.text}
    match operation.answer:
        case None:
            pass
        case str(media_type):
            schema = EVENT if media_type == "text/event-stream" else STRING
            answer["content"] = {media_type: {"schema": schema}}
        case schema:
            answer["content"] = {"application/json": {"schema": schema}}
    if operation.status == 201 and "submit" in operation.path:
        answer["headers"] = {"Location": {"required": True, "schema": STRING}}
    return answer


def _refusal(status: int) -> dict[str, Any]:
    return {
        "description": REASONS[status],
        "content": {"application/json": {"schema": ref("Error")}},
    }


def _path_parameters(path: str) -> list[dict[str, Any]]:
    def schema(name: str) -> Schema:
        return ID if name.endswith("_id") else STRING | {"minLength": 1}

    return [
        {"name": name, "in": "path", "required": True, "schema": schema(name)}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _name(operation: Operation) -> str:
    words = re.findall(r"\w+", operation.path.replace("_id", ""))
    return "_".join([operation.method, *words])
