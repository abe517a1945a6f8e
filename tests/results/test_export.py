"""Exports out of a real database: the same records in every format, and a feed that holds up."""

import csv
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from click.testing import Result
from sqlalchemy import insert

from judge.model import Verdict
from judge.results.export import SCHEMA_VERSION, Kind
from judge.results.export.feed import JUDGEMENT_TYPE_OF, JUDGEMENT_TYPES
from judge.results.export.kinds import COLUMNS
from judge.results.stored import import_registry
from judge.store import scan
from judge.store.tables import Event, TestRow
from tests.results.conftest import Archive

Run = Callable[..., Result]


@pytest.fixture
def submitted(archive: Archive) -> list[int]:
    """Five submissions of two participants to two problems, one of them still waiting."""
    basic, shop = archive.problem("basic"), archive.problem("shop")
    codex, claude = archive.participant("codex", "gpt"), archive.participant("claude", "opus")
    ids = [
        archive.submit(codex, basic, 30, message='says "hello",\n<b>π</b> \x00'),
        archive.submit(codex, basic, 100, Verdict.ACCEPTED),
        archive.submit(codex, shop, 0, Verdict.SYSTEM_ERROR),
        archive.submit(claude, basic, 50, Verdict.MEMORY_LEAK),
        archive.submit(claude, shop, None),
    ]
    with archive.db.write() as session:
        for number, verdict in ((1, Verdict.ACCEPTED), (2, Verdict.WRONG_ANSWER)):
            session.add(
                TestRow(judging_id=1, test=f"{number:02}", verdict=verdict, score=1, cpu_ns=5)
            )
        session.add(
            Event(
                actor_id=codex.id,
                action="abort",
                record="submission",
                record_id=1,
                details={"why": "π"},
            )
        )
    return ids


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.usefixtures("submitted")
def test_every_format_holds_the_same(run: Run, tmp_path: Path, kind: Kind) -> None:
    for form in ("ndjson", "csv", "parquet"):
        result = run("export", kind, "--out", tmp_path / f"all.{form}")
        assert result.exit_code == 0, result.output
    objects = lines(tmp_path / "all.ndjson")
    assert objects
    assert list(objects[0]) == COLUMNS[kind].names

    table = pa.parquet.read_table(tmp_path / "all.parquet")
    assert table.schema.metadata[b"adjudge_schema_version"] == str(SCHEMA_VERSION).encode()
    from_parquet = [_plain(record, kind) for record in table.to_pylist()]
    assert from_parquet == objects

    schema = COLUMNS[kind].schema
    options = pa.csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    parse = pa.csv.ParseOptions(newlines_in_values=True)
    read = pa.csv.read_csv(tmp_path / "all.csv", convert_options=options, parse_options=parse)
    assert [_plain(record, kind) for record in read.to_pylist()] == objects


def _plain(record: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """As NDJSON has it."""
    for name, value in record.items():
        if isinstance(value, datetime):
            record[name] = value.isoformat(timespec="microseconds")
        elif name in COLUMNS[kind].nested:
            record[name] = json.loads(value)
    return record


def test_the_columns_are_a_promise(run: Run, submitted: list[int], tmp_path: Path) -> None:
    run("export", "submissions", "--out", tmp_path / "s.ndjson")
    first = lines(tmp_path / "s.ndjson")[0]
    assert (first["id"], first["problem"], first["score"]) == (submitted[0], "basic", 30)
    assert (first["agent"], first["status"], first["charged"]) == ("codex", "wrong_answer", True)
    assert " ".join(first) == (
        "id user_id user agent model round problem_id problem points entry language url commit"
        " created_at status charged score message judging_id generation package cpu_ns wall_ns"
        " memory_bytes disk_bytes files started_at finished_at"
    )


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ([], [0, 1, 2, 3, 4]),
        (["--agent", "codex"], [0, 1, 2]),
        (["--agent", "codex", "--agent", "claude", "--model", "opus"], [3, 4]),
        (["--user", "codex-1"], [0, 1, 2]),
        (["--problem", "shop"], [2, 4]),
        (["--problem", "1", "--problem", "2", "--status", "accepted"], [1]),
        (["--counted"], [0, 1, 3]),
        (["--since", "2020-01-01", "--until", "2021-01-01"], []),
        (["--since", "2020-01-01T00:00:00Z"], [0, 1, 2, 3, 4]),
        (["--user", "nobody"], []),
    ],
)
def test_filters_narrow(
    run: Run, submitted: list[int], tmp_path: Path, words: list[str], positions: list[int]
) -> None:
    result = run("export", "submissions", *words, "--out", tmp_path / "s.ndjson")
    assert result.exit_code == 0, result.output
    found = [record["id"] for record in lines(tmp_path / "s.ndjson")]
    assert found == [submitted[position] for position in positions]


def test_a_benchmark_narrows_too(
    archive: Archive, run: Run, submitted: list[int], tmp_path: Path
) -> None:
    registry = tmp_path / "r.json"
    registry.write_text('{"problems": {"007": {"acmoj_id": "2510"}}}')
    import_registry(archive.db, registry, name="pdb", serve={2510: "basic"})
    run("export", "submissions", "--benchmark", "pdb", "--out", tmp_path / "s.ndjson")
    found = lines(tmp_path / "s.ndjson")
    assert [record["id"] for record in found] == [submitted[n] for n in (0, 1, 3)]
    assert {record["entry"] for record in found} == {"007"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["submissions", "--benchmark", "none"], "there is no benchmark 'none'"),
        (["submissions", "--problem", "none"], "there is no problem 'none'"),
        (["submissions", "--problem", "99"], "there is no problem 99"),
        (["nonsense"], "'nonsense' is not one of"),
        (["tests", "--since", "yesterday"], "does not match the format"),
    ],
)
@pytest.mark.usefixtures("submitted")
def test_bad_words_leave_no_file(run: Run, tmp_path: Path, words: list[str], message: str) -> None:
    result = run("export", *words, "--out", tmp_path / "out.csv")
    assert result.exit_code != 0
    assert message in result.output
    assert not list(tmp_path.glob("*out.csv*"))


@pytest.mark.usefixtures("submitted")
def test_standard_output_holds_records_alone(run: Run) -> None:
    result = run("export", "submissions", "--format", "csv")
    records = list(csv.DictReader(result.stdout.splitlines()))
    assert records[1]["status"] == "accepted"


def test_an_empty_export_is_a_file_of_its_kind(run: Run, archive: Archive, tmp_path: Path) -> None:
    assert archive
    for form in ("ndjson", "csv", "parquet"):
        run("export", "tests", "--out", tmp_path / f"t.{form}")
    assert (tmp_path / "t.ndjson").read_bytes() == b""
    assert (tmp_path / "t.csv").read_text().startswith('"submission_id","judging_id"')
    assert pa.parquet.read_table(tmp_path / "t.parquet").num_rows == 0


def test_chunks_join_without_a_seam(
    archive: Archive, submitted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [
        {
            "judging_id": judging,
            "test": f"{n:02}",
            "verdict": Verdict.ACCEPTED,
            "score": 1.0,
            "message": "",
        }
        for judging in (2, 3, 4)
        for n in range(5)
    ]
    with archive.db.write() as session:
        session.connection().execute(insert(TestRow), many)
    whole = list(scan.results_of_tests(archive.db, scan.EVERYTHING))
    assert len(whole) == 17
    for size in (1, 2, 3, 5, 17):
        monkeypatch.setattr(scan, "CHUNK", size)
        assert list(scan.results_of_tests(archive.db, scan.EVERYTHING)) == whole
        assert [row.id for row in scan.submissions(archive.db)] == submitted


def test_the_feed_is_a_contest(run: Run, submitted: list[int], tmp_path: Path) -> None:
    result = run("export", "feed", "--out", tmp_path / "feed.ndjson")
    assert result.exit_code == 0, result.output
    known: dict[str, set[str]] = {}
    references = {
        "language_id": "languages",
        "problem_id": "problems",
        "team_id": "teams",
        "submission_id": "submissions",
        "judgement_type_id": "judgement-types",
    }
    events = lines(tmp_path / "feed.ndjson")
    for event in events:
        for name, kind in references.items():
            if event["data"].get(name) is not None:
                assert event["data"][name] in known[kind], event
        if event["id"] is not None:
            assert event["id"] == event["data"]["id"]
        known.setdefault(event["type"], set()).add(event["data"]["id"])
    assert len({event["token"] for event in events}) == len(events)
    assert known["submissions"] == {str(id_) for id_ in submitted}
    judged = {
        event["data"]["submission_id"]: (event["data"]["judgement_type_id"], event["data"]["score"])
        for event in events
        if event["type"] == "judgements"
    }
    assert judged == {
        str(submitted[0]): ("WA", 30),
        str(submitted[1]): ("AC", 100),
        str(submitted[2]): ("JE", 0),
        str(submitted[3]): ("RTE", 50),
    }
    assert events[0]["type"] == "contest"
    first = next(event["data"] for event in events if event["type"] == "submissions")
    assert first["contest_time"] == "0:00:00.000"


def test_every_verdict_has_a_judgement_type() -> None:
    assert set(JUDGEMENT_TYPE_OF) == set(Verdict)
    assert set(JUDGEMENT_TYPE_OF.values()) == set(JUDGEMENT_TYPES)
