"""Collectives over many GPUs: tables of nccl-tests, and what NCCL says in between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import CORPUS, real_file

from ibforensic.parsers import HEAD_BYTES, Parsed, claimant
from ibforensic.parsers.nccl import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "nccl"
MIXED = FIXTURES / "all_reduce_mixed.log"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def of_text(text: str, name: str = "x.log") -> Parsed:
    return parse(name, text.encode())


def runs(parsed: Parsed) -> list[dict]:
    rows = parsed.tables["bench_runs"].to_pylist()
    return [
        {**row, "settings": json.loads(row["settings"]), "path": json.loads(row["path"] or "{}")}
        for row in rows
    ]


def members(parsed: Parsed) -> list[dict]:
    return parsed.tables["bench_members"].to_pylist()


def points(parsed: Parsed, metric: str, qualifier: str | None = "out_of_place", run: int = 0) -> list[tuple]:
    name = parsed.tables["bench_runs"]["run"][run].as_py()
    return [
        (row["size"], row["value"])
        for row in parsed.tables["bench_points"].to_pylist()
        if (row["run"], row["metric"], row["qualifier"]) == (name, metric, qualifier)
    ]


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_a_row_that_others_spoke_into_is_put_together():
    parsed = read(MIXED)
    assert points(parsed, "busbw") == [
        (1048576, 35.55),
        (4194304, 55.93),
        (16777216, 65.29),
        (67108864, 68.14),
    ]
    assert points(parsed, "time", "in_place")[0] == (1048576, 44.69)
    assert points(parsed, "wrong")[0] == (1048576, 0)
    assert not parsed.notes
    assert parsed.whole


def test_command_over_several_lines_and_its_environment_are_kept():
    (run,) = runs(read(MIXED))
    assert run["kind"] == "all_reduce_perf"
    assert run["command"].startswith("mpirun -np 4 -H ml21:2,ml22:2")
    assert run["command"].endswith("all_reduce_perf -b 1M -e 64M -f 4 -g 1")
    assert run["settings"]["env_NCCL_IB_HCA"] == "mlx5_0,mlx5_1"
    assert run["settings"]["nccl_version"] == "2.26.5+cuda12.9"
    assert (run["nodes"], run["ranks"], run["complete"]) == (2, 4, True)


def test_path_tells_what_was_really_used():
    path = runs(read(MIXED))[0]["path"]
    assert path["networks"] == ["IB"]
    assert path["nics"] == ["mlx5_0:1/IB", "mlx5_1:1/IB"]
    assert (path["gdr_connections"], path["net_connections"]) == (4, 5)
    assert path["channels"] == {"coll": 2, "collnet": 0, "nvls": 0, "p2p": 2}
    assert path["rings"] == 2
    assert path["socket_fallback"] is False
    assert path["sharp_connected"] is False
    assert "sharp_requested" not in path


def test_ranks_have_hosts_gpus_and_the_devices_they_sent_through():
    found = [(m["rank"], m["host"], m["gpu"], m["device"]) for m in members(read(MIXED))]
    assert found == [
        (0, "ml21", "0000:18:00", "mlx5_0:1"),
        (1, "ml21", "0000:2a:00", "mlx5_1:1"),
        (2, "ml22", "0000:18:00", "mlx5_0:1"),
        (3, "ml22", "0000:2a:00", "mlx5_1:1"),
    ]


def test_rings_and_trees_are_kept_and_told_apart():
    parsed = read(MIXED)
    rows = parsed.raw["nccl_graph"].to_pylist()
    assert ("ring", "01", "0 3 2 1") in {(row["kind"], row["number"], row["value"]) for row in rows}
    other = of_text(MIXED.read_text().replace("0   3   2   1", "0   2   1   3"))
    assert runs(other)[0]["path"]["graph"] != runs(parsed)[0]["path"]["graph"]


def test_sharp_is_told_under_tags_within_lines():
    parsed = read(FIXTURES / "sharp_tagged.log")
    (run,) = runs(parsed)
    assert run["path"]["sharp_requested"] is True
    assert run["path"]["sharp_connected"] is True
    assert run["path"]["algorithms"] == {"COLLNET_DIRECT/SIMPLE": 1}
    assert run["path"]["plugins"] == ["IBext_v8"]
    assert run["settings"]["tests_version"] == "2.17.6"
    assert run["settings"]["nccl_version"] == "2.28.7"
    assert [m["device"] for m in members(parsed)] == ["mlx5_7:1", "mlx5_7:1"]
    assert len(points(parsed, "algbw")) == 3
    assert not parsed.notes


def test_sharp_that_was_asked_for_and_not_connected_is_told():
    text = (FIXTURES / "sharp_tagged.log").read_text()
    plain = text.replace("CollNet 00/0 : 0 [", "Channel 00/0 : 0[0] -> 1[0] [").replace(
        "CollNet 00/0 : 1 [", "Channel 00/0 : 1[0] -> 0[0] ["
    )
    path = runs(of_text(plain.replace("COLLNET/SHARP", "NET/IBext_v8")))[0]["path"]
    assert (path["sharp_requested"], path["sharp_connected"]) == (True, False)


def test_settings_of_sharp_are_compared():
    text = (FIXTURES / "sharp_tagged.log").read_text()
    keys = [
        of_text(version).tables["bench_runs"]["comparable_by"][0].as_py()
        for version in (
            text,
            text.replace("ENABLE set by environment to 1", "ENABLE set by environment to 0"),
        )
    ]
    assert keys[0] != keys[1]


def test_log_of_a_training_is_a_run_without_points():
    parsed = read(FIXTURES / "training_over_sockets.log")
    (run,) = runs(parsed)
    assert run["kind"] == "nccl_debug"
    assert run["path"]["socket_fallback"] is True
    assert run["path"]["gdr_connections"] == 0
    assert "with error 12" in run["path"]["warnings"][0]
    assert [(m["rank"], m["host"], m["gpu"]) for m in members(parsed)] == [
        (0, "n1", "0000:3b:00"),
        (1, "n2", "0000:3b:00"),
    ]
    assert "bench_points" not in parsed.tables
    assert codes(parsed) == {"nccl.warned"}


def test_several_jobs_and_old_columns():
    parsed = read(FIXTURES / "two_jobs_old_columns.log")
    gather, reduce = runs(parsed)
    assert [gather["kind"], reduce["kind"]] == ["all_gather_perf", "reduce_perf"]
    assert "redop" not in gather["settings"]
    assert reduce["settings"]["redop"] == "sum"
    assert points(parsed, "error") == [(0, 2e-07), (0, 2e-07), (1048576, 2e-07), (4194304, 2e-07)]
    assert points(parsed, "error", "in_place")[0] == (0, None)
    assert len(points(parsed, "average_busbw", None, run=1)) == 1
    assert [(m["rank"], m["gpu"]) for m in members(parsed)][:2] == [(0, "0x07"), (1, "0x0f")]


def test_points_of_one_size_are_numbered():
    rows = read(FIXTURES / "two_jobs_old_columns.log").tables["bench_points"].to_pylist()
    keys = [(row["run"], row["metric"], row["size"], row["qualifier"], row["repeat"]) for row in rows]
    assert len(set(keys)) == len(keys)


def test_total_that_the_rows_do_not_give_is_noted():
    text = MIXED.read_text()
    lines = text.splitlines(keepends=True)
    without = "".join(line for line in lines if not line.startswith("    16777216"))
    assert "nccl.average_differs" not in codes(of_text(text))
    parsed = of_text(without)
    assert "nccl.average_differs" in codes(parsed)
    assert not parsed.whole


def test_wrong_results_are_noted():
    text = MIXED.read_text().replace("values : 0 OK", "values : 12 FAILED")
    assert "nccl.wrong_results" in codes(of_text(text))


def test_row_without_its_end_is_noted():
    text = MIXED.read_text()
    cut = text.replace("    44.25   23.70   35.55      0    44.69   23.46   35.20      0\n", "")
    parsed = of_text(cut)
    assert "nccl.row_cut" in codes(parsed)
    assert [size for size, _ in points(parsed, "busbw")] == [4194304, 16777216, 67108864]


def test_last_row_without_a_line_end_is_left_out():
    text = MIXED.read_text()
    cut = text[: text.index("   67.47") + 7]
    parsed = of_text(cut)
    assert [size for size, _ in points(parsed, "busbw")][-1] == 16777216
    assert "nccl.line_cut" in codes(parsed)
    assert runs(parsed)[0]["complete"] is False


def test_ranks_whose_lines_are_missing_are_noted_and_hosts_not_counted():
    text = MIXED.read_text()
    cut = "".join(
        line for line in text.splitlines(keepends=True) if " nNodes " not in line and "Rank  0" not in line
    )
    parsed = of_text(cut)
    assert "nccl.ranks_missing" in codes(parsed)
    assert runs(parsed)[0]["nodes"] is None
    assert runs(parsed)[0]["ranks"] == 4


def test_numbers_of_tasks_before_lines_are_taken_off():
    text = "".join(f"  0: {line}" for line in MIXED.read_text().splitlines(keepends=True))
    assert points(of_text(text), "busbw") == points(read(MIXED), "busbw")


def test_tables_of_several_hosts_under_their_names_are_not_mixed():
    lines = (FIXTURES / "two_jobs_old_columns.log").read_text().splitlines()
    text = "".join(f"{host}: {line}\n" for line in lines for host in ("na1", "na2"))
    parsed = of_text(text)
    assert [run["settings"]["host"] for run in runs(parsed)] == ["na1", "na1", "na2", "na2"]
    assert not codes(parsed)


def test_several_types_are_runs_of_their_own():
    text = MIXED.read_text()
    row = next(line for line in text.splitlines(keepends=True) if line.startswith("     4194304"))
    parsed = of_text(text.replace(row, row + row.replace("float", " half")))
    assert [run["settings"]["type"] for run in runs(parsed)] == ["float", "half"]
    assert len(points(parsed, "busbw", run=1)) == 1


@pytest.mark.parametrize(
    ("name", "kind"), [("nccl_allgather.log", "all_gather_perf"), ("gathered.log", "all_reduce_perf")]
)
def test_collective_is_told_by_the_name_of_the_file_or_by_what_it_alone_can_print(name, kind):
    text = MIXED.read_text()
    table = text[text.index("#       size") :]
    assert runs(of_text(table, name))[0]["kind"] == kind


def test_titles_of_another_shape_do_no_harm():
    text = MIXED.read_text().replace("algbw", "algbw[GB/s]")
    parsed = of_text(text[text.index("#       size") :])
    assert runs(parsed)[0]["kind"] == "nccl_tests"
    assert len(points(parsed, "busbw")) == 4
    assert "nccl.unknown_column" in codes(parsed)


def test_prose_about_nccl_is_not_claimed():
    prose = b"# Network\n```\nNCCL INFO NET/IB : Using [0]mlx5_0:1/IB\n```\nand busbw is what counts\n"
    assert claimant("README.md", prose) is None
    assert claimant("notes.txt", b"size time algbw and busbw are explained; set NCCL_DEBUG=INFO\n") is None


SEEN = [
    ("superbench/nccl_allreduce.log", "busbw", "out_of_place", 8589934592, 235.26),
    ("superbench/nccl_alltoall.log", "algbw", "in_place", 16384, 0.19),
    ("superbench/nccl_reduce.log", "time", "out_of_place", 8192, 36.80),
    ("odissei/2nodes-all_reduce.log", "busbw", "out_of_place", 2097152, 42.10),
    ("odissei/2nodes-all_reduce.log", "busbw", "in_place", 8589934592, 156.30),
    ("issues/nccl-tests-319-h100x16.txt", "time", "out_of_place", 17179869184, 360942),
    ("issues/nccl-tests-293-a100pcie-hdr-debug-info.txt", "algbw", "out_of_place", 1048576, 0.31),
    ("keitaw/nccl-test-output.log", "time", "in_place", 8, 74.97),
]


@pytest.mark.parametrize(("file", "metric", "qualifier", "size", "value"), SEEN)
def test_values_seen_in_real_files(file, metric, qualifier, size, value):
    assert dict(points(read(real_file(f"nccl/{file}")), metric, qualifier))[size] == value


def test_paths_seen_in_real_logs():
    sharp = runs(read(real_file("nccl/issues/nccl-sharp-collnet-a100.excerpt.log")))[0]
    assert (sharp["path"]["sharp_requested"], sharp["path"]["sharp_connected"]) == (True, True)
    plain = read(real_file("nccl/odissei/2nodes-all_reduce.log"))
    assert runs(plain)[0]["path"]["nics"][:2] == ["mlx5_0:1/RoCE", "mlx5_2:1/IB"]
    assert members(plain)[1]["device"] == "mlx5_2:1"
    efa = runs(read(real_file("nccl/keitaw/nccl-test-output.log")))[0]
    assert efa["path"]["networks"] == ["AWS Libfabric"]
    assert efa["path"]["channels"]["nvls"] == 16


EXCERPTS = ("topology_aware_nccl_tests_README_md.14", "benchmarks_nccl_tests_README_md.17", "gcp_md.12")
"""Pages from which the author took rows out; the total says so."""


def test_all_totals_of_real_files_agree_with_their_rows():
    real_file("nccl")
    checked = 0
    for path in sorted((CORPUS / "nccl").rglob("*.*")):
        data = path.read_bytes() if path.is_file() else b""
        parser = claimant(path.name, data[:HEAD_BYTES])
        if parser is not None and parser.spec.name == "nccl":
            parsed = parse(path.name, data)
            excerpt = any(word in path.name for word in EXCERPTS)
            assert ("nccl.average_differs" in codes(parsed)) == excerpt, path
            assert "nccl.row_cut" not in codes(parsed), path
            checked += sum(row["complete"] is True for row in runs(parsed))
    assert checked > 40


HOSTILE = (
    "# Avg bus bandwidth    : 1.2.3",
    "# Avg bus bandwidth    : N/A",
    "# Avg bus bandwidth    : -nan",
    f"#  Rank {'9' * 30} Group  0 Pid 1 on h device 0 [0x1] g",
    f"h:1:2 [0] NCCL INFO comm 0x1 rank {'9' * 20} nRanks {'9' * 20} nNodes 1 localRanks 1",
    f"{'9' * 25}  1 float sum -1 1 1 1 0 1 1 1 0",
    f"# Out of bounds values : {'9' * 5000} OK",
    f"h:1:2 [0] NCCL INFO {'9' * 5000} coll channels, 1 p2p channels",
    "8  2 float sum -1 nan inf 1 0 1 1 1 0",
    "x" * 300_000,
)


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_lines_that_no_tool_prints_do_no_harm(line):
    lines = MIXED.read_text().splitlines()
    for at in (0, 3, len(lines) - 6, len(lines) - 1):
        parsed = of_text("\n".join([*lines[:at], line, *lines[at:]]) + "\n")
        assert (67108864, 68.14) in points(parsed, "busbw", run=0)
