"""The list of commands, each loaded when it is called for."""

import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: the module whose object `command` it is, and what it does."""

    module: str
    summary: str


COMMANDS = {
    "backup": Entry("judge.cli.backup", "Write all that the judge keeps into one file."),
    "benchmark": Entry("judge.cli.benchmark", "Import and show benchmarks."),
    "doctor": Entry("judge.cli.doctor", "Check what the judge needs of this machine."),
    "events": Entry("judge.cli.events", "List who did what to which record."),
    "export": Entry("judge.cli.export", "Write submissions, tests, events ... as files."),
    "import-logs": Entry("judge.cli.import_logs", "Read who submitted what from a run's logs."),
    "judge": Entry("judge.cli.judge", "Judge a file, a folder or a repository, without a server."),
    "problem": Entry("judge.cli.problem", "Check, serve and import problems."),
    "report": Entry("judge.cli.report_page", "Write a benchmark's results as one HTML page."),
    "rejudge": Entry("judge.cli.rejudge", "Judge submissions again."),
    "restore": Entry("judge.cli.restore", "Fill an empty judge from a backup."),
    "review": Entry("judge.cli.review", "Review repositories by rules and by a model."),
    "score": Entry("judge.cli.score", "Compute the scores of a benchmark."),
    "serve": Entry("judge.cli.serve", "Serve the API and git, without Redis and workers."),
    "submission": Entry("judge.cli.submission", "List, abort and void submissions."),
    "token": Entry("judge.cli.token", "Create, list and revoke access tokens."),
    "up": Entry("judge.cli.up", "Start the judge: web server, queue and workers."),
    "user": Entry("judge.cli.user", "Add and list users."),
    "worker": Entry("judge.cli.worker", "Judge submissions, one at a time."),
    "workers": Entry("judge.cli.workers", "List the workers of all machines."),
}
"""By their names. A new command is a file and a line."""


class LazyGroup(click.Group):
    """Imports a command's module when it is needed, so that `adjudge user` loads no sandbox."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = COMMANDS[cmd_name].module
        command = importlib.import_module(module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.command is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Lists them without loading any, which would take seconds."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in sorted(COMMANDS)])

    def invoke(self, ctx: click.Context) -> object:
        """Says refusals in one sentence, instead of in a traceback."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            from judge.cli.refusals import sentence  # loads the database's library, so only now

            said = sentence(error)
            if said is None:
                raise
            raise click.ClickException(said) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="adjudge", prog_name="adjudge")
def adjudge() -> None:
    """A self-hosted judge for the repositories that coding agents write.

    \b
    Start here:  adjudge up
                 adjudge problem add problems/sum
                 adjudge judge problems/sum solution.py
    """
