"""Where a worker gets packages and commits from: the home beside it, or the server over HTTP."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Protocol, cast

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry

from judge.model import Problem
from judge.store import Submission
from judge.work.shelf import Shelf

_TIMEOUT_S = (5.0, 30.0)
"""To connect, and between two pieces of an answer."""
# A kept connection may be dead without a word (a cable was out), and the server may start again.
_RETRIES = Retry(3, backoff_factor=0.5, respect_retry_after_header=False)
_CHUNK = 1 << 16
_INDEX_PACK = ("prlimit", "--cpu=300", "--as=4294967296", "--core=0", "git")


class Stock(Protocol):
    """What grading needs besides the source text."""

    def package(self, name: str) -> Problem:
        """The problem of that content hash."""
        ...

    def repository(self, submission: Submission) -> AbstractContextManager[Path]:
        """A bare repository that has the submission's commit, as long as it is entered."""
        ...


class LocalStock:
    """The folders of the home on this machine."""

    def __init__(self, shelf: Shelf, git: Path) -> None:
        self._shelf = shelf
        self._git = git

    def package(self, name: str) -> Problem:
        return self._shelf.get(name)

    def repository(self, submission: Submission) -> AbstractContextManager[Path]:
        return nullcontext(self._git / (submission.repository or ""))


class RemoteStock:
    """What the server hands out to a token with the scope `worker`. Packages are kept."""

    def __init__(self, shelf: Shelf, server: str, token: str) -> None:
        self._shelf = shelf
        self._server = server.rstrip("/")
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._session.trust_env = False
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=_RETRIES))

    def check(self) -> None:
        """Raises requests' RequestException where the server does not let this worker in."""
        self._get("ping").close()

    def package(self, name: str) -> Problem:
        try:
            return self._shelf.get(name)
        except KeyError:
            pass
        with self._get(f"package/{name}") as answer:
            self._shelf.adopt(name, cast("IO[bytes]", answer.raw))
        return self._shelf.get(name)

    @contextmanager
    def repository(self, submission: Submission) -> Iterator[Path]:
        """A new repository with the commit and its tree, and no history (a shallow one)."""
        folder = Path(tempfile.mkdtemp(prefix="adjudge-commit-"))
        try:
            _git("init", "--quiet", "--bare", "--template=", str(folder))
            with self._get(f"commit/{submission.id}") as answer, tempfile.TemporaryFile() as pack:
                for piece in answer.iter_content(_CHUNK):
                    pack.write(piece)
                pack.seek(0)
                _git(f"--git-dir={folder}", "index-pack", "--stdin", stdin=pack.fileno())
            (folder / "shallow").write_text(f"{submission.commit}\n")
            yield folder
        finally:
            shutil.rmtree(folder)

    def _get(self, path: str) -> requests.Response:
        answer = self._session.get(
            f"{self._server}/worker/{path}",
            timeout=_TIMEOUT_S,
            stream=True,
            allow_redirects=False,
        )
        answer.raise_for_status()
        return answer


def _git(*arguments: str, stdin: int = subprocess.DEVNULL) -> None:
    subprocess.run(
        [*_INDEX_PACK, *arguments],
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        },
        stdin=stdin,
        capture_output=True,
        check=True,
        timeout=300,
    )
