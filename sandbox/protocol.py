"""Messages between Python and the runner: a verb, then `key=value` strings, each ended by NUL.

The other side is `runner/request.c`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from sandbox.command import BASE_ENVIRONMENT, Command, Mount
from sandbox.errors import ExecError, SandboxError
from sandbox.report import Report, Stop

MESSAGE_BYTES = 256 * 1024  # as in runner.h


def pack(verb: str, fields: Iterable[tuple[str, object]]) -> bytes:
    """ValueError where a text holds a NUL, which no path, argument or variable can."""
    strings = [verb, *(f"{key}={value}" for key, value in fields)]
    message = "\0".join(strings) + "\0"
    if message.count("\0") != len(strings):
        raise ValueError("NUL in a path, an argument or a variable of a command")
    data = os.fsencode(message)
    if len(data) > MESSAGE_BYTES:
        raise ValueError(f"a command of {len(data)} bytes is longer than {MESSAGE_BYTES}")
    return data


def pack_open(
    workspace: str, own: bool, mounts: Sequence[Mount], network: bool, tmp_bytes: int
) -> bytes:
    fields: list[tuple[str, object]] = [
        ("workspace", workspace),
        ("own", int(own)),
        ("network", int(network)),
        ("tmp_bytes", tmp_bytes),
    ]
    for mount in mounts:
        fields += [
            ("from", mount.source),
            ("to", mount.target),
            ("writable", int(mount.writable)),
        ]
    return pack("open", fields)


def pack_run(command: Command) -> tuple[bytes, list[int]]:
    """The message and the descriptors that go with it."""
    limits = command.limits
    fields: list[tuple[str, object]] = [("arg", argument) for argument in command.argv]
    environment = {**BASE_ENVIRONMENT, **command.env}
    fields += [("env", f"{name}={value}") for name, value in environment.items()]
    fields += [
        ("cwd", command.cwd),
        ("keep", int(command.keep_workspace)),
        ("direct", int(command.direct)),
        ("cpu_ns", limits.cpu_ns),
        ("wall_ns", limits.wall_ns),
        ("memory_bytes", limits.memory_bytes),
        ("processes", limits.processes),
        ("output_bytes", limits.output_bytes),
        ("disk_bytes", limits.disk_bytes),
        ("files", limits.files),
    ]
    descriptors: list[int] = []
    for name in ("stdin", "stdout", "stderr"):
        descriptor = getattr(command, name)
        if descriptor is None:
            continue
        if descriptor not in descriptors:
            descriptors.append(descriptor)
        fields.append((name, descriptors.index(descriptor)))
    return pack("run", fields), descriptors


def unpack(data: bytes) -> tuple[str, dict[str, str]]:
    """The verb and the fields of an answer.

    Raises the fault where the answer is one: ExecError where the program could not be executed,
    SandboxError for all else.
    """
    verb, *strings = os.fsdecode(data).removesuffix("\0").split("\0")
    fields = dict(string.split("=", 1) for string in strings)
    if verb == "fault":
        kind = ExecError if fields["step"] == "exec" else SandboxError
        raise kind(fields["step"], int(fields["errno"]))
    return verb, fields


def report_of(fields: dict[str, str]) -> Report:
    status = os.waitstatus_to_exitcode(int(fields["status"]))
    stop = Stop(fields["stop"]) if fields["stop"] else None
    return Report(
        exit_code=status if status >= 0 else None,
        signal=-status if status < 0 else None,
        stop=stop,
        cpu_ns=int(fields["cpu_ns"]),
        wall_ns=int(fields["wall_ns"]),
        memory_bytes=int(fields["memory_bytes"]),
        memory_exceeded=fields["memory_exceeded"] == "1",
        oom_kills=int(fields["oom_kills"]),
        output_bytes=int(fields["output_bytes"]),
        disk_bytes=int(fields["disk_bytes"]),
        files=int(fields["files"]),
        disk_exceeded=fields["disk_exceeded"] == "1",
        ended_ns=int(fields["ended_ns"]),
    )
