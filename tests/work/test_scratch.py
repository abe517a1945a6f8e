import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.work.scratch import scratch

WORKER = """
import tempfile
from judge.work.scratch import scratch
with scratch():
    file = tempfile.NamedTemporaryFile()
    print("busy", flush=True)
    input()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are made by default."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def another_worker(place: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", WORKER],
        env={"TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "busy\n"
        yield worker


def test_what_is_made_goes_with_the_worker(place: Path) -> None:
    with scratch() as folder:
        assert folder.parent == place
        assert Path(tempfile.mkdtemp()).parent == folder

    assert list(place.iterdir()) == []
    assert tempfile.gettempdir() == str(place)


def test_what_a_killed_worker_left_is_swept_by_the_next(place: Path) -> None:
    with another_worker(place) as worker:
        worker.kill()
    [left] = place.iterdir()
    assert list(left.iterdir()) != []

    with scratch() as folder:
        assert list(place.iterdir()) == [folder]


def test_a_worker_that_lives_keeps_its_files(place: Path) -> None:
    with another_worker(place) as worker:
        [its] = place.iterdir()
        with scratch():
            assert list(its.iterdir()) != []
        worker.communicate("\n")

    assert list(place.iterdir()) == []


def test_what_is_no_folder_of_a_worker_is_left_alone(place: Path) -> None:
    (place / "adjudge-worker-file").touch()
    (place / "adjudge-worker-link").symlink_to(place / "others")
    (place / "others").mkdir()

    with scratch():
        pass

    assert len(list(place.iterdir())) == 3
