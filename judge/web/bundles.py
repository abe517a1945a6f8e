"""A repository that comes with the request: a git bundle (gitformat-bundle(5)) as the code."""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from judge.web.errors import ApiError
from judge.web.gitcommand import GitError, git
from judge.web.repositories import Hosted

SECONDS = 60.0

_SIGNATURE = re.compile(rb"# v[23] git bundle\n")
_REF = re.compile(rb"([0-9a-f]{40}) ([!-~]{1,1000})")


@dataclass(frozen=True, slots=True)
class Bundle:
    """The refs that a bundle names, and its pack."""

    refs: Mapping[str, str]
    pack: bytes

    def find(self, revision: str) -> str:
        """The commit or tag that `revision` names in the bundle; empty for HEAD or the only one.

        ApiError 400 where that is not to be told.
        """
        if not revision:
            if "HEAD" in self.refs:
                return self.refs["HEAD"]
            if len(set(self.refs.values())) == 1:
                return next(iter(self.refs.values()))
            raise ApiError(400, "the bundle has no HEAD: name one of its branches as commit")
        for name in (revision, f"refs/heads/{revision}", f"refs/tags/{revision}"):
            if name in self.refs:
                return self.refs[name]
        return revision


def is_bundle(code: bytes) -> bool:
    """Whether what was submitted looks like one."""
    return _SIGNATURE.match(code) is not None


def parse(code: bytes) -> Bundle:
    """ApiError 400 where it is not whole, or needs commits that are not in it."""
    header, found, pack = code.partition(b"\n\n")
    refs: dict[str, str] = {}
    for line in header.split(b"\n")[1:]:
        if line.startswith(b"@"):
            if line != b"@object-format=sha1":
                raise ApiError(400, "the bundle needs what this judge does not know")
        elif line.startswith(b"-"):
            raise ApiError(400, "the bundle lacks history: git bundle create FILE HEAD")
        elif match := _REF.fullmatch(line):
            refs[match[2].decode()] = match[1].decode()
        else:
            raise ApiError(400, "that is no whole git bundle")
    if not found or not refs or not pack.startswith(b"PACK"):
        raise ApiError(400, "that is no whole git bundle")
    return Bundle(refs, pack)


def take(bundle: Bundle, hosted: Hosted, revision: str, limit_bytes: int) -> str:
    """Put the bundle's objects into `hosted`, checked as a push is, and keep the commit that
    `revision` names. Its full name is returned. ApiError 400 where there is none."""
    wanted = bundle.find(revision)
    with hosted.alone(SECONDS), tempfile.TemporaryFile() as pack:
        room_bytes = hosted.room_bytes(limit_bytes)
        pack.write(bundle.pack)
        pack.seek(0)
        try:
            git(
                *("index-pack", "--stdin", "--strict", f"--max-input-size={room_bytes}"),
                directory=hosted.folder,
                seconds=SECONDS,
                source=pack,
            )
        except GitError as error:
            hosted.drop_partial_packs()
            raise ApiError(400, "the bundle's objects are damaged, or a trap (git fsck)") from error
        try:
            return hosted.pin(wanted)
        except ApiError as error:
            raise ApiError(400, f"there is no commit {wanted} in the bundle") from error
