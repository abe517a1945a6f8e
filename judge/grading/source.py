"""What was submitted, and how it is written into a box to be built there."""

from dataclasses import dataclass
from pathlib import Path

from judge.grading.errors import GradingError
from judge.grading.tree import exceeds, lay
from judge.grading.workshop import StepFailed, Workshop
from sandbox import Mount

OBJECTS = "/objects"
_CHECKOUT = """
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_DIR=/tmp/git GIT_INDEX_FILE=/tmp/index
git init --quiet --bare --template= --object-format="$2" /tmp/git
export GIT_ALTERNATE_OBJECT_DIRECTORIES=/objects
git cat-file -e "$1^{tree}"
git read-tree "$1^{tree}" || { echo "$6" >&2; exit 100; }
in_work() { git --work-tree=/work -c core.bare=false "$@"; }
in_work checkout-index --all --quiet
first() { head -n 5 | paste -sd, - | sed "s/,/, /g"; }
modules=$(in_work ls-files --stage | sed -n "s/^160000 [0-9a-f]* 0.//p" | first)
[ -z "$modules" ] || echo "$3 $modules" >&2
pointers=$(in_work grep --cached -lF "$4" -- ":(attr:filter=lfs)" | first)
[ -z "$pointers" ] || echo "$5 $pointers" >&2
"""
_TREE_REFUSED = 100
_UNREADABLE = "The tree of the commit cannot be read within the limits of a build."
_NO_SUBMODULES = (
    "Submodules are not fetched, so these folders are empty (commit their files in their place):"
)
_POINTER = "version https://git-lfs.github.com/spec/"
_NO_LFS = "Of these files there are Git LFS pointers alone (commit them without LFS):"


@dataclass(frozen=True, slots=True)
class SourceText:
    """One file. It is saved under its language's fixed name, whatever it was called."""

    language: str
    text: bytes


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """Several files in one language, under their own names: pairs of a name and a content."""

    language: str
    files: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A folder that is judged as if it were a repository; `.git` in it is left out."""

    root: Path


@dataclass(frozen=True, slots=True)
class SourceCommit:
    """A commit, by its full hash, of a repository on this machine (bare or not)."""

    git_dir: Path
    commit: str


Source = SourceText | SourceFiles | SourceTree | SourceCommit


def language_of(source: Source) -> str:
    """The id of the source's language."""
    return source.language if isinstance(source, SourceText | SourceFiles) else "git"


def mounts_for(source: Source) -> tuple[Mount, ...]:
    """What the box that builds the source must see of this machine: of a repository its objects
    and nothing else, neither configuration nor hooks."""
    if isinstance(source, SourceCommit):
        return (Mount(objects_of(source.git_dir), OBJECTS),)
    return ()


def objects_of(git_dir: Path) -> Path:
    """The folder of objects of a repository, bare or not. GradingError where there is none."""
    for folder in (git_dir / "objects", git_dir / ".git" / "objects"):
        if folder.is_dir():
            return folder
    raise GradingError("source", f"{git_dir} is not a git repository")


def write_repository(source: SourceTree | SourceCommit, shop: Workshop) -> str:
    """Write the tree into the workspace; what its author should know of it, such as that submodules
    are missing. StepFailed where it is not one that can be written."""
    match source:
        case SourceTree(root):
            most = shop.limits
            if exceeds(root, most.disk_bytes, most.files, skip={".git"}):
                raise StepFailed(
                    f"The folder holds more than {most.disk_bytes} bytes or {most.files} files."
                )
            lay(root, shop.workspace, skip={".git"})
            return ""
        case SourceCommit(_, commit):
            return _checkout(commit, shop)


def _checkout(commit: str, shop: Workshop) -> str:
    """Write the tree from objects, by git in the box: with an index and a repository of its own
    beside the tree, so no configuration, hook or filter of theirs is ever read."""
    hash_name = "sha256" if len(commit) == len("0" * 64) else "sha1"
    try:
        words = (commit, hash_name, _NO_SUBMODULES, _POINTER, _NO_LFS, _UNREADABLE)
        return shop.step("git", "sh", "-euc", _CHECKOUT, "sh", *words)
    except StepFailed as failed:
        if failed.exit_code in (None, 0, _TREE_REFUSED):
            raise  # stopped at a limit, over one at the end, or a tree with names that git refuses
        raise GradingError("source: git", failed.message) from failed
