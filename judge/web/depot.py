"""What workers on other machines fetch: packages with their hidden tests, and commits.

No part of the API: it is between the parts of one judge, of the same version.
"""

import re
import subprocess
from collections.abc import Iterator

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from judge.store import submissions
from judge.store.tokens import Scope
from judge.web.arguments import object_id
from judge.web.auth import require
from judge.web.errors import not_found
from judge.web.gitcommand import environment
from judge.web.services import services

_HASH = re.compile(r"[0-9a-f]{64}")
_CHUNK = 1 << 16

blueprint = Blueprint("depot", __name__, url_prefix="/worker")


@blueprint.get("/ping")
def ping() -> ResponseReturnValue:
    """Whether the token is a worker's."""
    require(Scope.WORKER)
    return "", 204


@blueprint.get("/package/<content_hash>")
def package(content_hash: str) -> ResponseReturnValue:
    """A package and its hidden tests, as a tar archive with `package/` and `tests/`."""
    require(Scope.WORKER)
    folder = services().settings.packages / content_hash
    if not _HASH.fullmatch(content_hash) or not folder.is_dir():
        raise not_found()
    tar = subprocess.Popen(
        ["tar", "--create", "--file=-", f"--directory={folder}", "package", "tests"],
        stdout=subprocess.PIPE,
    )
    return _stream(tar, "application/x-tar")


@blueprint.get("/commit/<submission_id>")
def commit(submission_id: str) -> ResponseReturnValue:
    """The submission's commit with its tree and no history, as a pack (gitformat-pack(5))."""
    require(Scope.WORKER)
    submission = submissions.get(services().db, object_id(submission_id)).submission
    if submission.repository is None or submission.commit is None:
        raise not_found()
    git = ["git", f"--git-dir={services().settings.git / submission.repository}"]
    listing = subprocess.Popen(
        [*git, "rev-list", "--objects", "--no-walk", submission.commit],
        env=environment(),
        stdout=subprocess.PIPE,
    )
    packing = subprocess.Popen(
        [*git, "pack-objects", "--stdout", "--quiet"],
        env=environment(),
        stdin=listing.stdout,
        stdout=subprocess.PIPE,
    )
    return _stream(packing, "application/x-git-pack", listing)


def _stream(
    process: subprocess.Popen[bytes], kind: str, *feeding: subprocess.Popen[bytes]
) -> Response:
    def pieces() -> Iterator[bytes]:
        assert process.stdout is not None
        while piece := process.stdout.read(_CHUNK):
            yield piece

    def close() -> None:
        for each in (process, *feeding):
            if each.poll() is None:
                each.kill()
            each.wait()
            if each.stdout is not None:
                each.stdout.close()

    response = Response(pieces(), mimetype=kind)
    response.call_on_close(close)
    return response
