"""Bandwidth and latency between two hosts, as perftest prints them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import CORPUS, real_file

from ibforensic.parsers import HEAD_BYTES, Parsed, claimant
from ibforensic.parsers.perftest import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "perftest"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def of_text(text: str) -> Parsed:
    return parse("x.txt", text.encode())


def runs(parsed: Parsed) -> list[dict]:
    rows = parsed.tables["bench_runs"].to_pylist()
    return [{**row, "settings": json.loads(row["settings"])} for row in rows]


def members(parsed: Parsed) -> list[dict]:
    return parsed.tables["bench_members"].to_pylist()


def values(parsed: Parsed, metric: str, qualifier: str | None, run: int = 0) -> dict[int, float]:
    name = parsed.tables["bench_runs"]["run"][run].as_py()
    return {
        row["size"]: row["value"]
        for row in parsed.tables["bench_points"].to_pylist()
        if (row["run"], row["metric"], row["qualifier"]) == (name, metric, qualifier)
    }


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_memory_of_host_and_gpu_are_told_apart_and_a_test_that_failed_is_kept():
    parsed = read(FIXTURES / "host_and_gpu.txt")
    gpu, host, failed = runs(parsed)
    assert [run["settings"]["memory"] for run in (gpu, host, failed)] == ["gpu", "host", "host"]
    assert gpu["settings"]["gpu"] == "43:00"
    assert gpu["settings"]["gpu_model"] == "NVIDIA B300 SXM6 AC"
    assert values(parsed, "bandwidth", "average", 0) == {65536: 780.11}
    assert values(parsed, "bandwidth", "peak", 1) == {65536: 458.20}
    assert [run["complete"] for run in (gpu, host, failed)] == [True, True, False]
    assert json.loads(failed["path"])["failures"][0] == "Port number 1 state is Down"
    assert host["command"] == "ib_write_bw -d mlx5_4 -F --report_gbits ml08"
    assert gpu["comparable_by"] != host["comparable_by"]
    assert codes(parsed) == {"perftest.test_failed"}
    assert not parsed.whole


def test_client_is_rank_0_and_hexadecimal_lids_become_numbers():
    client, server = members(read(FIXTURES / "host_and_gpu.txt"))[:2]
    assert (client["rank"], client["host"], client["device"], client["lid"]) == (0, "ml07", "mlx5_4", 172)
    assert (server["rank"], server["host"], server["device"], server["lid"]) == (1, "ml08", None, 193)


def test_server_is_rank_1_where_it_waited_for_a_client():
    parsed = read(FIXTURES / "server_all_sizes.txt")
    client, server = members(parsed)
    assert (client["host"], client["lid"]) == (None, 0x2C)
    assert (server["host"], server["device"], server["lid"]) == ("cpu03", "mlx5_2", 0x17)
    (run,) = runs(parsed)
    assert run["kind"] == "ib_send_bw"
    assert run["settings"]["role"] == "server"
    assert run["settings"]["direction"] == "both"
    assert run["settings"]["sizes"] == "2-8388608"
    assert run["settings"]["cpu_frequency_conflicts"] == 23


def test_megabytes_are_those_of_2_to_the_20_octets():
    parsed = read(FIXTURES / "server_all_sizes.txt")
    average, rate = (values(parsed, *what) for what in (("bandwidth", "average"), ("message_rate", None)))
    assert len(average) == 23
    assert average[8388608] == pytest.approx(46120.0 * 2**20 * 8 / 1e9)
    assert average[8388608] == pytest.approx(rate[8388608] * 8388608 * 8 / 1e3, rel=1e-3)
    point = next(p for p in parsed.tables["bench_points"].to_pylist() if p["size"] == 8388608)
    assert (point["printed"], point["unit"], point["better"]) == ("46581.20 MB/sec", "Gb/s", "higher")
    assert not codes(parsed)


def test_latency_over_ethernet_has_a_gid_and_no_lid():
    parsed = read(FIXTURES / "ib_read_lat_sn211.txt")
    (run,) = runs(parsed)
    assert run["kind"] == "ib_read_lat"
    assert run["settings"]["host"] == "sn211"
    assert run["settings"]["outstand_reads"] == "16"
    assert [member["lid"] for member in members(parsed)] == [None, None]
    assert members(parsed)[1]["gid"].endswith("192:00:02:12")
    assert values(parsed, "latency", "average") == {2: 3.25, 4: 3.25, 8: 3.25, 16: 3.25}
    assert values(parsed, "latency", "p99.9")[16] == 13.4
    assert {p["better"] for p in parsed.tables["bench_points"].to_pylist()} == {"lower"}


def test_hosts_under_names_before_the_lines_are_not_mixed():
    parsed = read(FIXTURES / "two_hosts_mixed.txt")
    first, second = runs(parsed)
    assert [run["settings"]["host"] for run in (first, second)] == ["gpu-a01", "gpu-a02"]
    assert values(parsed, "bandwidth", "average", 0) == {65536: 197.58}
    assert values(parsed, "bandwidth", "average", 1) == {65536: 98.83}
    assert [member["lid"] for member in members(parsed)] == [0x31, 0x33, 0x32, 0x33]


def test_what_changes_with_every_run_is_not_compared():
    text = (FIXTURES / "host_and_gpu.txt").read_text()
    again = text.replace("QPN 0x0051", "QPN 0x0777").replace("[pid = 41327", "[pid = 9")
    one, other = (of_text(version).tables["bench_runs"]["settings"] for version in (text, again))
    assert again != text
    assert one.equals(other)


def test_queue_pairs_and_mtu_are_compared():
    text = (FIXTURES / "two_hosts_mixed.txt").read_text()
    for old, new in (("qps   : 2", "qps   : 4"), (": 4096[B]", ": 2048[B]")):
        one, other = (of_text(version).tables["bench_runs"] for version in (text, text.replace(old, new)))
        assert one["comparable_by"][0] != other["comparable_by"][0]


def test_iterations_of_a_test_with_a_duration_are_a_result():
    text = (FIXTURES / "host_and_gpu.txt").read_text().replace(" -F --report", " -D 10 --report")
    keys = [
        of_text(version).tables["bench_runs"]["comparable_by"][0].as_py()
        for version in (text, text.replace(" 5000 ", " 5113 "))
    ]
    assert json.loads(keys[0])["duration"] == "10"
    assert keys[0] == keys[1]


def test_last_row_without_a_line_end_is_left_out():
    text = (FIXTURES / "server_all_sizes.txt").read_text()
    cut = text[: text.rindex("46120.00") + 5]
    parsed = of_text(cut)
    assert 8388608 not in values(parsed, "bandwidth", "average")
    assert "perftest.line_cut" in codes(parsed)
    assert runs(parsed)[0]["complete"] is False
    assert not parsed.whole


def test_row_with_too_few_values_is_noted():
    text = (FIXTURES / "two_hosts_mixed.txt").read_text()
    parsed = of_text(text.replace("            197.58 ", " "))
    assert "perftest.row_cut" in codes(parsed)
    assert values(parsed, "bandwidth", "average", 0) == {}
    assert values(parsed, "bandwidth", "average", 1) == {65536: 98.83}


def test_message_rate_that_contradicts_the_average_is_noted():
    text = (FIXTURES / "two_hosts_mixed.txt").read_text()
    assert not {"perftest.rate_differs"} & codes(of_text(text))
    assert "perftest.rate_differs" in codes(of_text(text.replace("98.83 ", "99.83 ")))


def test_output_of_another_tool_in_the_same_file_is_not_lost_in_silence():
    text = (FIXTURES / "two_hosts_mixed.txt").read_text()
    mixed = text + "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
    (note,) = [note for note in of_text(mixed).notes if note.code == "perftest.two_tools"]
    assert note.line == text.count("\n") + 1
    assert "perftest.two_tools" not in codes(of_text(text))


def test_row_that_is_not_a_number_has_no_value():
    text = (FIXTURES / "two_hosts_mixed.txt").read_text().replace("197.61", "   nan")
    assert values(of_text(text), "bandwidth", "peak") == {65536: None}


@pytest.mark.parametrize("name", ["notes.txt", "README.md"])
def test_prose_about_the_program_is_not_claimed(name):
    prose = b"Run ib_write_bw -d mlx5_0 node02 on the client.\nDual-port: OFF\nThen look at BW average.\n"
    assert claimant(name, prose) is None


SEEN = [
    ("a100-hdr/ib_write_bw-a-cpufreq.txt", "bandwidth", "average", 8388608, 23317.65 * 8 * 2**20 / 1e9),
    ("a100-hdr/ib_write_bw-a-cpufreq.txt", "bandwidth", "peak", 2, 4.96 * 8 * 2**20 / 1e9),
    ("a100-hdr/ib_write_bw-a-cpufreq.txt", "message_rate", None, 65536, 0.363434),
    ("a100-hdr/ib_write_lat-a-cpufreq.head.txt", "latency", "p99.9", 4, 5.14),
    ("superbench/ib_loopback_8M_size.log", "bandwidth", "average", 8388608, 24056.72 * 8 * 2**20 / 1e9),
    ("superbench/ib_loopback_all_sizes.log", "bandwidth", "average", 16384, 16782.50 * 8 * 2**20 / 1e9),
]


@pytest.mark.parametrize(("file", "metric", "qualifier", "size", "value"), SEEN)
def test_values_seen_in_real_files(file, metric, qualifier, size, value):
    parsed = read(real_file(f"perftest/{file}"))
    assert values(parsed, metric, qualifier)[size] == pytest.approx(value)


def test_lids_seen_in_a_real_file():
    parsed = read(real_file("perftest/a100-hdr/ib_write_bw-a-cpufreq.txt"))
    assert [(m["host"], m["lid"]) for m in members(parsed)] == [("node-0", 0x40), ("10.65.0.3", 0x6E)]


def test_no_real_file_contradicts_itself_and_each_row_is_a_point():
    real_file("perftest")
    for path in sorted((CORPUS / "perftest").rglob("*.*")):
        data = path.read_bytes() if path.is_file() else b""
        parser = claimant(path.name, data[:HEAD_BYTES])
        if parser is not None:
            parsed = parse(path.name, data)
            assert "perftest.rate_differs" not in codes(parsed), path
            assert "perftest.row_cut" not in codes(parsed), path
            assert parsed.tables["bench_points"].num_rows
