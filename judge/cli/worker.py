"""`adjudge worker`: judges what waits in the queue."""

import logging

import click
from requests import RequestException

from judge.cli.console import open_database
from judge.cli.logs import log_as_json
from judge.store import Settings, workers
from judge.work import Shelf
from judge.work.doctor import refuse_unfit
from judge.work.scratch import scratch
from judge.work.stock import LocalStock, RemoteStock, Stock
from judge.work.worker import work


@click.command(name="worker")
@click.option("--core", type=click.IntRange(min=0), help="The core that its runs are pinned to.")
@click.option(
    "--server",
    envvar="ADJUDGE_WORKER_SERVER",
    metavar="URL",
    help="Who hands out packages and commits, where the home is on another machine.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    help="Judge the problems of this group only; may be repeated (default: those of none).",
)
@click.option("--examined", is_flag=True, hidden=True, help="`adjudge up` examined the machine.")
def command(core: int | None, server: str | None, groups: tuple[str, ...], examined: bool) -> None:
    """Judge submissions, one at a time. Start one per core.

    It refuses to start on a machine on which `adjudge doctor` finds a failure.

    SIGTERM ends it: what it judges is finished within seconds, or handed back.

    On another machine than the server's, name the server, and put a token with the scope `worker`
    into ADJUDGE_WORKER_TOKEN.

    \b
    Example:  ADJUDGE_DATABASE_URL=... ADJUDGE_REDIS_URL=... ADJUDGE_WORKER_TOKEN=acmoj-... \\
              adjudge worker --server http://judge:8080 --core 0
    """
    for group in groups:
        workers.refuse_group(group)
    settings = Settings()
    open_database(settings).close()
    with scratch():
        if not examined:
            refuse_unfit(settings)
        log_as_json()
        logging.getLogger("rq").setLevel(logging.CRITICAL)  # of jobs, where ours are of judgings
        work(settings, _stock(settings, server), core, groups or ("",))


def _stock(settings: Settings, server: str | None) -> Stock:
    shelf = Shelf(settings.packages)
    if server is None:
        return LocalStock(shelf, settings.git)
    if not settings.worker_token:
        raise click.UsageError("--server needs a token with the scope worker: ADJUDGE_WORKER_TOKEN")
    stock = RemoteStock(shelf, server, settings.worker_token)
    try:
        stock.check()
    except RequestException as error:
        raise click.ClickException(f"the server does not let this worker in: {error}") from error
    return stock
