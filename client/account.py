"""Which server, and who asks: from flags, the environment, or a file that only its owner reads."""

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from client.errors import BadInput

DEFAULT_SERVER = "http://127.0.0.1:8080"

# The token travels in a header: a line break or a blank in it would be a header of its own.
TOKEN = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class Account:
    """A server's address (no path, no slash at the end) and the token to show there."""

    server: str
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.server)
            valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            valid = False
        if not valid:
            raise BadInput(f"{self.server!r} is no server address, such as {DEFAULT_SERVER}")
        if "@" in parts.netloc:
            raise BadInput("a server address holds no user name and no token: use --token")
        if not TOKEN.fullmatch(self.token):
            raise BadInput("the token holds blanks or other characters that no token has")


def config_path(environ: Mapping[str, str] = os.environ) -> Path:
    """ADJUDGE_CONFIG, or client.toml in the user's configuration folder."""
    if named := environ.get("ADJUDGE_CONFIG"):
        return Path(named)
    base = environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "adjudge" / "client.toml"


def find_account(
    server: str | None = None,
    token: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Account:
    """The account to use: flags first, then ADJUDGE_SERVER and ADJUDGE_TOKEN, then the file.

    Raises BadInput where no token is found, or the file cannot be read.
    """
    server = server or environ.get("ADJUDGE_SERVER")
    token = token or environ.get("ADJUDGE_TOKEN")
    if not (server and token):
        saved = _read(config_path(environ))
        server = server or saved.get("server") or DEFAULT_SERVER
        token = token or saved.get("token")
    if not token:
        raise BadInput("no token: set ADJUDGE_TOKEN, or run `adjudge-client login` once")
    return Account(server.rstrip("/"), token.strip())


def save_account(account: Account, environ: Mapping[str, str] = os.environ) -> Path:
    """Write the file that `find_account` reads, readable by its owner alone; return its path."""
    path = config_path(environ)
    # A JSON string is a TOML string too.
    text = f"server = {json.dumps(account.server)}\ntoken = {json.dumps(account.token)}\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp makes the file with mode 0600, and the rename keeps a reader from half a file.
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error
    return path


def _read(path: Path) -> dict[str, str]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not valid TOML: {error}") from error
    for key, value in values.items():
        if key not in {"server", "token"} or not isinstance(value, str):
            raise BadInput(f'{path}: only server = "..." and token = "..." belong there, not {key}')
    return values
