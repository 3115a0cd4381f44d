"""Results of any benchmark in a plain table."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import real_file

from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.bench_table import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "bench_table"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def of_text(text: str) -> Parsed:
    return parse("x.csv", text.encode())


def runs(parsed: Parsed) -> list[dict]:
    return [
        {**row, "settings": json.loads(row["settings"])} for row in parsed.tables["bench_runs"].to_pylist()
    ]


def points(parsed: Parsed, run: int = 0) -> list[tuple]:
    name = parsed.tables["bench_runs"]["run"][run].as_py()
    return [
        (row["metric"], row["value"], row["unit"], row["better"])
        for row in parsed.tables["bench_points"].to_pylist()
        if row["run"] == name
    ]


def codes(parsed: Parsed) -> set[str]:
    return {note.code.partition(".")[2] for note in parsed.notes}


def test_each_host_is_a_run_and_columns_without_a_meaning_are_settings():
    parsed = read(FIXTURES / "metrics.csv")
    first, second = runs(parsed)
    assert [run["settings"]["host"] for run in (first, second)] == ["wn01", "wn02"]
    assert first["settings"]["team"] == "vision"
    assert first["at"] == datetime(2025, 3, 4, 9, tzinfo=UTC)
    assert points(parsed) == [
        ("gemm_fp16", 612.4, "TFLOPS", "higher"),
        ("gemm_fp16", 611.9, "TFLOPS", "higher"),
        ("disk_read_latency", 1.31, "ms", "lower"),
    ]
    repeats = parsed.tables["bench_points"]["repeat"].to_pylist()
    assert repeats[:3] == [0, 1, 0]


def test_what_is_better_is_not_guessed_and_what_is_no_number_has_no_value():
    parsed = read(FIXTURES / "metrics.csv")
    assert points(parsed, 1)[1:] == [
        ("disk_read_latency", None, "ms", "lower"),
        ("fan_speed", 7200.0, "rpm", None),
    ]
    assert codes(parsed) == {"better_unknown"}


def test_throughput_is_a_run_for_each_number_of_nodes():
    parsed = read(FIXTURES / "throughput.csv")
    assert [run["nodes"] for run in runs(parsed)] == [1, 2, 4, 8]
    assert points(parsed, 3) == [("throughput", 2410.0, "samples/s", "higher")]
    assert {run["settings"]["model"] for run in runs(parsed)} == {"large"}


def test_steps_are_points_of_a_run():
    parsed = read(FIXTURES / "step_time.csv")
    assert len(runs(parsed)) == 2
    assert points(parsed, 1) == [
        *[("compute", 200.0 + step, "ms", "lower") for step in range(3)],
        *[("communication", 40.0, "ms", "lower")] * 3,
    ]


def test_collective_as_csv_has_both_halves():
    parsed = read(FIXTURES / "collective.csv")
    (run,) = runs(parsed)
    assert run["settings"] == {"type": "float", "redop": "sum", "root": "-1"}
    rows = parsed.tables["bench_points"].to_pylist()
    cells = {(row["metric"], row["qualifier"], row["size"]): row["value"] for row in rows}
    assert cells["busbw", "in_place", 16777216] == 67.19
    assert cells["wrong", "in_place", 16777216] is None
    assert cells["time", "out_of_place", 8388608] == 272.1
    assert not parsed.notes


def test_pairs_name_their_hosts():
    parsed = read(FIXTURES / "pairs.csv")
    hosts = [row["host"] for row in parsed.tables["bench_members"].to_pylist()]
    assert hosts == ["wn-001", "wn-002", "wn-001", "wn-007"]
    assert [run["kind"] for run in runs(parsed)] == ["alltoall_perf"] * 2
    assert points(parsed, 1) == [
        ("average_busbw", 5.72, "GB/s", "higher"),
        ("peak_busbw", 9.31, "GB/s", "higher"),
    ]


def test_json_is_read_with_its_size():
    parsed = read(FIXTURES / "metrics.json")
    assert points(parsed, 1) == [("stream_triad", 399.0, "GB/s", "higher")]
    assert parsed.tables["bench_points"]["size"].to_pylist() == [65536, 65536]


def test_json_lines_with_a_number_a_metric():
    parsed = read(FIXTURES / "nodes.jsonl")
    assert points(parsed) == [
        ("ib-loopback/write_bw:8388608", 24.1, None, None),
        ("mem-bw/h2d", 25.9, None, None),
    ]
    assert points(parsed, 1) == [("ib-loopback/write_bw:8388608", 11.8, None, None)]
    assert "row_cut" in codes(parsed)
    assert not parsed.whole


def test_row_with_too_few_cells_is_noted_and_the_others_are_used():
    text = (FIXTURES / "throughput.csv").read_text().replace("2,812.0,large", "2,812.0")
    parsed = of_text(text)
    assert [run["nodes"] for run in runs(parsed)] == [1, 4, 8]
    assert [(note.code, note.line) for note in parsed.notes] == [("bench_table.row_cut", 3)]


def test_last_row_without_a_line_end_is_left_out():
    text = (FIXTURES / "throughput.csv").read_text()
    parsed = of_text(text[:-5])
    assert [run["nodes"] for run in runs(parsed)] == [1, 2, 4]
    assert codes(parsed) == {"line_cut"}


def test_word_for_a_value_is_noted_with_its_line():
    parsed = of_text("nodes,throughput\n1,fast\n2,20.5\n")
    assert [point[1] for run in (0, 1) for point in points(parsed, run)] == [None, 20.5]
    assert [(note.code, note.line) for note in parsed.notes] == [("bench_table.bad_value", 2)]


def test_quotes_and_commas_within_cells():
    parsed = of_text('host,metric,value,better,remark\nn1,"read, random",3.5,lower,"a ""b"""\n')
    assert points(parsed) == [("read, random", 3.5, None, "lower")]
    assert runs(parsed)[0]["settings"]["remark"] == 'a "b"'


@pytest.mark.parametrize(
    "text",
    [
        "timestamp,source_id,node_guid,port_num,symbol_error\n1,2,3,4,5\n",
        "active_speed,fec_mode_active,raw_ber\nNDR,RS,1\n",
        "name,value\na,1\n",
        '{"status": 0, "host": "n1", "result": {"output": "x"}}',
        "Run it, then look, at the node and metric and value.\n",
        "nodes: 1, throughput: 2\n",
    ],
)
def test_other_tables_are_not_claimed(text):
    found = claimant("x.csv", text.encode())
    assert found is None or found.spec.name != "bench_table"


PAIRS = "example-cluster00__pairwise__runs__2511__without-debug__summary.csv"
SEEN = [
    ("alps/job-n-00008-N-0002.csv", 0, "busbw", 128, 0.01),
    ("alps/job-n-00008-N-0002.csv", 0, "time", 8, 18.84),
    (f"xxrjun/{PAIRS}", 2, "average_busbw", None, 5.76435),
]


@pytest.mark.parametrize(("file", "run", "metric", "size", "value"), SEEN)
def test_values_seen_in_real_files(file, run, metric, size, value):
    parsed = read(real_file(f"nccl/{file}"))
    name = parsed.tables["bench_runs"]["run"][run].as_py()
    rows = parsed.tables["bench_points"].to_pylist()
    found = next(row for row in rows if (row["run"], row["metric"], row["size"]) == (name, metric, size))
    assert found["value"] == value
    assert not parsed.notes
