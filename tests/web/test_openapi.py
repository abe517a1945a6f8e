"""The OpenAPI document says what the server does."""

import re
import subprocess
import sys

import requests

from judge.store import Role
from judge.web.openapi import document
from judge.web.openapi.paths import OPERATIONS
from tests.conftest import ROOT, ServedJudge


def test_every_route_is_described(served: ServedJudge) -> None:
    prefix = "/api/v1"
    routes = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule.removeprefix(prefix)))
        for rule in served.app.url_map.iter_rules()
        if rule.rule.startswith(prefix)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(operation.method, operation.path) for operation in OPERATIONS}


def test_names_of_operations_are_unique() -> None:
    paths = document("/api/v1")["paths"]
    names = [
        operation["operationId"]
        for item in paths.values()
        for key, operation in item.items()
        if key != "parameters"
    ]
    assert len(names) == len(set(names)) == len(OPERATIONS)


def test_each_prefix_describes_itself(served: ServedJudge) -> None:
    for prefix in ("/api/v1", "/OnlineJudge/api/v1"):
        found = requests.get(f"{served.address}{prefix}/openapi.json", timeout=10).json()
        assert found["openapi"] == "3.1.0"
        assert found["servers"] == [{"url": prefix}]


def test_schemathesis_finds_no_fault(served: ServedJudge) -> None:
    """Generated requests, good ones and bad ones: no 5xx, nothing that is not described."""
    admin, caller = served.caller(Role.ADMIN), served.caller()
    served.finish(caller.submit(served.problem(cap=1000)))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run"),
            f"{served.address}/api/v1/openapi.json",
            *("--header", f"Authorization: Bearer {admin.token}"),
            # It would end the token that it is called with.
            *("--exclude-path", "/token/{token_id}/revoke"),
            # These follow what is never judged here until it is.
            *("--exclude-path", "/submission/{submission_id}/events"),
            *("--max-examples", "10", "--no-color", "--request-timeout", "30"),
            *("--phases", "coverage,fuzzing"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
