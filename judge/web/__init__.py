"""What answers over HTTP: the REST API, and git."""

from judge.web.app import create_app

__all__ = ["create_app"]
