"""What tests of several packages begin with: databases (SQLite, and a private PostgreSQL on a unix
socket), and the smallest problem."""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from judge.store import Database
from sandbox import owner

DEBIAN = Path("/usr/lib/postgresql")
ECHO_DEFINITION = """
title = "Echo"
languages = ["python", "git"]
[limits]
time = "10s"
memory = "64MiB"
[[group]]
name = "All"
points = 100
tests = ["1..3"]
"""

_numbers = itertools.count(1)


def pytest_configure() -> None:
    """A session that is asked to end (timeout(1), a CI that gives up) cleans up as on Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


class Cluster:
    """A PostgreSQL cluster in a folder, run by the user postgres (it refuses to run as root)."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs = programs
        self.data = folder / "data"
        self.folder = folder
        self.address = ""
        self._env = {"PATH": os.environ["PATH"], "PGDATA": str(self.data), "LC_ALL": "C"}
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            account = pwd.getpwnam(self._user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        self._run(
            "initdb", "--username=judge", "--auth=trust", "--encoding=UTF8", "--no-sync",
            "--locale=C", str(self.data),
        )  # fmt: skip

    def start(self) -> None:
        """Returns when it takes connections. A child, and no daemon: it ends with the session of
        tests, however that ends."""
        with (self.folder / "log").open("a") as log:
            self._server = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig", "QUIT", "--", self.programs / "postgres"),
                    *("-D", self.data, "-c", "fsync=off"),
                    *("-c", f"listen_addresses={self.address}"),
                    *("-c", f"unix_socket_directories={self.folder}"),
                ],
                env=self._env,
                user=self._user,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        while not self._takes_connections():
            assert self._server.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)

    def _takes_connections(self) -> bool:
        try:
            psycopg.connect(self.url()).close()
        except psycopg.OperationalError:
            return False
        return True

    def listen(self, address: str, clients: str) -> None:
        """Starts again, and takes connections at that address from those clients."""
        with (self.data / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {clients} trust\n")
        self.address = address
        self.stop()
        self.start()

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "--wait", f"--mode={mode}")
        self._server.wait()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://judge@/{database}?host={self.folder}"

    def create(self, encoding: str = "UTF8") -> str:
        """The URL of a new database."""
        name = f"judge_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
        return self.url(name)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            env=self._env,
            user=self._user,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            text=True,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}"


def postgresql_programs() -> Path:
    """Where initdb is. Skips where PostgreSQL is not installed, which in CI is a failure."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if versions:
        return versions[-1].parent
    if os.environ.get("CI"):
        pytest.fail("PostgreSQL is not installed: script/setup --dev")
    pytest.skip("PostgreSQL is not installed: script/setup --dev")


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    programs = postgresql_programs()
    # Not in pytest's folder: the next session of pytest closes that to all but root.
    parent = Path(tempfile.gettempdir())
    for left in parent.glob(f"{owner.PREFIX}.*"):
        if owner.is_stale(left.name):  # its session was killed
            shutil.rmtree(left, ignore_errors=True)
    folder = parent / owner.new_name()
    folder.mkdir()
    cluster = Cluster(programs, folder)
    cluster.start()
    yield cluster
    cluster.stop("immediate")
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """The PostgreSQL of this session; `create` makes an empty database."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def modules_postgresql() -> Iterator[Cluster]:
    """A PostgreSQL that the tests of a module share, and that may listen where they say."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def own_postgresql() -> Iterator[Cluster]:
    """A PostgreSQL that the test may stop and start."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with tables, to copy: quicker than to migrate for each test."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    with closing(Database(f"sqlite:///{file}")) as database:
        database.migrate()
    return file


@pytest.fixture(scope="session")
def postgresql_database(postgresql: Cluster) -> str:
    """The URL of a PostgreSQL database with tables, which each test leaves without rows: quicker
    than a new one for each."""
    url = postgresql.create()
    with closing(Database(url)) as database:
        database.migrate()
    return url


def _empty(url: str) -> None:
    """Takes the rows out of every table, and lets ids begin at 1."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        [tables] = connection.execute(
            "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        ).fetchall()
        connection.execute(f"TRUNCATE {tables[0]} RESTART IDENTITY")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with its tables and no rows, of either kind."""
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        yield f"sqlite:///{shutil.copy(template, tmp_path / 'adjudge.db')}"
        return
    url: str = request.getfixturevalue("postgresql_database")
    yield url
    _empty(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.create()


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    """A database with its tables, of either kind."""
    with closing(Database(database_url)) as database:
        yield database


@pytest.fixture(scope="session")
def echo_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A problem of three small tests: print the line that was read."""
    folder = tmp_path_factory.mktemp("echo")
    package, tests = folder / "problems" / "echo", folder / "data" / "echo"
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    (package / "problem.toml").write_text(ECHO_DEFINITION)
    (package / "statement.md").write_text("Print the line.\n")
    for number in "123":
        (tests / f"{number}.in").write_text(f"line {number}\n")
        (tests / f"{number}.ans").write_text(f"line {number}\n")
    return package
