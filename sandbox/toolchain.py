"""The part of the host that every box shows, read-only: compilers, interpreters, libraries."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sandbox.command import Mount

_TOOLCHAIN = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/java-*",
)
_NETWORK = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/ssl",
    "/etc/ca-certificates",
    "/etc/pki",
)


def _existing(patterns: tuple[str, ...]) -> tuple[Mount, ...]:
    root = Path("/")
    found = (path for pattern in patterns for path in sorted(root.glob(pattern.lstrip("/"))))
    return tuple(Mount(path, str(path)) for path in found if path.exists())


@cache
def toolchain_mounts() -> tuple[Mount, ...]:
    """The host's toolchain, always part of a box's root."""
    return _existing(_TOOLCHAIN)


@cache
def network_mounts() -> tuple[Mount, ...]:
    """What name resolution and TLS need beside it, in a box with a network."""
    return _existing(_NETWORK)
