"""The application: everything that answers over HTTP, put together."""

from flask import Flask
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from judge.model.limits import MIB
from judge.store import Database, Settings
from judge.web import api, errors, git, health, requestlog, worker
from judge.web.ratelimit import RateLimit
from judge.web.repositories import Repositories
from judge.web.services import EXTENSION, Ring, Services, Shelf
from judge.web.watch import Chimes, Watch


def create_app(settings: Settings, *, ring: Ring, chimes: Chimes, shelf: Shelf) -> Flask:
    """The WSGI application over a database whose tables are up to date.

    The web enqueues and never grades, so the queue is handed in: `ring` is `work.Bell.ring`,
    `chimes` are `work.Chimes`, `shelf` is a `work.Shelf`. Each process makes an application of its
    own, after its fork.
    """
    app = Flask(__name__)
    app.url_map.merge_slashes = False  # a path with // in it is no path of ours, and no redirect
    # A source text is the largest thing in a form; a pushed repository has a limit of its own.
    app.config.update(MAX_CONTENT_LENGTH=16 * MIB, MAX_FORM_MEMORY_SIZE=16 * MIB)
    db = Database(settings.database)
    # Nobody waits for it: what it is asked here for can be done without.
    redis = Redis.from_url(
        settings.redis, socket_timeout=0.5, socket_connect_timeout=0.5, retry=Retry(NoBackoff(), 0)
    )
    app.extensions[EXTENSION] = Services(
        settings=settings,
        db=db,
        ring=ring,
        shelf=shelf,
        repositories=Repositories(settings.git, settings.repository_bytes),
        watch=Watch(db, chimes),
        redis=redis,
        rate_limit=RateLimit(redis, settings.requests_per_minute),
    )
    requestlog.register(app)
    errors.register(app)
    api.register(app)
    app.register_blueprint(git.blueprint)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(worker.blueprint)
    return app
