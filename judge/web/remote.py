"""Repositories elsewhere: where they may be, and how one commit of them is fetched.

The host's name is resolved once, every address of it is judged, and git is then held to these very
addresses (http.curloptResolve): a name that changes its mind in between changes nothing. No
redirects, no credentials but those of the URL, no submodules, no LFS, no filters; what is fetched
is checked as a push is.
"""

import ipaddress
import re
import socket
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from judge.model.limits import MIB
from judge.store.settings import Fetch
from judge.web.errors import ApiError
from judge.web.gitcommand import GitError, git
from judge.web.repositories import Hosted

SECONDS = 60.0
PORTS = {"https": 443, "http": 80}
INCOMING = "refs/adjudge/incoming"

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,252})|[0-9A-Fa-f:.]+")
_PATH = re.compile(r"/[!-~]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")

# IPv6 ranges that carry an IPv4 address to wherever it points (RFC 6052, 8215, 3056, 4380, 4291).
_TRANSLATED = [
    ipaddress.ip_network(network)
    for network in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
]

# What git and curl say when the other side was not there, or did not answer.
_AWAY = (
    "could not resolve",
    "failed to connect",
    "connection reset",
    "connection refused",
    "connection was reset",
    "couldn't connect",
    "empty reply",
    "hung up",
    "not done after",
    "operation too slow",
    "returned error: 5",
    "ssl",
    "timed out",
    "tls",
    "unexpected disconnect",
)


@dataclass(frozen=True, slots=True)
class Remote:
    """An address that was found fit. `url` holds no secrets, and no port that goes without it."""

    url: str
    host: str
    port: int
    addresses: tuple[str, ...]
    authorization: str = field(default="", repr=False)


def locate(url: str, policy: Fetch) -> Remote:
    """Judge a URL and resolve its host, without a packet to it. ApiError 400 where it must not be
    fetched, 502 where its name cannot be resolved now."""
    parts = _parts(url)
    if policy is Fetch.NO:
        raise ApiError(400, "this judge takes repositories that are pushed to it: git push <url>")
    schemes = ("https", "http") if policy is Fetch.ANY else ("https",)
    if parts.scheme not in schemes:
        raise ApiError(400, f"a repository elsewhere is named by an {schemes[0]} URL")
    host = (parts.hostname or "").rstrip(".")
    if not _HOST.fullmatch(host) or not _PATH.fullmatch(parts.path) or parts.query:
        raise ApiError(400, "that is no URL of a repository")
    port = parts.port or PORTS[parts.scheme]
    addresses = _resolve(host, port)
    if policy is not Fetch.ANY and not all(_is_public(address) for address in addresses):
        raise ApiError(400, f"{host} is at a private address, which this judge does not visit")
    bracketed = f"[{host}]" if ":" in host else host
    netloc = bracketed if port == PORTS[parts.scheme] else f"{bracketed}:{port}"
    return Remote(
        f"{parts.scheme}://{netloc}{parts.path}", host, port, addresses, _authorization(parts)
    )


def fetch(remote: Remote, hosted: Hosted, revision: str, limit_bytes: int) -> str:
    """Bring one commit into `hosted`, and keep it there. Its full name is returned.

    `revision` is a branch, a tag or a whole commit name; empty for the default branch. ApiError 400
    where the other side refuses or the commit is too large, 502 where it does not answer: nothing
    is counted then.
    """
    with hosted.alone(SECONDS):
        room_bytes = hosted.room_bytes(limit_bytes)
        try:
            git(
                *("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"),
                *("--no-write-fetch-head", "--no-auto-gc", "--refmap=", "--"),
                *(remote.url, f"+{revision or 'HEAD'}:{INCOMING}"),
                directory=hosted.folder,
                seconds=SECONDS,
                settings=_settings(remote),
                file_bytes=room_bytes,
            )
        except GitError as error:
            if hosted.drop_partial_packs() >= room_bytes:
                message = f"{remote.url} takes more than {room_bytes / MIB:.1f} MiB"
                raise ApiError(400, message) from error
            raise _refusal(remote, revision, error) from error
        return hosted.pin_ref(INCOMING)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ApiError(400, "that is no URL of a repository") from None
    return parts


def _resolve(host: str, port: int) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ApiError(502, f"the name {host} cannot be resolved: nothing was submitted") from None
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def _is_public(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # with a zone: local to a link
        return False
    if address.version == 6 and any(address in network for network in _TRANSLATED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _authorization(parts: SplitResult) -> str:
    if parts.username is None and parts.password is None:
        return ""
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return "Basic " + b64encode(pair.encode()).decode()


def _settings(remote: Remote) -> dict[str, str]:
    scheme = remote.url.partition(":")[0]
    settings = {
        f"protocol.{scheme}.allow": "always",
        "http.followRedirects": "false",
        "http.lowSpeedLimit": "1000",
        "http.lowSpeedTime": "20",
        "http.proxy": "",
        "credential.helper": "",
        "fetch.fsckObjects": "true",
        "fetch.unpackLimit": "1",  # one pack, whose size is bounded
        "fetch.uriProtocols": "",
        "transfer.bundleURI": "false",
    }
    if ":" not in remote.host:  # an IPv6 address is no name to be resolved
        addresses = ",".join(f"[{one}]" if ":" in one else one for one in remote.addresses)
        settings["http.curloptResolve"] = f"{remote.host}:{remote.port}:{addresses}"
    if remote.authorization:
        settings["http.extraHeader"] = f"Authorization: {remote.authorization}"
    return settings


def _refusal(remote: Remote, revision: str, error: GitError) -> ApiError:
    said = error.stderr.lower().replace(remote.url.lower(), "")
    if "certificate" in said:
        return ApiError(400, f"the certificate of {remote.host} is not valid")
    if any(words in said for words in _AWAY):
        return ApiError(502, f"{remote.url} did not answer: nothing was submitted, try again")
    if "redirect" in said or "returned error: 3" in said:
        return ApiError(400, f"{remote.url} redirects elsewhere: name the address it leads to")
    if "couldn't find remote ref" in said and not revision:
        return ApiError(400, f"{remote.url} has no default branch, or is empty: name a commit")
    if "couldn't find remote ref" in said or "not our ref" in said:
        return ApiError(400, f"{remote.url} has no {revision}: name a branch, a tag or a commit")
    if _COMMIT.fullmatch(revision) and "upload-pack" in said:
        return ApiError(400, f"{remote.url} does not give out {revision}: name a branch or a tag")
    if "fsck error" in said or "bad object" in said or "error in object" in said:
        return ApiError(400, f"{remote.url} holds objects that are a trap (git fsck)")
    return ApiError(400, f"{remote.url} cannot be read: is it there, and public?")
