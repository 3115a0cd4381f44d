"""Benchmarks over MPI: the OSU micro-benchmarks and GPCNet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import real_file

from ibforensic.parsers import Parsed, gpcnet, osu

FIXTURES = Path(__file__).parents[1] / "fixtures"
OSU = (FIXTURES / "osu" / "bw_and_latency.txt").read_text()
GPCNET = (FIXTURES / "gpcnet" / "load.txt").read_text()


def cells(parsed: Parsed, run: int = 0) -> dict[tuple, float]:
    name = parsed.tables["bench_runs"]["run"][run].as_py()
    return {
        (row["metric"], row["qualifier"], row["size"]): row["value"]
        for row in parsed.tables["bench_points"].to_pylist()
        if row["run"] == name
    }


def settings(parsed: Parsed) -> list[dict]:
    return [json.loads(text) for text in parsed.tables["bench_runs"]["settings"].to_pylist()]


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_osu_tests_of_one_file_are_runs():
    parsed = osu.parse("x", OSU.encode())
    assert parsed.tables["bench_runs"]["kind"].to_pylist() == [
        "osu_bw",
        "osu_mbw_mr",
        "osu_mpi_allreduce_latency",
    ]
    assert settings(parsed)[0]["buffers"].startswith("Send Buffer on DEVICE")
    assert settings(parsed)[1]["pairs"] == "32"
    assert not parsed.notes
    assert parsed.whole


def test_osu_megabytes_are_those_of_10_to_the_6_octets():
    parsed = osu.parse("x", OSU.encode())
    assert cells(parsed)["bandwidth", None, 1048576] == pytest.approx(48712.06 * 8 / 1e3)
    assert cells(parsed, 1)["message_rate", None, 1] == 148230000.12
    assert cells(parsed, 2)["latency", "max", 4] == 8.61
    assert parsed.tables["bench_points"]["printed"][2].as_py() == "48712.06 MB/s"


def test_osu_rate_that_contradicts_the_bandwidth_is_noted():
    assert codes(osu.parse("x", OSU.replace("93660.83", "83660.83").encode())) == {"osu.rate_differs"}


def test_osu_last_row_and_missing_results():
    parsed = osu.parse("x", OSU[:-1].encode())
    assert codes(parsed) == {"osu.line_cut", "osu.no_result"}
    assert parsed.tables["bench_runs"]["complete"].to_pylist() == [True, True, False]


def test_gpcnet_tables_are_runs_and_impact_factors_points():
    parsed = gpcnet.parse("x", GPCNET.encode())
    isolated, key = settings(parsed)
    assert (isolated["ranks"], isolated["nodes"]) == ("24", "12")
    assert key["table"].endswith("Key Results")
    assert cells(parsed)["RR Two-sided Lat", "99%", 8] == 3.6
    assert cells(parsed)["RR Two-sided BW+Sync", "avg(worst)", 131072] == 2410.0
    assert cells(parsed, 1) == {
        ("RR Two-sided Lat impact", "avg", 8): 1.4,
        ("RR Two-sided Lat impact", "99%", 8): 11.2,
    }
    better = {row["unit"]: row["better"] for row in parsed.tables["bench_points"].to_pylist()}
    assert better == {"usec": "lower", "MiB/s/rank": "higher", "x": "lower"}


def test_gpcnet_that_stopped_and_rows_that_are_cut_are_noted():
    text = GPCNET.replace("          3.6 |         usec |", "   ")
    parsed = gpcnet.parse("x", (text + "ERROR: out of memory\n").encode())
    assert codes(parsed) == {"gpcnet.row_cut", "gpcnet.test_failed"}
    assert not parsed.whole


PAGE = "other/blocks/HewlettPackard__shs-docs/developer_portal_performance_HSN_performance_benchmarking_md"
LOAD = "other/superbench/gpcnet_network_load.log"
SEEN = [
    (osu, f"{PAGE}.1.osu.txt", ("bandwidth", None, 4096), 367815.47 * 8e-3),
    (osu, f"{PAGE}.0.osu.txt", ("bandwidth", None, 1), 1.41 * 8e-3),
    (osu, f"{PAGE}.3.osu.txt", ("message_rate", None, 2), 595826601.66),
    (gpcnet, "other/superbench/gpcnet_network_test.log", ("RR Two-sided Lat", "avg", 8), 10000.0),
    (gpcnet, LOAD, ("Multiple Allreduce", "99.9%", 8), 10000.0),
    (gpcnet, LOAD, ("RR Two-sided BW+Sync", "min", 131072), 10000.0),
]


@pytest.mark.parametrize(("parser", "file", "point", "value"), SEEN)
def test_values_seen_in_real_files(parser, file, point, value):
    path = real_file(file)
    parsed = parser.parse(path.name, path.read_bytes())
    assert cells(parsed)[point] == pytest.approx(value)
    assert not parsed.notes
