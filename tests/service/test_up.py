"""`adjudge up` starts everything, and stops it."""

import os
import signal
import stat
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import requests
from click.testing import CliRunner

from judge.cli.main import adjudge
from judge.store import Settings, workers
from tests.service.conftest import SLEEP, Live, live


def refused(*arguments: str) -> str:
    """What `adjudge up` says to one who cannot have it so; one sentence, and no traceback."""
    done = CliRunner().invoke(adjudge, ["up", *arguments])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    return done.stderr


def test_a_submission_is_judged(calm_judge: Live) -> None:
    number = calm_judge.submit()

    calm_judge.wait_for(number, "accepted")

    submission = calm_judge.submission(number)
    assert submission["score"] == 100
    assert [point["result"] for point in submission["details"]["groups"][0]["testpoints"]] == [
        "accepted"
    ] * 3


def test_it_says_where_it_is_and_how_to_stop_it(calm_judge: Live) -> None:
    words = "\n".join(calm_judge.first_words)

    assert str(calm_judge.settings.home) in words
    assert f"kill {calm_judge.process.pid}" in words
    assert "workers  2" in words


def test_its_workers_show_up(calm_judge: Live) -> None:
    found = workers.all_workers(calm_judge.db)

    assert [there for _, there in found] == [True, True]
    assert {worker.core for worker, _ in found} <= os.sched_getaffinity(0)
    assert all(worker.hardware and worker.version for worker, _ in found)
    assert all({"python", "cpp", "git"} <= set(worker.languages) for worker, _ in found)
    assert len(calm_judge.call("GET", "meta/runner-status").json()) == 2


def test_the_first_admin_token_is_for_its_owner_alone(calm_judge: Live) -> None:
    file = calm_judge.settings.home / "admin-token"

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    admin = replace(calm_judge, token=file.read_text().strip())
    assert admin.call("GET", "user/profile").json()["username"] == "admin"


def test_a_second_one_on_the_same_home_says_so(calm_judge: Live) -> None:
    said = refused("--home", str(calm_judge.settings.home), "--listen", "127.0.0.1:0")

    assert f"is up on {calm_judge.settings.home} already" in said
    assert calm_judge.address in said


def test_an_address_that_is_taken_says_so(calm_judge: Live, tmp_path: Path) -> None:
    taken = calm_judge.address.removeprefix("http://")

    said = refused("--home", str(tmp_path / "other"), "--listen", taken)

    assert f"cannot listen on {taken}" in said


@pytest.mark.parametrize("address", ["8080", "localhost", "127.0.0.1:x", ":::", "127.0.0.1:99999"])
def test_an_address_that_is_none_says_so(tmp_path: Path, address: str) -> None:
    assert "listen on" in refused("--home", str(tmp_path), "--listen", address)


@pytest.mark.parametrize(
    ("judge", "number"),
    [("sqlite", signal.SIGINT), ("postgresql", signal.SIGTERM)],
    indirect=["judge"],
)
def test_a_signal_stops_it_all(judge: Live, number: int) -> None:
    everything = judge.process.children(recursive=True)
    assert len(everything) >= 4

    assert judge.stop(number) == 0

    _, alive = psutil.wait_procs(everything, timeout=1)
    assert alive == []
    with pytest.raises(requests.ConnectionError):
        requests.get(judge.address, timeout=5)


def test_what_is_killed_takes_its_children_along_and_starts_again(
    judge: Live, echo_package: Path
) -> None:
    number = judge.submit()
    everything = judge.process.children(recursive=True)
    judge.process.kill()

    _, alive = psutil.wait_procs(everything, timeout=30)
    assert alive == []

    env = {"ADJUDGE_DATABASE_URL": judge.settings.database_url}
    with live(judge.settings.home, echo_package, **env) as again:
        again.wait_for(number, "accepted")


def test_who_starts_at_once_waits_for_the_children_of_one_that_was_killed(
    judge: Live, echo_package: Path
) -> None:
    number = judge.submit(SLEEP)
    judge.wait_for(number, "judging")
    everything = judge.process.children(recursive=True)
    judge.process.kill()

    env = {"ADJUDGE_DATABASE_URL": judge.settings.database_url}
    port = judge.address.removeprefix("http://")
    with live(judge.settings.home, echo_package, listen=port, **env) as again:
        assert not any(process.is_running() for process in everything)
        again.wait_for(number, "accepted")


def test_a_home_too_deep_for_a_socket_says_so(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)

    assert "set ADJUDGE_HOME to a shorter one" in refused("--home", str(deep))
    assert Settings(home=deep).redis_socket.name == "redis.sock"
