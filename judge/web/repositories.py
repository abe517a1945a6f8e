"""Repositories that are pushed to the judge: <home>/git/<user>/<name>.git, bare."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from judge.store import User
from judge.web.errors import ApiError
from judge.web.gitcommand import GitError, git
from judge.web.locks import locked

MIB = 1 << 20
MOST_REPOSITORIES = 100

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_PATH = re.compile(r"/git/([^/]+)/([^/]+?)(?:\.git)?/?")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}")


@dataclass(frozen=True, slots=True)
class Hosted:
    """A repository on this judge. `name` is `user/repository.git`, `url` what was submitted."""

    folder: Path
    name: str
    url: str

    def pin(self, revision: str) -> str:
        """The full name of the commit that `revision` (a commit, branch or tag; empty for HEAD)
        means now. The commit is kept from now on, whatever is pushed later.

        ApiError 400 where there is none.
        """
        commit = self._resolve(revision)
        try:
            git("update-ref", f"refs/submissions/{commit}", commit, directory=self.folder)
        except GitError as error:
            raise ApiError(400, f"commit {commit} is not wholly in {self.name}") from error
        return commit

    def size_bytes(self) -> int:
        """What the repository takes on disk."""
        total = 0
        for path in self.folder.rglob("*"):
            try:
                total += path.lstat().st_size
            except FileNotFoundError:  # a temporary file of git's
                continue
        return total

    @contextmanager
    def pushing(self, seconds: float) -> Iterator[None]:
        """Holds the repository for one push at a time, so that its quota is exact. TimeoutError
        where another push takes longer than `seconds`."""
        with locked(self.folder / "adjudge.lock", seconds):
            yield

    def tidy(self, *, everything: bool = False) -> None:
        """Repack where many pushes left many packs; with `everything`, drop what no ref needs."""
        options = ["--prune=now"] if everything else ["--auto"]
        git("gc", "--quiet", *options, directory=self.folder, seconds=300)

    def point_head(self) -> None:
        """Let HEAD name a branch that is there: who pushed only `master`, or only `work`, means
        that one. Nothing changes where HEAD is right, or nobody can tell."""
        branches = self._branches()
        if git("symbolic-ref", "HEAD", directory=self.folder) in branches:
            return
        for branch in branches if len(branches) == 1 else ("refs/heads/main", "refs/heads/master"):
            if branch in branches:
                git("symbolic-ref", "HEAD", branch, directory=self.folder)
                return

    def _resolve(self, revision: str) -> str:
        if revision and (not _REVISION.fullmatch(revision) or ".." in revision):
            raise ApiError(400, "commit must be a commit, a branch or a tag of the repository")
        if not revision:
            self.point_head()
        try:
            return git(
                *("rev-parse", "--verify", "--quiet", "--end-of-options"),
                f"{revision or 'HEAD'}^{{commit}}",
                directory=self.folder,
            )
        except GitError:
            raise ApiError(400, self._why_no_commit(revision)) from None

    def _why_no_commit(self, revision: str) -> str:
        branches = [branch.removeprefix("refs/heads/") for branch in self._branches()]
        if not branches:
            return f"the repository {self.name} is empty: push a commit to it first"
        if revision:
            return f"there is no commit {revision} in {self.name}: push it first"
        return f"{self.name} has several branches: name one as commit ({', '.join(branches[:5])})"

    def _branches(self) -> list[str]:
        listed = git("for-each-ref", "--format=%(refname)", "refs/heads/", directory=self.folder)
        return listed.split()


class Repositories:
    """All hosted repositories."""

    def __init__(self, folder: Path, quota_bytes: int) -> None:
        self.folder = folder
        self.quota_bytes = quota_bytes

    def find(self, url: str, user: User, sees_all: bool) -> Hosted:
        """The repository that a submitted URL names, under whatever name and port this server is
        reached by. ApiError 400 where there is none that the user may submit."""
        path = _path_of(url)
        match = _PATH.fullmatch(path or "")
        if match is None:
            raise ApiError(
                400,
                "code must be the URL of a repository, and this judge takes repositories that are"
                f" pushed to it: git push http://<this server>/git/{user.name}/<repository>.git",
            )
        owner, name = match.groups()
        hosted = self.get(owner, name, url=f"/git/{owner}/{name}.git")
        if hosted is None or (owner != user.name and not sees_all):
            raise ApiError(
                400,
                f"you have no repository /git/{owner}/{name}.git on this judge: push it first"
                f" to /git/{user.name}/{name}.git",
            )
        return hosted

    def get(self, owner: str, name: str, url: str = "") -> Hosted | None:
        """The repository of that owner and name, or None."""
        hosted = self._hosted(owner, name, url)
        return hosted if hosted is not None and hosted.folder.is_dir() else None

    def make(self, owner: User, name: str) -> Hosted:
        """The repository of that name, made now if it is not there yet. ApiError 400 for a name
        that none can have, 403 where the owner has too many."""
        hosted = self._hosted(owner.name, name)
        if hosted is None:
            raise ApiError(
                400, f"{name!r} cannot be a repository name: up to 100 letters, digits, . _ -"
            )
        if hosted.folder.is_dir():
            return hosted
        home = hosted.folder.parent
        home.mkdir(parents=True, exist_ok=True)
        if sum(1 for _ in home.glob("*.git")) >= MOST_REPOSITORIES:
            raise ApiError(403, f"you have {MOST_REPOSITORIES} repositories, and may have no more")
        # Made aside and moved: two first pushes at once meet one whole repository.
        aside = Path(tempfile.mkdtemp(dir=home, prefix="new-"))
        try:
            git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(aside),
                directory=aside)  # fmt: skip
            aside.rename(hosted.folder)
        except OSError:
            if not hosted.folder.is_dir():
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return hosted

    def _hosted(self, owner: str, name: str, url: str = "") -> Hosted | None:
        name = name.removesuffix(".git")
        # Names are checked before they become a path.
        valid = all(_NAME.fullmatch(part) and ".." not in part for part in (owner, name))
        if not valid or name.endswith((".git", ".lock")):
            return None
        relative = f"{owner}/{name}.git"
        return Hosted(self.folder / relative, relative, url)


def _path_of(url: str) -> str | None:
    """The path of an http(s) URL, or of a URL without host; None for anything else."""
    try:
        parts = urlsplit(url)
        port_is_valid = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if not port_is_valid or parts.scheme not in {"http", "https", ""} or parts.query:
        return None
    return parts.path
