"""What an agent installs: push, submit, status, wait, abort. Speaks HTTP and git."""

from client.account import Account, find_account
from client.api import Client
from client.errors import BadInput, ClientError, Refused, Unreachable

__all__ = [
    "Account",
    "BadInput",
    "Client",
    "ClientError",
    "Refused",
    "Unreachable",
    "find_account",
]
