"""Two packages have the same hash if, and only if, names and bytes are the same."""

import os
import shutil
from pathlib import Path

from judge.packages import content_hash


def hash_of(package: Path) -> str:
    return content_hash(package, package.parent.parent / "data" / package.name)


def test_a_copy_with_other_times_is_the_same(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(package, copy)
    os.utime(copy / "problem.toml", (1, 1))
    assert content_hash(copy, tmp_path / "data" / "echo") == hash_of(package)


def test_each_change_of_a_name_or_a_byte_shows(package: Path, tmp_path: Path) -> None:
    tests = tmp_path / "data" / "echo"
    hashes = {hash_of(package)}
    (tests / "1.in").write_text("3\n")
    hashes.add(hash_of(package))
    (tests / "1.in").rename(tests / "3.in")
    hashes.add(hash_of(package))
    (tests / "3.in").rename(package / "3.in")
    hashes.add(hash_of(package))
    (package / "link").symlink_to("problem.toml")
    hashes.add(hash_of(package))
    assert len(hashes) == 5


def test_python_caches_do_not_count(package: Path) -> None:
    before = hash_of(package)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "generate.pyc").write_bytes(b"\0")
    assert hash_of(package) == before
