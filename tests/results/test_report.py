"""The report in a real browser: nothing but itself, readable on a desk and on a phone."""

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from playwright.sync_api import Browser, Page, sync_playwright

from judge.model import Verdict
from judge.results.files.reviews import Reviews
from judge.results.report import gather, render, write_figures
from judge.results.scoring.registry import Benchmark, Entry, JudgeProblem
from judge.results.scoring.review_score import ReviewResult
from judge.results.scoring.rows import Participant, Row
from judge.results.scoring.score_map import Linear
from tests.results.conftest import Archive

BENCHMARK = Benchmark(
    "twenty",
    tuple(
        Entry(
            f"{n:03}",
            f"Problem {n}",
            (JudgeProblem(n, 1, Linear(100)),),
            cap=4,
            category=("Algorithm", "Storage")[n % 2],
        )
        for n in range(1, 21)
    ),
)
HOSTILE = Participant("<script>alert(1)</script>", "$x^2$ & <b>", "1")
WHO = (
    *(Participant("codex", "gpt", number) for number in "123"),
    Participant("openhands", "a-model-with-a-very-long-name-of-many-words-2507"),
    HOSTILE,
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    chance = random.Random(3)
    verdicts = [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED]
    return [
        Row(
            who,
            entry.key,
            entry.problems[0].id,
            number,
            chance.choice(verdicts),
            chance.randint(0, 100),
            chance.randint(10**6, 10**10),
            chance.randint(1 << 20, 1 << 28),
        )
        for number, (who, entry) in enumerate(
            ((who, entry) for who in WHO for entry in BENCHMARK.entries for _ in range(3)), 1
        )
    ]


@pytest.fixture(scope="module")
def reviews() -> Reviews:
    return {
        who: {entry.key: ReviewResult({"a": True}, {"c": 6.0}, 5) for entry in BENCHMARK.entries}
        for who in WHO[:4]
    }


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory, rows: list[Row], reviews: Reviews) -> Path:
    data = gather(BENCHMARK, rows, reviews)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(data, title="Results", made_at=datetime(2026, 1, 2, tzinfo=UTC)))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        message = "there is no Chromium: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[1280, 390])
def page(browser: Browser, request: pytest.FixtureRequest, page_file: Path) -> Iterator[Page]:
    """The opened report; whatever it complains of or asks the network for fails the test."""
    page = browser.new_page(viewport={"width": request.param, "height": 900})
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda asked: heard.append(asked.url))
    page.goto(page_file.as_uri())
    yield page
    assert heard == [page_file.as_uri()]
    page.close()


def test_it_fits_the_screen(page: Page) -> None:
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    too_wide = page.evaluate(
        """width => [...document.querySelectorAll('h1, h2, p, .leaders :is(td, th), figcaption')]
        .filter(one => one.getBoundingClientRect().right > width).map(one => one.textContent)""",
        width,
    )
    assert too_wide == []
    spilt = page.evaluate(
        """[...document.querySelectorAll('.leaders :is(td, th)')]
        .filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"""
    )
    assert spilt == []
    sizes = page.evaluate(
        """[...document.querySelectorAll('td, th, p')]
        .map(one => parseFloat(getComputedStyle(one).fontSize))"""
    )
    assert min(sizes) >= 13
    narrow = page.evaluate(
        "Math.min(...[...document.querySelectorAll('th[scope=row]')].map(e => e.clientWidth))"
    )
    assert narrow >= 90, "names must not collapse to a letter a line"


def test_it_shows_every_figure(page: Page) -> None:
    assert page.locator("figure svg").count() == 4
    text = page.inner_text("body")
    for word in ("Leaderboard", "Problems", "Categories", "codex + gpt", "time limit exceeded"):
        assert word in text
    assert page.locator(".leaders tbody tr").count() == 3
    assert page.locator(".matrix tbody tr").count() == 6


def test_the_best_of_a_column_is_bold(page: Page) -> None:
    for label in ("Final", "All", "Tried", "Exec@1", "Review"):
        cells = page.locator(f'.leaders td[data-label="{label}"]').all()
        means = [float(cell.inner_text().split()[0]) for cell in cells if "." in cell.inner_text()]
        bold = [cell.inner_text().split()[0] for cell in cells if cell.get_attribute("class")]
        assert set(bold) == {f"{max(means):.2f}"}


def test_what_was_not_attempted_is_a_dash(rows: list[Row]) -> None:
    some = [row for row in rows if row.participant != HOSTILE or row.problem != "002"]
    page = render(gather(BENCHMARK, some, {}), title="T", made_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert page.count('<td class="none">') == 1


@pytest.mark.parametrize("look", ["light", "dark", "print"])
def test_text_can_be_read_in_every_light(browser: Browser, page_file: Path, look: str) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 900})
    if look == "print":
        page.emulate_media(media="print", color_scheme="dark")
    else:
        page.emulate_media(color_scheme=look)
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 720
    assert page.evaluate(LEAST_CONTRAST) >= 4.5, "WCAG 2.2, level AA"
    page.close()


LEAST_CONTRAST = """() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const luminance = colour => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(
      part => (part /= 255) <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = one => {
    const own = getComputedStyle(one).backgroundColor;
    return own === 'rgba(0, 0, 0, 0)' && one.parentElement ? behind(one.parentElement) : own;
  };
  const texts = document.querySelectorAll('h1, h2, p, li, th, td, figcaption, svg text');
  return Math.min(...[...texts].map(one => {
    const style = getComputedStyle(one);
    const colour = one.closest('svg') ? style.fill : style.color;
    const pair = [luminance(colour), luminance(behind(one))].sort((a, b) => a - b);
    return (pair[1] + .05) / (pair[0] + .05);
  }));
}"""
"""The least contrast of a text with what is behind it (WCAG 2.2, "contrast ratio")."""


def test_names_are_text(page: Page) -> None:
    assert "<script>alert(1)</script> + $x^2$ & <b>" in page.inner_text("body")
    assert page.locator("script").count() == 0


def test_the_page_is_the_same_every_time(rows: list[Row], reviews: Reviews) -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    pages = {
        render(gather(BENCHMARK, rows, reviews), title="Results", made_at=moment) for _ in range(2)
    }
    assert len(pages) == 1


def test_the_figures_are_files(rows: list[Row], tmp_path: Path) -> None:
    paths = write_figures(tmp_path, gather(BENCHMARK, rows, {}))
    names = ("leaderboard", "matrix", "verdicts", "submissions", "resources")
    assert {path.name for path in paths} == {f"{n}.{end}" for n in names for end in ("svg", "png")}
    for path in paths:
        start = b"<?xml" if path.suffix == ".svg" else b"\x89PNG"
        assert path.read_bytes().startswith(start)


def test_standings_are_ordered_by_the_final_score(rows: list[Row], reviews: Reviews) -> None:
    by_execution = gather(BENCHMARK, rows, {}).standings
    assert [one.score for one in by_execution] == sorted(
        (one.pair.average_all.mean for one in by_execution), reverse=True
    )
    by_final = gather(BENCHMARK, rows, reviews).standings
    codex = next(one for one in by_final if one.pair.agent == "codex")
    assert codex.final is not None
    # Every problem has a submission and a review of (1 + 0.6) / 2.
    assert codex.final.mean == pytest.approx(0.8 * codex.pair.average_all.mean + 0.2 * 80)
    assert codex.final.n == 3
    hostile = next(one for one in by_final if one.pair.agent == HOSTILE.agent)
    # Nobody reviewed it, so that half is 0; the order is by the same measure for all.
    assert hostile.final is not None
    assert hostile.final.mean == pytest.approx(0.8 * hostile.pair.average_all.mean)
    assert hostile.review is None
    assert [one.score for one in by_final] == sorted((one.score for one in by_final), reverse=True)


def test_nothing_judged_is_a_page_too() -> None:
    page = render(gather(BENCHMARK, [], {}), title="T", made_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert "Nothing has been judged yet" in page


def test_the_command_writes_page_and_figures(
    archive: Archive, run: Callable[..., Result], tmp_path: Path
) -> None:
    basic = archive.problem("2510")
    archive.submit(archive.participant("codex", "gpt"), basic, 40)
    registry = tmp_path / "r.json"
    registry.write_text(json.dumps({"problems": {"007": {"acmoj_id": "2510"}}}))
    assert run("benchmark", "import", registry, "--name", "pdb").exit_code == 0
    result = run(
        *("report", "--benchmark", "pdb", "--out", tmp_path / "r.html"),
        *("--figures", tmp_path / "figures"),
    )
    assert result.exit_code == 0, result.output
    assert "codex + gpt" in (tmp_path / "r.html").read_text()
    # Nothing ran that has figures of time and memory.
    assert len(list((tmp_path / "figures").iterdir())) == 8
