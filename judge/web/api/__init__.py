"""The REST API: ACMOJ's paths, bodies and codes, once for both prefixes."""

from flask import Flask
from flask.blueprints import Blueprint

from judge.web.api import meta, problems, problemsets, rejudges, submissions, users

PREFIXES = {"acmoj": "/OnlineJudge/api/v1", "api": "/api/v1"}


def register(app: Flask) -> None:
    """Serve the API under ACMOJ's prefix and under our own."""
    for name, prefix in PREFIXES.items():
        root = Blueprint(name, __name__)
        for part in (problems, problemsets, submissions, rejudges, users, meta):
            root.register_blueprint(part.blueprint)
        app.register_blueprint(root, url_prefix=prefix)
