"""The command line of the sandbox alone."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import humanfriendly  # type: ignore[import-untyped]

from sandbox.boxes import Runner
from sandbox.checks import Check, State, run_checks
from sandbox.command import MIB, SECOND, Command, Limits
from sandbox.errors import SandboxError

_SHOWN_BYTES = 4096
_EXAMPLE = """\
example:
  python -m sandbox run --cpu 1s --wall 3s --memory 64MiB --processes 8 --output 1MiB -- ls -l /

The exit code is 0 when a report was made, whatever the program did, and 2 when the sandbox failed.
"""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        if arguments.action == "check":
            return _check(arguments.json)
        return _run(arguments)
    except (SandboxError, OSError, ValueError) as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Run a command that nobody trusts, within limits."
    )
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser(
        "run",
        help="run one command and print a JSON report",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Limits()
    limits = run.add_argument_group("limits, of the whole process tree")
    limits.add_argument("--cpu", type=_duration, metavar="TIME", help="CPU time (default 10s)")
    limits.add_argument(
        "--wall", type=_duration, metavar="TIME", help="wall time (default 2 x CPU + 1s)"
    )
    for name, size, text in (
        ("--memory", default.memory_bytes, "memory, swap included"),
        ("--output", default.output_bytes, "stdout and stderr together"),
        ("--disk", default.disk_bytes, "sum of file lengths in the workspace"),
    ):
        limits.add_argument(
            name,
            type=_size,
            default=size,
            metavar="SIZE",
            help=f"{text} (default {size // MIB}MiB)",
        )
    limits.add_argument("--processes", type=int, default=default.processes, metavar="N")
    limits.add_argument("--files", type=int, default=default.files, metavar="N")
    run.add_argument("--core", type=int, metavar="N", help="pin to this processor")
    run.add_argument(
        "--workspace", type=Path, metavar="DIR", help="folder shown as /work (it changes owner)"
    )
    run.add_argument("--network", action="store_true", help="let the command see the network")
    run.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    run.add_argument("--stdin", type=Path, metavar="FILE")
    run.add_argument("--stdout", type=Path, metavar="FILE", help="else the report holds 4 KiB")
    run.add_argument("--stderr", type=Path, metavar="FILE", help="else the report holds 4 KiB")
    run.add_argument("command", nargs="+", metavar="-- CMD", help="the command and its arguments")
    check = actions.add_parser("check", help="check what the sandbox needs of this machine")
    check.add_argument("--json", action="store_true")
    return parser


def _duration(text: str) -> int:
    try:
        return int(humanfriendly.parse_timespan(text) * SECOND)
    except humanfriendly.InvalidTimespan as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 1.5s: {error}") from None


def _size(text: str) -> int:
    try:
        return int(humanfriendly.parse_size(text))
    except humanfriendly.InvalidSize as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 64MiB: {error}") from None


def _run(arguments: argparse.Namespace) -> int:
    cpu_ns = arguments.cpu if arguments.cpu is not None else Limits().cpu_ns
    limits = Limits(
        cpu_ns=cpu_ns,
        wall_ns=arguments.wall if arguments.wall is not None else 2 * cpu_ns + SECOND,
        memory_bytes=arguments.memory,
        processes=arguments.processes,
        output_bytes=arguments.output,
        disk_bytes=arguments.disk,
        files=arguments.files,
    )
    environment = dict(_assignment(text) for text in arguments.env)
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(arguments.stdin.open("rb")) if arguments.stdin else None
        out = stack.enter_context(_capture(arguments.stdout))
        err = stack.enter_context(_capture(arguments.stderr))
        runner = stack.enter_context(Runner(arguments.core))
        box = stack.enter_context(
            runner.open(workspace=arguments.workspace, network=arguments.network)
        )
        report = box.run(
            Command(
                tuple(arguments.command),
                limits,
                env=environment,
                stdin=source.fileno() if source else None,
                stdout=out.fileno(),
                stderr=err.fileno(),
                keep_workspace=arguments.workspace is not None,
            )
        )
        shown = report.as_dict()
        if arguments.stdout is None:
            shown["stdout"] = _start_of(out)
        if arguments.stderr is None:
            shown["stderr"] = _start_of(err)
    print(json.dumps(shown))
    return 0


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError(f"--env takes NAME=VALUE, not {text!r}")
    return name, value


def _capture(path: Path | None) -> BinaryIO:
    if path is None:
        return tempfile.TemporaryFile()
    return path.open("w+b")


def _start_of(file: BinaryIO) -> str:
    return os.pread(file.fileno(), _SHOWN_BYTES, 0).decode(errors="replace")


def _check(as_json: bool) -> int:
    checks = run_checks()
    if as_json:
        print(json.dumps([check.as_dict() for check in checks]))
    else:
        for check in checks:
            print(_line(check))
    return 2 if any(check.state is State.FAILURE for check in checks) else 0


def _line(check: Check) -> str:
    mend = f"\n         {check.mend}" if check.mend else ""
    return f"{check.state:8} {check.name}: {check.found}{mend}"
