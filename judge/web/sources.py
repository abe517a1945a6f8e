"""From what was submitted as a repository to one commit that is kept on this judge."""

import re
from urllib.parse import urlsplit

from flask import request

from judge.store import User
from judge.store.submissions import Commit
from judge.web import bundles, remote
from judge.web.errors import ApiError
from judge.web.repositories import Hosted
from judge.web.services import services

_PRINTABLE = re.compile(r"[!-~]{1,2000}")
_HOSTED = re.compile(r"/git/([^/]+)/([^/]+?)(?:\.git)?/?")


def commit_of(url: str, revision: str, user: User, sees_all: bool) -> Commit:
    """The commit of a repository on this judge, or one that is fetched from elsewhere now.

    ApiError 400 with the reason where there is none, 502 where elsewhere does not answer.
    """
    here = _here(url, user, sees_all)
    if here is not None:
        return Commit(here.name, here.pin(revision), here.url)
    repositories = services().repositories
    found = remote.locate(url, services().settings.fetch)
    kept = repositories.of_url(user, found.url)
    commit = remote.fetch(found, kept, revision, repositories.quota_bytes)
    return Commit(kept.name, commit, found.url)


def commit_of_bundle(code: bytes, revision: str, user: User, problem_id: int) -> Commit:
    """The commit of a git bundle that came as the code. ApiError 400 where there is none."""
    repositories = services().repositories
    kept = repositories.of_bundles(user, problem_id)
    commit = bundles.take(bundles.parse(code), kept, revision, repositories.quota_bytes)
    return Commit(kept.name, commit, "a git bundle")


def _here(url: str, user: User, sees_all: bool) -> Hosted | None:
    """The repository on this judge that a URL names, under whatever name and port the judge is
    reached by; None where it is elsewhere. ApiError 400 where it is neither."""
    try:
        # urlsplit forgives what browsers forgive, line breaks in the middle among it.
        parts = urlsplit(url) if _PRINTABLE.fullmatch(url) else None
    except ValueError:
        parts = None
    if parts is None or parts.scheme not in {"http", "https", ""} or parts.query:
        raise _no_repository_url(user)
    named = _HOSTED.fullmatch(parts.path)
    is_ours = not parts.netloc or parts.netloc.rpartition("@")[2] == request.host
    if named is not None:
        owner, name = named.groups()
        hosted = services().repositories.get(owner, name, url=f"/git/{owner}/{name}.git")
        if hosted is not None and (owner == user.name or sees_all):
            return hosted
        if is_ours:
            raise ApiError(
                400,
                f"you have no repository /git/{owner}/{name}.git on this judge: push it first"
                f" to /git/{user.name}/{name}.git",
            )
    if is_ours:
        raise _no_repository_url(user)
    return None


def _no_repository_url(user: User) -> ApiError:
    return ApiError(
        400,
        "code must be the URL of a repository: push it to this judge"
        f" (git push http://<this judge>/git/{user.name}/<repository>.git), or name an https URL",
    )
