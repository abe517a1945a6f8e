"""For those who watch over the judge: is it up, and how busy is it."""

from collections.abc import Iterator

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from judge.store import Database, Unavailable, workers
from judge.store.statistics import statistics
from judge.web.auth import signed_in
from judge.web.errors import ApiError
from judge.web.services import services

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """200 where submissions are taken, 503 where not. Without its queue the judge takes them: they
    are judged when it is back."""
    parts = {"database": _database_answers(), "queue": _queue_answers()}
    body = jsonify({name: "ok" if answers else "away" for name, answers in parts.items()})
    return body, 200 if parts["database"] else 503


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """In the text format of Prometheus, for operators' tokens. The figures are the database's, so
    they are the same whichever process answers."""
    if not signed_in().is_operator:
        raise ApiError(403, "metrics are for operators")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(services().db))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Figures(Collector):
    def __init__(self, db: Database) -> None:
        self._db = db

    def collect(self) -> Iterator[Metric]:
        found = statistics(self._db)
        submissions = GaugeMetricFamily(
            "adjudge_submissions", "Submissions by the status they show", labels=["status"]
        )
        for status, count in sorted(found.submissions.items()):
            submissions.add_metric([status], count)
        yield submissions
        yield GaugeMetricFamily("adjudge_workers", "Workers that are there", value=self._workers())
        for name, text, value in (
            ("judgings_waiting", "Judgings that wait for a worker", found.waiting),
            ("judgings_running", "Judgings that a worker holds", found.running),
            ("oldest_wait_seconds", "How long the oldest has waited", found.oldest_wait_s),
        ):
            yield GaugeMetricFamily(f"adjudge_{name}", text, value=value)

    def _workers(self) -> int:
        return sum(is_there for _, is_there in workers.all_workers(self._db))


def _database_answers() -> bool:
    try:
        with services().db.read() as session:
            session.connection().exec_driver_sql("SELECT 1")
    except Unavailable:
        return False
    return True


def _queue_answers() -> bool:
    try:
        return bool(services().redis.ping())
    except RedisError:
        return False
