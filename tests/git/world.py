"""A small internet in namespaces of its own: a name server, and hosts that listen.

`unshare --net --mount python world.py FOLDER` fetches from each name and prints what happened, as
JSON: for each name the refusal, and the addresses that were talked to.
"""

import json
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from pathlib import Path

from judge.store import User
from judge.store.settings import Fetch
from judge.web import remote
from judge.web.errors import ApiError
from judge.web.repositories import Repositories

PUBLIC, OTHER, PRIVATE = "9.9.9.9", "8.8.8.8", "10.1.2.3"

# Name -> the addresses of the first answer, of the second, ... ; the last one stays.
NAMES = {
    "public.test": [[PUBLIC]],
    "private.test": [[PRIVATE]],
    "loopback.test": [["127.0.0.1"]],
    "both.test": [[PUBLIC, PRIVATE]],
    "turns.test": [[PUBLIC], [PRIVATE], ["127.0.0.1"]],
}


def main(folder: Path) -> None:
    for address in (PUBLIC, OTHER, PRIVATE):
        subprocess.run(["ip", "addr", "add", f"{address}/32", "dev", "lo"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.NamedTemporaryFile("w") as resolver:
        resolver.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        resolver.flush()
        subprocess.run(["mount", "--bind", resolver.name, "/etc/resolv.conf"], check=True)
        threading.Thread(target=answer_names, daemon=True).start()
        heard: list[str] = []
        for address in (PUBLIC, OTHER, PRIVATE, "127.0.0.1"):
            listen(address, heard)
        print(json.dumps({name: visit(name, folder, heard) for name in NAMES}))


def visit(name: str, folder: Path, heard: list[str]) -> dict[str, object]:
    heard.clear()
    refusal = ""
    try:
        found = remote.locate(f"https://{name}/x.git", Fetch.PUBLIC)
        kept = Repositories(folder, 1 << 20).of_url(User(name="mina", friendly_name=""), found.url)
        remote.fetch(found, kept, "", 1 << 20)
    except ApiError as error:
        refusal = error.message
    return {"refusal": refusal, "heard": sorted(set(heard))}


def listen(address: str, heard: list[str]) -> None:
    """A host whose TLS never comes about: who rings is written down, and nothing said."""
    server = socket.create_server((address, 443))

    def accept() -> None:
        while True:
            connection, _ = server.accept()
            heard.append(address)
            connection.close()

    threading.Thread(target=accept, daemon=True).start()


def answer_names() -> None:
    """A name server (RFC 1035) for NAMES, with a time to live of 0."""
    asked: defaultdict[str, int] = defaultdict(int)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 53))
        while True:
            query, client = server.recvfrom(512)
            labels, position = [], 12
            while length := query[position]:
                labels.append(query[position + 1 : position + 1 + length].decode())
                position += 1 + length
            name = ".".join(labels).lower()
            question = query[12 : position + 5]
            kind = struct.unpack("!H", query[position + 1 : position + 3])[0]
            addresses: list[str] = []
            if kind == 1 and name in NAMES:
                addresses = NAMES[name][min(asked[name], len(NAMES[name]) - 1)]
                asked[name] += 1
            header = query[:2] + struct.pack("!HHHHH", 0x8180, 1, len(addresses), 0, 0)
            records = b"".join(
                struct.pack("!HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(address)
                for address in addresses
            )
            server.sendto(header + question + records, client)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
