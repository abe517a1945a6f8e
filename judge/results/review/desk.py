"""A repository on the desk: its committed tree in a box, and the way to ask tools about it.

Everything that runs on the repository runs in the box, without a network; git works with a
repository of its own beside the tree, so no configuration, hook or filter of theirs is ever read.
"""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.grading import Cancel, GradingError, Slot, SourceCommit, SourceTree
from judge.grading.source import mounts_for, write_repository
from judge.grading.tree import folder
from judge.grading.workshop import StepFailed, Workshop
from judge.model import Limits
from judge.results.errors import ResultsError

LIMITS = Limits(
    cpu_ns=120 * 10**9,
    wall_ns=300 * 10**9,
    memory_bytes=2 << 30,
    processes=128,
    output_bytes=64 << 20,
    disk_bytes=2 << 30,
    files=500_000,
)
ANSWER_BYTES = 64 << 20
FILE_BYTES = 8 << 20

_OURS = ".adjudge-review"
_SET_UP = f"""
rm -rf {_OURS}
mkdir {_OURS}
"""
_ASK = f"""
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_DIR=/work/{_OURS}/git GIT_WORK_TREE=/work GIT_OPTIONAL_LOCKS=0
[ ! -d /objects ] || export GIT_ALTERNATE_OBJECT_DIRECTORIES=/objects
code=0
"$@" > {_OURS}/out 2> {_OURS}/err < {_OURS}/in || code=$?
echo "$code" > {_OURS}/code
"""


class ReviewFailed(ResultsError):
    """The repository cannot be reviewed; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said in the box."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The repository in an open box. `files` are its committed files, sorted; `commits` counts the
    full history, and is None for a folder without one."""

    shop: Workshop
    files: tuple[str, ...]
    commits: int | None

    def ask(self, *argv: str, given: bytes = b"") -> Answer:
        """Run a tool in the root of the tree. ReviewFailed where it passes the limits."""
        return _ask(self.shop, *argv, given=given)

    def read(self, path: str) -> bytes | None:
        """A file of the tree, at most FILE_BYTES of it; None where it is no regular file."""
        return _read(self.shop.workspace, path, FILE_BYTES)

    def matching(self, patterns: Sequence[str]) -> list[str]:
        """The committed files that match patterns as in `.gitignore`, asked of git."""
        if not patterns:
            return list(self.files)
        _write(self.shop.workspace, f"{_OURS}/patterns", "\n".join(patterns).encode() + b"\n")
        answer = self.ask(
            *("git", "ls-files", "-z", "--cached", "--ignored"),
            f"--exclude-from=/work/{_OURS}/patterns",
        )
        return split_z(answer.out)


@contextmanager
def open_desk(
    source: SourceCommit | SourceTree, slot: Slot, cancel: Cancel | None = None
) -> Iterator[Desk]:
    """Lays the repository on the desk. ReviewFailed where it cannot be; GradingError where the
    sandbox fails."""
    with slot.box(mounts_for(source)) as box:
        shop = Workshop(box, LIMITS, cancel or Cancel())
        try:
            write_repository(source, shop)
        except StepFailed as failed:
            raise ReviewFailed(f"the tree cannot be written: {failed.message}") from failed
        shop.step("set up", "sh", "-euc", _SET_UP)
        yield Desk(shop, _index(shop, source), _count_commits(shop, source))


def _index(shop: Workshop, source: SourceCommit | SourceTree) -> tuple[str, ...]:
    """Gives git an index of what is committed; the files in it."""
    if isinstance(source, SourceCommit):
        kind = "sha256" if len(source.commit) == len("0" * 64) else "sha1"
        _git(shop, "init", "--quiet", "--template=", f"--object-format={kind}")
        _git(shop, "read-tree", f"{source.commit}^{{tree}}")
    else:
        _git(shop, "init", "--quiet", "--template=")
        _git(shop, "add", "--all", "--force", "--", ".", f":(exclude){_OURS}")
    listed = _git(shop, "ls-files", "-z", "--cached")
    return tuple(sorted(split_z(listed)))


def _count_commits(shop: Workshop, source: SourceCommit | SourceTree) -> int | None:
    if not isinstance(source, SourceCommit):
        return None
    answer = _ask(shop, "git", "rev-list", "--count", source.commit)
    if answer.code != 0:
        raise ReviewFailed(
            "the history is not complete, so its commits cannot be counted; fetch it in full "
            "(not shallow)"
        )
    return int(answer.out)


def _git(shop: Workshop, *words: str) -> bytes:
    answer = _ask(shop, "git", *words)
    if answer.code != 0:
        raise ReviewFailed(f"git {words[0]}: {answer.err.strip()}")
    return answer.out


def _ask(shop: Workshop, *argv: str, given: bytes = b"") -> Answer:
    _write(shop.workspace, f"{_OURS}/in", given)
    try:
        shop.step(argv[0], "sh", "-uc", _ASK, "sh", *argv)
    except StepFailed as failed:
        raise ReviewFailed(f"{argv[0]}: {failed.message}") from failed
    out, err, code = (
        _read(shop.workspace, f"{_OURS}/{name}", ANSWER_BYTES) for name in ("out", "err", "code")
    )
    if out is None or err is None or code is None:
        raise GradingError("review", f"{argv[0]} left no answer")
    return Answer(int(code), out, err.decode("utf-8", "replace"))


def _read(workspace: Path, path: str, limit: int) -> bytes | None:
    """Follows no link on the way."""
    *parents, name = path.split("/")
    try:
        with _descend(workspace, parents) as parent:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            with os.fdopen(os.open(name, flags, dir_fd=parent), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None
                return file.read(limit)
    except OSError:
        return None


def _write(workspace: Path, path: str, content: bytes) -> None:
    *parents, name = path.split("/")
    with _descend(workspace, parents) as parent:
        try:
            os.unlink(name, dir_fd=parent)
        except FileNotFoundError:
            pass
        except IsADirectoryError:
            shutil.rmtree(name, dir_fd=parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o644, dir_fd=parent), "wb") as file:
            file.write(content)
            os.fchown(file.fileno(), os.fstat(parent).st_uid, -1)


@contextmanager
def _descend(workspace: Path, parents: Sequence[str]) -> Iterator[int]:
    with folder(workspace) as root:
        current = os.dup(root)
        try:
            for part in parents:
                flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
                below = os.open(part, flags, dir_fd=current)
                os.close(current)
                current = below
            yield current
        finally:
            os.close(current)


def split_z(listed: bytes) -> list[str]:
    """Names that end with NUL; bytes that are no text are kept as lone surrogates."""
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]
