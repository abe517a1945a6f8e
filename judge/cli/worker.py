"""`adjudge worker`: judges what waits in the queue."""

import click

from judge.cli.console import open_database
from judge.store import Settings
from judge.work.doctor import refuse_unfit
from judge.work.worker import work


@click.command(name="worker")
@click.option("--core", type=click.IntRange(min=0), help="The core that its runs are pinned to.")
def command(core: int | None) -> None:
    """Judge submissions, one at a time. Start one per core.

    It refuses to start on a machine on which `adjudge doctor` finds a failure.

    SIGTERM ends it: what it judges is finished within seconds, or handed back.

    \b
    Example:  ADJUDGE_DATABASE_URL=... ADJUDGE_REDIS_URL=... adjudge worker --core 0
    """
    settings = Settings()
    open_database(settings).close()
    refuse_unfit(settings)
    work(settings, core)
