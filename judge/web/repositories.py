"""Repositories that are pushed to the judge: <home>/git/<user>/<name>.git, bare."""

import hashlib
import logging
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from judge.model.limits import MIB
from judge.store import User
from judge.web.errors import ApiError
from judge.web.gitcommand import GitError, git
from judge.web.locks import locked

MOST_REPOSITORIES = 100
PUSH_LOCK = "adjudge.lock"
"""Held by whoever changes the objects of a repository: a push, a fetch, a tidying."""

log = logging.getLogger(__name__)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Hosted:
    """A repository on this judge. `name` is `user/repository.git`, `url` what its owner knows it
    by, where that is something else."""

    folder: Path
    name: str
    url: str

    def pin(self, revision: str) -> str:
        """The full name of the commit that `revision` (a commit, branch or tag; empty for HEAD)
        means now. The commit is kept from now on, whatever is pushed later.

        ApiError 400 where there is none.
        """
        return self._keep(self._resolve(revision))

    def pin_ref(self, ref: str) -> str:
        """As `pin`, of a ref that is known to be there. ApiError 400 where it is no commit."""
        try:
            return self._keep(self._parse(ref))
        except GitError:
            raise ApiError(400, "what that names is no commit") from None

    def _keep(self, commit: str) -> str:
        try:
            git("update-ref", f"refs/submissions/{commit}", commit, directory=self.folder)
        except GitError as error:
            raise ApiError(400, f"commit {commit} is not wholly in {self.name}") from error
        return commit

    def _parse(self, revision: str) -> str:
        return git(
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"),
            directory=self.folder,
        )

    def size_bytes(self) -> int:
        """What the repository takes on disk."""
        total = 0
        for path in self.folder.rglob("*"):
            try:
                total += path.lstat().st_size
            except FileNotFoundError:  # a temporary file of git's
                continue
        return total

    def room_bytes(self, quota_bytes: int) -> int:
        """What is left of the quota, after a tidying where nothing is. To be called `alone`.

        ApiError 403 where it is full even so.
        """
        if self.size_bytes() >= quota_bytes:
            self.tidy(everything=True)
        room = quota_bytes - self.size_bytes()
        if room <= 0:
            raise ApiError(
                403,
                f"{self.url or self.name} is full: it may take {quota_bytes / MIB:g} MiB."
                " Push to another repository, or rewrite its history without the large files.",
            )
        return room

    def drop_partial_packs(self) -> int:
        """Remove what an ended transfer left behind; the size of its largest file, in bytes. To be
        called `alone`."""
        largest = 0
        for path in self.folder.glob("objects/pack/tmp_*"):
            largest = max(largest, path.lstat().st_size)
            path.unlink()
        return largest

    @contextmanager
    def alone(self, seconds: float) -> Iterator[None]:
        """Holds the repository for one push at a time, so that its quota is exact. ApiError 503
        where another push takes longer than `seconds`."""
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(self.folder / PUSH_LOCK, seconds))
            except (TimeoutError, FileNotFoundError) as error:  # or removed as empty just now
                raise ApiError(
                    503,
                    f"another push to {self.name} is still under way: try again",
                    headers={"Retry-After": "10"},
                ) from error
            yield

    def tidy(self, *, everything: bool = False) -> None:
        """Repack where many pushes left many packs; with `everything`, drop what no ref needs."""
        options = ["--prune=now"] if everything else ["--auto"]
        try:
            git("gc", "--quiet", *options, directory=self.folder, seconds=300)
        except GitError as error:
            log.warning("%s was not repacked: %s", self.name, error)

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
        if not revision:
            self.point_head()
        try:
            return self._parse(revision or "HEAD")
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
        return self._made(hosted)

    def of_url(self, owner: User, url: str) -> Hosted:
        """Where what is fetched for a user from an address elsewhere is kept: out of reach of
        pushes, as no repository's name begins so. ApiError 403 where the owner has too many."""
        digest = hashlib.sha256(url.encode()).hexdigest()[:32]
        relative = f"{owner.name}/+{digest}.git"
        return self._made(Hosted(self.folder / relative, relative, url))

    def of_bundles(self, owner: User, problem_id: int) -> Hosted:
        """Where a user's bundles for a problem are kept, as in `of_url`."""
        relative = f"{owner.name}/+bundles-{problem_id}.git"
        url = f"what you sent as bundles for problem {problem_id}"
        return self._made(Hosted(self.folder / relative, relative, url))

    def _made(self, hosted: Hosted) -> Hosted:
        if hosted.folder.is_dir():
            return hosted
        home = hosted.folder.parent
        home.mkdir(parents=True, exist_ok=True)
        if len(_all(home)) >= MOST_REPOSITORIES:
            _remove_empty(home)
        if len(_all(home)) >= MOST_REPOSITORIES:
            raise ApiError(
                403,
                f"you have {MOST_REPOSITORIES} repositories, and may have no more:"
                " push to another branch of one of them",
            )
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


def _all(home: Path) -> list[Path]:
    return list(home.glob("*.git"))


def _remove_empty(home: Path) -> None:
    """What a refused push or fetch left behind: repositories without a ref, so without a
    submission."""
    for folder in _all(home):
        with suppress(OSError, GitError), locked(folder / PUSH_LOCK, 0):
            if not git("for-each-ref", "--count=1", directory=folder):
                shutil.rmtree(folder)
