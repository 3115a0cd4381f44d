"""The log of a collection: its time, and notes about what was not collected."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ibforensic.parsers.collect_log import parse

TEXT = (Path(__file__).parents[1] / "fixtures" / "collect_log" / "collect.json").read_text()


def notes(text: str) -> dict[str, str]:
    return {note.code.removeprefix("collect_log."): note.message for note in parse("c", text.encode()).notes}


def changed(**values) -> str:
    return json.dumps(json.loads(TEXT) | values)


def test_the_run_has_the_time_of_the_collection():
    parsed = parse("collect.json", TEXT.encode())
    (run,) = parsed.tables["runs"].to_pylist()
    assert (run["tool"], run["tool_version"], run["host"]) == ("ibforensic collect", "0.1.0", "mgmt1")
    assert run["began_at"].replace(microsecond=0) == datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert run["ended_at"] == datetime(2030, 1, 2, 3, 6, 5, tzinfo=UTC)
    assert parsed.whole


def test_what_was_not_collected_is_noted_with_what_the_tool_said():
    told = notes(TEXT)
    failed = [note.message for note in parse("c", TEXT.encode()).notes if note.code.endswith("step_failed")]
    assert failed[0] == "iblinkinfo on mgmt1 took too long"
    assert failed[1].startswith("ibstat on gpu01 failed with status 255: ibpanic: [7] main")
    assert "gpu03 did not answer: ssh: connect to host gpu03" in told["unreachable"]
    assert told["tool_missing"] == "not installed: mlxlink (2 hosts)"
    assert "infiniband-diags were asked instead" in told["remark"]


def test_an_interrupted_collection_is_used_and_noted():
    parsed = parse("c", changed(ended_at=None).encode())
    assert parsed.tables["runs"]["ended_at"].to_pylist() == [None]
    assert not parsed.whole
    assert "no_end" in notes(changed(ended_at=None))


def test_a_log_that_is_cut_gives_its_begin():
    parsed = parse("c", TEXT[:400].encode())
    (run,) = parsed.tables["runs"].to_pylist()
    assert run["host"] == "mgmt1"
    assert run["began_at"].year == 2030
    assert "file_cut" in notes(TEXT[:400])
    assert not parsed.whole


@pytest.mark.parametrize(
    "values",
    [
        {"steps": None, "missing": [], "remarks": 7},
        {"steps": [None, 3, {"outcome": [], "tool": {}}], "missing": {"a": "b", "c": []}},
        {"began_at": "2030-01-02T03:04:05", "ended_at": 5},
        {"began_at": {"a": 1}},
        {"began_at": "0001-01-01T00:00:00+14:00"},
        {"format": "ibforensic.collect/9"},
    ],
)
def test_odd_values_do_no_harm(values):
    parsed = parse("c", changed(**values).encode())
    began = [row["began_at"] for row in parsed.tables["runs"].to_pylist()] if parsed.tables else []
    assert all(moment.tzinfo is not None for moment in began)


def test_an_end_before_the_begin_is_no_end():
    parsed = parse("c", changed(ended_at="2029-01-01T00:00:00+00:00").encode())
    assert parsed.tables["runs"]["ended_at"].to_pylist() == [None]
