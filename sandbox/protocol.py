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


def pack(verb: str, fields: Iterable[str] = ()) -> bytes:
    """ValueError where a text holds a NUL, which no path, argument or variable can."""
    strings = [verb, *fields]
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
    fields = [
        f"workspace={workspace}",
        f"own={own:d}",
        f"network={network:d}",
        f"tmp_bytes={tmp_bytes}",
    ]
    for mount in mounts:
        fields += [f"from={mount.source}", f"to={mount.target}", f"writable={mount.writable:d}"]
    return pack("open", fields)


def pack_run(command: Command) -> tuple[bytes, list[int]]:
    """The message and the descriptors that go with it."""
    limits = command.limits
    environment = {**BASE_ENVIRONMENT, **command.env}
    fields = [
        *[f"arg={argument}" for argument in command.argv],
        *[f"env={name}={value}" for name, value in environment.items()],
        f"cwd={command.cwd}",
        f"keep={command.keep_workspace:d}",
        f"direct={command.direct:d}",
        f"cpu_ns={limits.cpu_ns}",
        f"wall_ns={limits.wall_ns}",
        f"memory_bytes={limits.memory_bytes}",
        f"processes={limits.processes}",
        f"output_bytes={limits.output_bytes}",
        f"disk_bytes={limits.disk_bytes}",
        f"files={limits.files}",
    ]
    descriptors: list[int] = []
    given = (("stdin", command.stdin), ("stdout", command.stdout), ("stderr", command.stderr))
    for name, descriptor in given:
        if descriptor is None:
            continue
        if descriptor not in descriptors:
            descriptors.append(descriptor)
        fields.append(f"{name}={descriptors.index(descriptor)}")
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
