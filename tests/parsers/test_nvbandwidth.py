"""nvbandwidth: tests as runs, cells of their tables as points."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import real_file

from ibforensic.parsers import claimant, nvbandwidth

NAME = "node07_nvbandwidth.txt"
TEXT = (Path(__file__).parents[1] / "fixtures" / "nvbandwidth" / NAME).read_text()
REAL = "other/superbench/nvbandwidth_results.log"


def points(parsed):
    """Test and qualifier → value and what was printed."""
    tests = {
        row["run"]: json.loads(row["settings"])["test"] for row in parsed.tables["bench_runs"].to_pylist()
    }
    return {
        (tests[row["run"]], row["qualifier"]): (row["value"], row["unit"], row["printed"])
        for row in parsed.tables["bench_points"].to_pylist()
    }


def codes(parsed):
    return {note.code for note in parsed.notes}


def test_cells_and_sum_of_each_test_are_points():
    parsed = nvbandwidth.parse(NAME, TEXT.encode())
    found = points(parsed)
    assert found["host_to_device_memcpy_ce", "row 0 column 1"] == (436.0, "Gb/s", "54.50 GB/s")
    assert found["host_to_device_memcpy_ce", None] == (878.0, "Gb/s", "109.75 GB/s")
    assert found["host_device_latency_sm", "row 0 column 0"] == (0.8, "us", "800.00 ns")
    assert parsed.whole
    assert parsed.notes == ()


def test_a_gpu_does_not_talk_to_itself_and_that_is_not_zero():
    found = points(nvbandwidth.parse(NAME, TEXT.encode()))
    cells = {place for test, place in found if test == "device_to_device_memcpy_read_ce"}
    assert cells == {"row 0 column 1", "row 1 column 0", None}


def test_digits_of_other_scripts_are_digits():
    parsed = nvbandwidth.parse(NAME, TEXT.replace("54.50", "\u0665\u0664.50").encode())
    assert points(parsed)["host_to_device_memcpy_ce", "row 0 column 1"][0] == 436.0
    assert points(parsed)["host_to_device_memcpy_ce", None][0] == 878.0


@pytest.mark.parametrize("cell", ["1e5", "inf", "-1.0", "1234567890123", "5.", ".5", "0.1234567"])
def test_what_no_row_shows_is_no_point(cell):
    parsed = nvbandwidth.parse(NAME, TEXT.replace("54.50", cell, 1).encode())
    assert ("host_to_device_memcpy_ce", "row 0 column 1") not in points(parsed)
    assert ("host_to_device_memcpy_ce", None) in points(parsed)


def test_gpus_are_members_on_the_host_of_the_file_name():
    parsed = nvbandwidth.parse(NAME, TEXT.encode())
    members = parsed.tables["bench_members"].to_pylist()
    assert {(row["host"], row["rank"], row["gpu"]) for row in members} == {
        ("node07", 0, "00000000:18:00"),
        ("node07", 1, "00000000:2a:00"),
    }


def test_what_is_cut_is_noted_and_left_out():
    parsed = nvbandwidth.parse(NAME, TEXT.replace(" 0     55.25     54.50", " 0     55.25").encode())
    assert codes(parsed) == {"nvbandwidth.row_cut"}
    assert ("host_to_device_memcpy_ce", "row 0 column 0") not in points(parsed)
    parsed = nvbandwidth.parse(NAME, TEXT[: TEXT.index("109.75") + 3].encode())
    assert codes(parsed) == {"nvbandwidth.line_cut"}
    assert ("host_to_device_memcpy_ce", None) not in points(parsed)
    assert not parsed.whole


def test_output_of_two_hosts_in_one_file_keeps_their_gpus_apart():
    other = TEXT.replace(":18:00", ":5d:00").replace(":2a:00", ":75:00")
    members = nvbandwidth.parse("x", (TEXT + other).encode()).tables["bench_members"].to_pylist()
    gpus = [{row["gpu"][-5:] for row in members if row["run"].endswith(f"#{run}")} for run in (0, 5)]
    assert gpus == [{"18:00", "2a:00"}, {"5d:00", "75:00"}]


def test_units_that_are_not_known_are_left_out():
    parsed = nvbandwidth.parse(NAME, TEXT.replace("(ns)", "(ticks)").encode())
    assert codes(parsed) == {"nvbandwidth.unknown_column"}
    assert "host_device_latency_sm" not in {test for test, _ in points(parsed)}


@pytest.mark.parametrize(
    ("test", "place", "printed"),
    [
        ("host_to_device_memcpy_ce", "row 1 column 2", "312.11 GB/s"),
        ("device_to_host_memcpy_ce", None, "607.26 GB/s"),
        ("host_device_latency_sm", "row 0 column 0", "772.58 ns"),
    ],
)
def test_real_output(test, place, printed):
    path = real_file(REAL)
    parser = claimant(path.name, path.read_bytes())
    assert parser is not None
    assert parser.spec.name == "nvbandwidth"
    parsed = parser.parse(path.name, path.read_bytes())
    assert points(parsed)[test, place][2] == printed
    assert parsed.tables["bench_runs"].num_rows == 15
    assert parsed.whole
