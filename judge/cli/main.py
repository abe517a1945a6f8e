"""The list of commands, each loaded when it is called for."""

import importlib

import click

COMMANDS = {
    "backup": "judge.cli.backup",
    "benchmark": "judge.cli.benchmark",
    "doctor": "judge.cli.doctor",
    "events": "judge.cli.events",
    "export": "judge.cli.export",
    "import-logs": "judge.cli.import_logs",
    "judge": "judge.cli.judge",
    "problem": "judge.cli.problem",
    "report": "judge.cli.report_page",
    "rejudge": "judge.cli.rejudge",
    "restore": "judge.cli.restore",
    "review": "judge.cli.review",
    "score": "judge.cli.score",
    "serve": "judge.cli.serve",
    "submission": "judge.cli.submission",
    "token": "judge.cli.token",
    "up": "judge.cli.up",
    "user": "judge.cli.user",
    "worker": "judge.cli.worker",
    "workers": "judge.cli.workers",
}
"""Command -> module; the module's object `command` is it. A new command is a file and a line."""


class LazyGroup(click.Group):
    """Imports a command's module when it is needed, so that `adjudge user` loads no sandbox."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = importlib.import_module(COMMANDS[cmd_name]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]}.command is not a click command")
        return command

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
