"""What a worker on another machine takes from the server: packages by their hash, and commits.

For tokens with the scope `worker` alone: hidden tests go out here.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, cast

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from judge.store import submissions
from judge.store.tokens import Scope
from judge.web.arguments import object_id
from judge.web.auth import require
from judge.web.errors import not_found
from judge.web.gitcommand import PROCESS_BOUNDS, environment
from judge.web.processes import end
from judge.web.services import services

CHUNK_BYTES = 1 << 16

_HASH = re.compile(r"[0-9a-f]{64}")

blueprint = Blueprint("worker", __name__, url_prefix="/worker")


@blueprint.get("/ping")
def ping() -> ResponseReturnValue:
    """204 where the token is good for this."""
    require(Scope.WORKER)
    return "", 204


@blueprint.get("/package/<content_hash>")
def package(content_hash: str) -> ResponseReturnValue:
    """A tar archive with the folders `package` and `tests`."""
    require(Scope.WORKER)
    folder = services().settings.packages / content_hash
    if not _HASH.fullmatch(content_hash) or not folder.is_dir():
        raise not_found()
    command = ["tar", "--create", "--file=-", "package", "tests"]
    return _stream(command, folder, "application/x-tar")


@blueprint.get("/commit/<submission_id>")
def commit(submission_id: str) -> ResponseReturnValue:
    """A pack (gitformat-pack(5)) of the submission's commit with its tree, without its history."""
    require(Scope.WORKER)
    submission = submissions.get(services().db, object_id(submission_id)).submission
    folder = services().settings.git / (submission.repository or "")
    if submission.repository is None or submission.commit is None or not folder.is_dir():
        raise not_found()
    wanted = f"--shallow {submission.commit}\n{submission.commit}\n".encode()
    command = [
        *(*PROCESS_BOUNDS, "git", f"--git-dir={folder}"),
        *("pack-objects", "--quiet", "--stdout", "--revs", "--shallow"),
    ]
    return _stream(command, folder, "application/x-git-packed-objects", environment(), wanted)


def _stream(
    command: Sequence[str],
    folder: Path,
    media_type: str,
    variables: Mapping[str, str] | None = None,
    text: bytes = b"",
) -> Response:
    """What a command that reads `text` prints, as it prints it. Where it fails the answer is cut
    off, which whoever reads an archive or a pack notices."""
    with tempfile.TemporaryFile() as source:
        source.write(text)
        source.seek(0)
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=source,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
    output = cast("IO[bytes]", process.stdout)

    def body() -> Iterator[bytes]:
        while chunk := output.read(CHUNK_BYTES):
            yield chunk

    def close() -> None:
        end(process)
        output.close()

    response = Response(body(), mimetype=media_type)
    response.call_on_close(close)
    return response
