import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge.packages import PackageError, content_hash
from judge.work import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "packages")


def test_a_package_is_kept_by_its_content(shelf: Shelf, echo_package: Path) -> None:
    name, problem = shelf.put(echo_package)

    kept = shelf.folder(name)
    assert content_hash(kept / "package", kept / "tests") == name
    assert problem.slug == "echo"
    assert shelf.get(name).tests[0].id == "1"
    assert shelf.put(echo_package)[0] == name


def test_a_version_stays_when_its_source_changes(
    shelf: Shelf, echo_package: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "problems" / "echo"
    shutil.copytree(echo_package, mine)
    tests = echo_package.parents[1] / "data" / "echo"
    first, _ = shelf.put(mine, tests)
    definition = mine / "problem.toml"
    definition.write_text(definition.read_text().replace("Echo", "Echo again"))

    second, problem = shelf.put(mine, tests)

    assert problem.title == "Echo again"
    assert shelf.get(first).title == "Echo"
    assert first != second


def test_a_package_that_cannot_be_served_is_not_kept(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "problem.toml").write_text("titel = 'x'")

    with pytest.raises(PackageError):
        shelf.put(tmp_path / "bad", tmp_path / "bad")

    assert not (tmp_path / "packages").exists()


def test_what_is_put_twice_at_once_is_there_once(
    shelf: Shelf, echo_package: Path, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(8) as pool:
        names = {name for name, _ in pool.map(shelf.put, [echo_package] * 8)}

    assert {path.name for path in (tmp_path / "packages").iterdir()} == names


def test_an_unknown_hash_is_not_there(shelf: Shelf) -> None:
    with pytest.raises(KeyError):
        shelf.get("0" * 64)
