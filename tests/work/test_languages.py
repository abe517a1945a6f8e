"""What a worker offers, and where judgings go that it cannot judge."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from judge.grading import Slot
from judge.model import Language, language
from judge.store import Priority
from judge.work.judging import Bench, Offer
from judge.work.languages import languages_offered
from judge.work.queue import queue, queues
from judge.work.stock import LocalStock
from sandbox import Box, Mount
from tests.work.conftest import Workplace

PYTHON, TEXT = language("python"), language("text")
BROKEN = replace(language("c"), hello="no program\n")


class CountingSlot(Slot):
    """A slot that knows how many boxes were opened."""

    boxes = 0

    @contextmanager
    def box(self, mounts: Sequence[Mount] = ()) -> Iterator[Box]:
        self.boxes += 1
        with super().box(mounts) as box:
            yield box


def test_a_worker_offers_what_passes_its_self_test(
    slot: Slot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert languages_offered(slot, tmp_path, (BROKEN, PYTHON, TEXT)) == ("python", "text")

    (record,) = caplog.records
    assert record.getMessage().startswith("c is not offered: compile_error: main.c:1:1: error:")


def test_what_passed_is_not_tried_again_until_it_changes(tmp_path: Path) -> None:
    with CountingSlot() as slot:

        def boxes_for(*table: Language) -> int:
            before = slot.boxes
            languages_offered(slot, tmp_path / "cache", table)
            return slot.boxes - before

        assert boxes_for(PYTHON) > 0
        assert boxes_for(PYTHON) == 0
        assert boxes_for(replace(PYTHON, env={"A": "1"})) > 0
        assert boxes_for(BROKEN) > 0
        assert boxes_for(BROKEN) > 0, "what failed may have been mended"


def test_without_a_folder_to_keep_it_in_it_is_found_all_the_same(
    slot: Slot, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert languages_offered(slot, tmp_path / "file" / "cache", (PYTHON,)) == ("python",)


def test_a_judging_in_another_language_is_handed_on(
    place: Workplace, slot: Slot, tmp_path: Path
) -> None:
    stock = LocalStock(place.shelf, tmp_path)
    unable = Bench(place.db, stock, slot, "unable", Offer(("cpp",), place.bell.ring))
    able = Bench(place.db, stock, slot, "able", Offer(("python",), place.bell.ring))
    submission, judging = place.admit()
    line = queue(place.bell.redis, "", Priority.INTERACTIVE, "python")

    unable.judge(judging.id)

    assert [job.args for job in line.get_jobs()] == [[judging.id]]
    assert place.view(submission).submission.status == "pending"
    assert line in queues(place.bell.redis, [""], ["python"])
    assert line not in queues(place.bell.redis, [""], ["cpp"])

    able.judge(judging.id)
    assert place.view(submission).submission.status == "accepted"
    unable.judge(judging.id)
    assert line.count == 1, "what is judged is not handed on"
