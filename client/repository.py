"""The agent's own git repository: what stands in it, and how it gets to the judge."""

import os
import re
import tempfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import git

from client.account import Account
from client.errors import BadInput, Refused, Unreachable

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

# What git says when it found nobody to talk to, rather than somebody who refused.
NO_ANSWER = ("unable to access", "could not read from remote", "unable to look up")


@dataclass(frozen=True, slots=True)
class Pushed:
    """Where a commit lies on the judge. The URL holds no secret."""

    url: str
    commit: str
    branch: str


class Repository:
    """A git repository on this machine, found from any folder inside it."""

    def __init__(self, path: Path) -> None:
        """BadInput where `path` is in no repository, or the repository has no commit."""
        try:
            self._repo = git.Repo(path, search_parent_directories=True)
        except git.NoSuchPathError:
            raise BadInput(f"{path} does not exist") from None
        except git.InvalidGitRepositoryError:
            raise BadInput(
                f"{path} is not in a git repository: "
                "run git init, git add -A and git commit there, or name a source file"
            ) from None
        self.root = Path(self._repo.working_tree_dir or self._repo.git_dir)
        self.head = self._commit("HEAD", f"{self.root} has no commit yet: git add -A; git commit")

    @property
    def branch(self) -> str:
        """The branch that is checked out; `main` where HEAD is detached."""
        return "main" if self._repo.head.is_detached else self._repo.active_branch.name

    @property
    def default_name(self) -> str:
        """A repository name that the judge takes, from the folder's name."""
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", self.root.resolve().name).strip(".-_")
        return name.removesuffix(".git") or "repository"

    def uncommitted(self) -> list[str]:
        """Paths that differ from the commit, files that git does not know included."""
        if self._repo.bare:
            return []
        lines = self._repo.git.status("--porcelain", "-z").split("\0")
        return [line[3:] for line in lines if len(line) > 3]

    def commit(self, revision: str) -> str:
        """The full name of a commit, branch or tag of this repository."""
        return self._commit(revision, f"{self.root} has no commit {revision!r}")

    def push(
        self,
        account: Account,
        user: str,
        name: str,
        commit: str | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Pushed:
        """Push the branch that is checked out, and `commit` too where the branch lacks it.

        `progress` is handed git's own lines as they come. Raises Refused with the judge's reason,
        or Unreachable.
        """
        if not NAME.fullmatch(name) or name.endswith((".git", ".lock")):
            raise BadInput(f"{name!r} is no repository name: use letters, digits, . _ - (--repo)")
        url = f"{account.server}/git/{quote(user)}/{name}.git"
        commit = commit or self.head
        refs = [f"+{self.head}:refs/heads/{self.branch}"]
        if not self._is_in_head(commit):
            refs.append(f"+{commit}:refs/heads/commit-{commit[:12]}")
        lines: list[str] = []

        def heard(line: str) -> None:
            lines.append(line)
            if progress is not None:
                progress(line)

        options = ["--no-verify", "--recurse-submodules=no", "--no-follow-tags", "--no-signed"]
        if progress is not None:
            options.append("--progress")
        process = self._repo.git.push(
            *options, "--", url, *refs, as_process=True, env=_environment(account)
        )
        git.cmd.handle_process_output(process, None, heard, decode_streams=True)
        try:
            process.wait()
        except git.GitCommandError as error:
            raise _failure(account, lines) from error
        return Pushed(url, commit, self.branch)

    def bundle(self, commit: str) -> bytes:
        """The commit with its history, as one file (git-bundle(1)). BadInput where git refuses."""
        refs = ["HEAD"] if self._is_in_head(commit) else ["--all"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bundle"
            try:
                self._repo.git.bundle("create", "--quiet", str(path), *refs)
            except git.GitCommandError as error:
                raise BadInput(f"git bundle failed: {error.stderr.strip()}") from error
            return path.read_bytes()

    def _commit(self, revision: str, complaint: str) -> str:
        try:
            return str(
                self._repo.git.rev_parse(
                    "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
                )
            )
        except git.GitCommandError:
            raise BadInput(complaint) from None

    def _is_in_head(self, commit: str) -> bool:
        return self._repo.is_ancestor(commit, self.head)  # type: ignore[arg-type]


def _environment(account: Account) -> dict[str, str]:
    """Settings for one git command. The token is in no argument, no file and no URL, and neither a
    prompt nor a credential helper gets to ask for it or to keep it."""
    user_and_token = b64encode(f"token:{account.token}".encode()).decode()
    settings = {
        "http.extraHeader": f"Authorization: Basic {user_and_token}",
        "http.followRedirects": "false",
        "credential.helper": "",
    }
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    environment = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings.items(), start=first):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    return environment | {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "LC_ALL": "C"}


def _failure(account: Account, lines: list[str]) -> Refused | Unreachable:
    """The reason within what git printed: the judge's own words first, else git's."""
    spoken = [line.strip().removeprefix("remote:").strip() for line in lines]
    remote = [
        text
        for line, text in zip(lines, spoken, strict=True)
        if line.startswith("remote:") and text and not text.endswith("%")
    ]
    complaints = [line for line in spoken if line.startswith(("fatal:", "error:", "! ["))]
    if remote:
        return Refused(0, " ".join(remote))
    reason = complaints[0] if complaints else "git push failed"
    if any(words in reason.lower() for words in NO_ANSWER) and "error: 4" not in reason:
        return Unreachable(account.server, reason.removeprefix("fatal: "))
    return Refused(0, reason)
