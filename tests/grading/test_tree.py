"""Files are laid over, and taken out of, a tree that means harm."""

import os
import stat
from pathlib import Path

import pytest

from judge.grading.tree import exceeds, lay, put, take


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return workspace


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    return outside


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    overlay = tmp_path / "overlay"
    (overlay / "src").mkdir(parents=True)
    (overlay / "src" / "score.h").write_text("ours")
    return overlay


def test_folders_are_merged_and_files_win(workspace: Path, overlay: Path) -> None:
    (workspace / "src").mkdir()
    (workspace / "src" / "main.cpp").write_text("theirs")
    (workspace / "src" / "score.h").write_text("theirs")
    lay(overlay, workspace)
    assert (workspace / "src" / "main.cpp").read_text() == "theirs"
    assert (workspace / "src" / "score.h").read_text() == "ours"


def test_a_link_in_the_place_of_a_folder_leads_nowhere(
    workspace: Path, overlay: Path, outside: Path
) -> None:
    (workspace / "src").symlink_to(outside)
    lay(overlay, workspace)
    assert not (workspace / "src").is_symlink()
    assert (workspace / "src" / "score.h").read_text() == "ours"
    assert [path.name for path in outside.iterdir()] == ["secret"]


def test_a_link_in_the_place_of_a_file_leads_nowhere(
    workspace: Path, overlay: Path, outside: Path
) -> None:
    (workspace / "src").mkdir()
    (workspace / "src" / "score.h").symlink_to(outside / "secret")
    lay(overlay, workspace)
    assert (workspace / "src" / "score.h").read_text() == "ours"
    assert (outside / "secret").read_text() == "secret"


def test_a_folder_or_a_pipe_in_the_place_of_a_file_goes(workspace: Path, overlay: Path) -> None:
    (workspace / "src" / "score.h" / "deep").mkdir(parents=True)
    lay(overlay, workspace)
    (workspace / "src" / "score.h").unlink()
    os.mkfifo(workspace / "src" / "score.h")
    lay(overlay, workspace)
    assert (workspace / "src" / "score.h").read_text() == "ours"


def test_links_are_laid_as_links_and_pipes_left_out(workspace: Path, overlay: Path) -> None:
    (overlay / "link").symlink_to("src/score.h")
    os.mkfifo(overlay / "pipe")
    lay(overlay, workspace, skip={"src"})
    assert (workspace / "link").readlink() == Path("src/score.h")
    assert [path.name for path in workspace.iterdir()] == ["link"]


def test_put_replaces_what_bears_the_name(workspace: Path, outside: Path) -> None:
    (workspace / "main.cpp").symlink_to(outside / "secret")
    put(workspace, "main.cpp", b"int main() {}")
    assert (workspace / "main.cpp").read_bytes() == b"int main() {}"
    assert (outside / "secret").read_text() == "secret"


def test_take_copies_a_regular_file_as_an_executable(workspace: Path, tmp_path: Path) -> None:
    (workspace / "code").write_bytes(b"\x7fELF")
    (workspace / "code").chmod(0)
    assert take(workspace, "code", tmp_path / "program")
    assert (tmp_path / "program").read_bytes() == b"\x7fELF"
    assert stat.S_IMODE((tmp_path / "program").stat().st_mode) == 0o755


def test_take_wants_a_regular_file(workspace: Path, tmp_path: Path, outside: Path) -> None:
    (workspace / "link").symlink_to(outside / "secret")
    (workspace / "folder").mkdir()
    os.mkfifo(workspace / "pipe")
    for name in ("link", "folder", "pipe", "nothing"):
        assert not take(workspace, name, tmp_path / "program")
    assert not (tmp_path / "program").exists()


def test_a_folder_that_is_too_large_is_known_before_it_is_copied(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.cpp").write_bytes(b"x" * 100)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "pack").write_bytes(b"x" * 1000)
    (tmp_path / "endless").symlink_to(tmp_path)  # is copied as a link, not walked
    link = len(str(tmp_path))
    assert not exceeds(tmp_path, 100 + link, 2, skip={".git"})
    assert exceeds(tmp_path, 99 + link, 2, skip={".git"})
    assert exceeds(tmp_path, 100 + link, 1, skip={".git"})
