"""What a command says instead of a traceback."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError

from judge.grading import GradingError
from judge.packages import PackageError
from judge.results.errors import ResultsError
from judge.store import Settings, StoreError, Unavailable
from judge.work.doctor import Unfit

RESULTS_PACKAGES = {
    "anthropic",
    "jinja2",
    "matplotlib",
    "openai",
    "pyarrow",
    "scipy",
    "tree_sitter",
}
"""What the commands about results need beyond the server's packages."""


def sentence(error: Exception) -> str | None:
    """The sentence for the operator; None for an error that nobody foresaw."""
    match error:
        case Unavailable():
            return f"the database refuses: {error.detail}"
        case StoreError():
            return error.reason
        case Unfit() | GradingError():
            return f"this machine cannot judge: {error}"
        case ValidationError() if error.title == Settings.__name__:
            return "\n".join(_setting(fault) for fault in error.errors())
        case PackageError():
            return "\n".join(str(fault) for fault in error.faults)
        case ResultsError():
            return str(error)
        case ModuleNotFoundError() if error.name in RESULTS_PACKAGES:
            return f'{error.name} is not installed: pip install "adjudge[results]"'
        case DBAPIError():
            return f"the database refuses: {error.orig}"
        case RedisError():
            return f"Redis cannot be reached: {error}"
        case PermissionError():
            return f"not allowed: {error}"
        case OSError() if error.filename is not None and error.strerror is not None:
            return f"{error.filename}: {error.strerror.lower()}"
        case _:
            return None


def _setting(fault: ErrorDetails) -> str:
    """Not its value, which may hold a password."""
    name = "_".join(str(part) for part in fault["loc"])
    return f"ADJUDGE_{name.upper()}: {fault['msg'].removeprefix('Value error, ')}"
