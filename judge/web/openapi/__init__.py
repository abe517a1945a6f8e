"""The OpenAPI 3.1 document of the REST API."""

from judge.web.openapi.document import document

__all__ = ["document"]
