"""`adjudge-client`: the command line."""

import argparse
import getpass
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from client import report, source
from client.account import DEFAULT_SERVER, Account, find_account, save_account
from client.api import Client, Json
from client.errors import BadInput, ClientError, Exit, Refused
from client.repository import Pushed, Repository

WAIT_SECONDS = 20.0
PROGRESS_SECONDS = 2.0

# Verdicts that say nothing about the submission.
NOT_JUDGED = frozenset({"aborted", "void", "bad_problem", "system_error", "skipped"})

EXAMPLES = """\
examples:
  adjudge-client login --server http://judge.example:8080
  adjudge-client problems
  adjudge-client submit sum main.cpp --wait
  adjudge-client submit basic .             push this repository's commit and submit it
  adjudge-client submit basic . --commit v1.2 --wait --json
  adjudge-client status 17

exit codes:
  0  done; with --wait: accepted
  1  judged, but not accepted
  2  bad input: nothing was submitted
  3  the server refused, and said why (a cap that is reached, too)
  4  the server cannot be reached, or is at fault
  5  --timeout is over and the submission is still being judged
  6  ended without being judged: aborted, void, or a fault of the judge

environment: ADJUDGE_SERVER, ADJUDGE_TOKEN, ADJUDGE_CONFIG (default ~/.config/adjudge/client.toml)
"""

Command = Callable[[argparse.Namespace], Exit]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = _parser().parse_args(arguments)
    command: Command = args.command
    try:
        code = command(args)
        sys.stdout.flush()
    except ClientError as error:
        print(f"adjudge-client: {report.plain(error)}", file=sys.stderr)
        if args.json:
            status = error.status if isinstance(error, Refused) else 0
            _print_json({"error": error.exit_code.name.lower(), "status": status,
                         "message": str(error)})  # fmt: skip
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not trip over it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    else:
        return code


def login(args: argparse.Namespace) -> Exit:
    token = args.token
    if not token:
        token = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    if not token:
        raise BadInput("no token was given")
    account = Account((args.server or DEFAULT_SERVER).rstrip("/"), token)
    with Client(account) as client:
        profile = client.profile()
    path = save_account(account)
    _show(args, profile, f"signed in to {account.server} as {profile['username']} ({path})")
    return Exit.OK


def problems(args: argparse.Namespace) -> Exit:
    with _client(args) as client:
        found = list(client.problems())
    _show(args, {"problems": found}, report.problems(found))
    return Exit.OK


def quota(args: argparse.Namespace) -> Exit:
    with _client(args) as client:
        if args.problem is None:
            found = list(client.problems())
        else:
            found = [client.problem(_problem_id(client, args.problem))]
    left = [
        {"problem": problem["id"], "title": problem["title"], "quota": problem.get("quota")}
        for problem in found
    ]
    _show(args, {"quotas": left}, report.problems(found))
    return Exit.OK


def push(args: argparse.Namespace) -> Exit:
    repository = Repository(Path(args.path))
    with _client(args) as client:
        pushed = _push(args, client, repository)
    fields = {"url": pushed.url, "commit": pushed.commit, "branch": pushed.branch}
    _show(args, fields, f"pushed {pushed.commit} to {pushed.url}")
    return Exit.OK


def submit(args: argparse.Namespace) -> Exit:
    what = source.find(args.source, args.language)
    with _client(args) as client:
        problem_id = _problem_id(client, args.problem)
        if isinstance(what, Repository) and args.bundle:
            commit = _commit(args, what)
            number = client.submit(problem_id, "git", what.bundle(commit), commit)
        elif isinstance(what, Repository):
            pushed = _push(args, client, what)
            number = client.submit(problem_id, "git", pushed.url, pushed.commit)
        elif args.commit and what.language != "git":
            raise BadInput("--commit is for repositories, not for a source file")
        else:
            number = client.submit(problem_id, what.language, what.code, args.commit)
        if args.wait:
            _note(f"submission {number}: submitted")
            return _wait(args, client, number)
        found = client.submission(number)
    _show(args, found, f"submission {number}: submitted (adjudge-client wait {number})")
    return Exit.OK


def status(args: argparse.Namespace) -> Exit:
    with _client(args) as client:
        found = client.submission(args.submission)
    _show(args, found, report.submission(found))
    return Exit.OK


def wait(args: argparse.Namespace) -> Exit:
    with _client(args) as client:
        return _wait(args, client, args.submission)


def abort(args: argparse.Namespace) -> Exit:
    with _client(args) as client:
        client.abort(args.submission)
        found = client.submission(args.submission)
    _show(args, found, f"submission {args.submission}: {found['status']}")
    return Exit.OK


def _push(args: argparse.Namespace, client: Client, repository: Repository) -> Pushed:
    commit = _commit(args, repository)
    name = args.repo or repository.default_name
    user = str(client.profile()["username"])
    heard = _git_progress if sys.stderr.isatty() else None
    return repository.push(client.account, user, name, commit, heard)


def _commit(args: argparse.Namespace, repository: Repository) -> str:
    """The commit that is meant; what is not committed is named."""
    if changed := repository.uncommitted():
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        _note(f"warning: not committed, so not part of it: {', '.join(changed[:3])}{more}")
    return repository.commit(args.commit) if args.commit else repository.head


def _wait(args: argparse.Namespace, client: Client, number: int) -> Exit:
    """Follow a submission to its end, or to --timeout, and show it."""
    deadline = time.monotonic() + args.timeout if args.timeout is not None else None
    step = PROGRESS_SECONDS if sys.stderr.isatty() else WAIT_SECONDS
    shown = ""
    while True:
        asked = time.monotonic()
        left = step if deadline is None else min(step, max(deadline - asked, 0))
        found = client.submission(number, wait_seconds=left)
        if not found["should_auto_reload"]:
            break
        if (line := report.progress(found)) != shown:
            _note(line)
            shown = line
        if deadline is not None and time.monotonic() >= deadline:
            _show(args, found, report.submission(found))
            return Exit.STILL_JUDGING
        # A judge that does not know ?wait answers at once: it is asked once a second.
        time.sleep(max(0.0, min(1.0, left) - (time.monotonic() - asked)))
    _show(args, found, report.submission(found))
    if found["status"] in NOT_JUDGED:
        return Exit.NOT_JUDGED
    return Exit.OK if found["status"] == "accepted" else Exit.NOT_ACCEPTED


def _problem_id(client: Client, named: str) -> int:
    """A problem's id from its id or its name."""
    if named.isdecimal():
        return int(named)
    for problem in client.problems():
        if problem.get("slug") == named:
            return int(problem["id"])
    raise BadInput(f"there is no problem {named!r} (see adjudge-client problems)")


def _client(args: argparse.Namespace) -> Client:
    return Client(find_account(args.server, args.token))


def _show(args: argparse.Namespace, fields: Json, text: str) -> None:
    if args.json:
        _print_json(fields)
    else:
        print(report.plain(text))


def _print_json(fields: Json) -> None:
    print(json.dumps(fields, indent=2, sort_keys=True))


def _note(line: str) -> None:
    print(report.plain(line), file=sys.stderr)


def _git_progress(line: str) -> None:
    print(f"  {report.plain(line.strip())}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="adjudge-client",
        description="Submit to an Adjudge judge and follow the verdict.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version("adjudge"))
    # The common flags may stand before the command and after it: the second parser must not
    # overwrite with its defaults what the first one found.
    _add_common(parser, default=None)
    common = argparse.ArgumentParser(add_help=False)
    _add_common(common, default=argparse.SUPPRESS)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(command: Command, text: str, *arguments: tuple[str, str]) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            command.__name__, help=text, description=text.capitalize() + ".", parents=[common]
        )
        sub.set_defaults(command=command)
        for name, meaning in arguments:
            sub.add_argument(name, help=meaning)
        return sub

    add(login, "check a token and keep it in the configuration file, readable by you alone")
    add(problems, "list the problems and the submissions that are left")
    sub = add(quota, "show the submissions that are left")
    sub.add_argument("problem", nargs="?", help="id or name of a problem (default: all)")

    sub = add(push, "push a repository to the judge")
    sub.add_argument("path", nargs="?", default=".", help="a folder of the repository (default .)")
    _add_repository(sub)

    sub = add(
        submit,
        "submit a repository, a source file or a URL",
        ("problem", "id or name of the problem"),
    )
    sub.add_argument("source", nargs="?", default=".",
                     help="folder of a repository (default .), source file, URL, or - for "
                          "standard input")  # fmt: skip
    sub.add_argument("--language", "-l", help="such as cpp, python or git (default: told by name)")
    sub.add_argument("--wait", "-w", action="store_true", help="wait for the verdict")
    sub.add_argument("--bundle", action="store_true",
                     help="send the repository with the request, not by a push")  # fmt: skip
    _add_timeout(sub)
    _add_repository(sub)

    for command, text in (
        (status, "show a submission"),
        (wait, "wait for a submission's verdict and show it"),
        (abort, "abort a submission that is still being judged"),
    ):
        sub = add(command, text)
        sub.add_argument("submission", type=int, help="the submission's number")
        if command is wait:
            _add_timeout(sub)
    return parser


def _add_common(parser: argparse.ArgumentParser, default: str | None) -> None:
    json_default = False if default is None else default
    parser.add_argument("--server", default=default, help=f"such as {DEFAULT_SERVER}")
    parser.add_argument("--token", default=default,
                        help="better in ADJUDGE_TOKEN: others on this machine can read "
                             "arguments")  # fmt: skip
    parser.add_argument("--json", action="store_true", default=json_default,
                        help="print one JSON object to standard output")  # fmt: skip


def _add_repository(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--commit", help="commit, branch or tag to submit (default: HEAD)")
    parser.add_argument("--repo", help="name on the judge (default: the folder's name)")


def _add_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, help="seconds to wait at most (exit code 5)")


if __name__ == "__main__":
    sys.exit(main())
