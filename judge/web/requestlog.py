"""One record of the log for each request: who, what, how long. Fields travel as `extra`, so that a
structured log keeps them apart; queries, headers and bodies are left out, as they may hold secrets.
"""

import logging
import time

from flask import Flask, Response, g, request

log = logging.getLogger("judge.web.requests")


def register(app: Flask) -> None:
    """Log every request of the application."""

    @app.before_request
    def begin() -> None:
        g.began = time.monotonic()

    @app.after_request
    def end(response: Response) -> Response:
        access = g.get("access")
        fields = {
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
            "ms": round((time.monotonic() - g.began) * 1000, 1),
            "user": access.user.name if access else None,
            "submission": g.get("submission_id"),
        }
        log.info("%(method)s %(path)s %(status)d", fields, extra=fields)
        return response
