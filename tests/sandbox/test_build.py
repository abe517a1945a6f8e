"""The runner is compiled on first use."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxError, build
from tests.sandbox.conftest import IS_EMULATED


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Sources never compiled before; small ones, since what is compiled is not the point."""
    if IS_EMULATED:
        pytest.skip("too slow under emulation")
    copy = tmp_path / "runner"
    copy.mkdir()
    shutil.copy(build.SOURCES / "Makefile", copy)
    (copy / "runner.h").write_text("")
    (copy / "main.c").write_text("int main(void) { return 0; }\n")
    monkeypatch.setattr(build, "SOURCES", copy)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    build.runner_program.cache_clear()
    yield copy
    build.runner_program.cache_clear()


def test_it_is_compiled_once(sources: Path) -> None:
    program = build.runner_program()
    assert program.parents[1] == sources / "build"
    made = program.stat().st_mtime_ns
    build.runner_program.cache_clear()
    assert build.runner_program() == program
    assert program.stat().st_mtime_ns == made


def test_other_sources_are_another_program(sources: Path) -> None:
    program = build.runner_program()
    (sources / "main.c").write_text("int main(void) { return 1; }\n")
    build.runner_program.cache_clear()
    assert build.runner_program() != program


def test_where_the_sources_lie_read_only_the_users_cache_is_used(
    sources: Path, tmp_path: Path
) -> None:
    (sources / "build").write_text("not a folder")
    assert build.runner_program().parents[1] == tmp_path / "cache" / "adjudge"


def test_two_may_compile_at_once(sources: Path) -> None:
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(build._make(sources / "build", "x", False)))
        for _ in range(2)
    ]
    (sources / "build").mkdir()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [sources / "build" / "x" / "runner"] * 2
    assert [path.name for path in (sources / "build").iterdir()] == ["x"]


@pytest.mark.usefixtures("sources")
def test_without_make_the_sentence_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxError, match=r"make was not found: .* apt install gcc make"):
        build.runner_program()


def test_the_compilers_words_are_in_the_error(sources: Path) -> None:
    (sources / "main.c").write_text("int main(void) { return nothing; }\n")
    with pytest.raises(SandboxError, match="did not compile") as caught:
        build.runner_program()
    assert "'nothing' undeclared" in str(caught.value).replace("‘", "'").replace("’", "'")
    assert caught.value.step == "build"
