"""Metrics in the text format of Prometheus: what exporters and telemetry say of ports, nodes and hosts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file, real_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.prometheus import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "prometheus"
LEAF = "0x0200000000000100"


def read(path: Path) -> Parsed:
    assert claimant(path.name, path.read_bytes()).spec.name == "prometheus"
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str) -> list[dict]:
    return parsed.tables[table].to_pylist()


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code.partition(".")[2] for note in parsed.notes}


def test_counters_of_an_exporter_are_64_bit_and_data_are_words():
    parsed = read(FIXTURES / "exporter.prom")
    ports = {row["port_num"]: row for row in rows(parsed, "counters_pma")}
    assert cell(ports[1], "link_downed_counter_ext") == (0, Quality.WIDE)
    assert cell(ports[2], "link_downed_counter_ext") == (3, Quality.WIDE)
    assert cell(ports[2], "port_xmit_data_ext") == (144_000_000, Quality.WIDE)
    assert cell(ports[2], "symbol_error_counter_ext") == (None, Quality.NOT_COLLECTED)
    assert cell(ports[1], "port_xmit_data_ext") == (None, Quality.NOT_COLLECTED)
    assert ports[2]["observed_at"] in (None, datetime(2030, 1, 2, 3, 4, 5, 500_000, UTC))
    (detail,) = rows(parsed, "counters_detail")
    assert cell(detail, "port_dlid_mapping_errors") == (158, Quality.NARROW)
    assert codes(parsed) == {"bad_value", "unknown_metric"}


def test_nodes_links_and_rates():
    parsed = read(FIXTURES / "exporter.prom")
    nodes = {row["node_guid"]: row for row in rows(parsed, "nodes")}
    leaf, host = nodes[LEAF], nodes["0x020000000000b000"]
    assert (leaf["node_type"], leaf["lid"], leaf["node_name"]) == ("switch", 1, "leaf-1/U1")
    assert (leaf["fw_version"], leaf["psid"], leaf["uptime_s"]) == ("31.2012.1024", "MT_0000000577", 1387025)
    assert (host["node_type"], host["lid"], host["node_desc"]) == ("ca", 12, 'host "b" mlx5_0')
    (link,) = rows(parsed, "links")
    assert (link["node_guid_a"], link["port_num_a"], link["port_num_b"]) == (LEAF, 2, 1)
    rates = {(row["node_guid"], row["port_num"]): row["rate_gbps"] for row in rows(parsed, "ports")}
    assert rates == {(LEAF, 2): 400.0, ("0x020000000000b000", 1): 200.0}


def test_sensors_speak_as_ibdiagnet_does():
    found = {row["sensor"]: row for row in rows(read(FIXTURES / "exporter.prom"), "sensors")}
    assert (found["fan/1"]["value"], found["temperature/asic"]["value"]) == (8493.0, 45.0)
    assert found["fan"]["status"] == "ERROR"
    assert found["psu/0"]["status"] == "AlertState OK; DCState ERROR"


def test_node_exporter_names_host_and_device():
    parsed = read(FIXTURES / "node.prom")
    (host,) = rows(parsed, "hosts")
    assert [host[name] for name in ("host", "device", "port_num", "state", "phys_state", "rate_gbps")] == [
        "host-b",
        "mlx5_0",
        1,
        "active",
        "link_up",
        400.0,
    ]
    assert (host["fw_version"], host["psid"], host["hca_type"]) == ("28.40.1000", "MT_0000001120", "MT4129")
    (row,) = rows(parsed, "counters_pma")
    assert (row["node_guid"], row["x_host"], row["x_device"]) == (None, "host-b", "mlx5_0")
    assert cell(row, "port_rcv_data_ext") == (921770677727356 // 4, Quality.WIDE)  # never the legacy one
    assert cell(row, "port_xmit_data_ext") == (100, Quality.WIDE)
    assert cell(row, "port_xmit_wait") == (4294967295, Quality.SATURATED)
    assert cell(row, "link_downed_counter") == (2, Quality.NARROW)
    (hardware,) = rows(parsed, "counters_hw")
    assert (hardware["host"], hardware["device"], hardware["packet_seq_err"]) == ("host-b", "mlx5_0", 7)


def test_telemetry_and_names_after_ibqueryerrors():
    parsed = read(FIXTURES / "others.prom")
    (phy,) = rows(parsed, "phy")
    assert (phy["effective_ber_none"], phy["effective_ber_log10"]) == (True, None)
    assert phy["raw_ber_log10"] == pytest.approx(-9.522879)
    (count,) = rows(parsed, "counters_phy")
    assert count["link_down_events"] == 3
    (row,) = rows(parsed, "counters_pma")
    assert cell(row, "symbol_error_counter") == (65535, Quality.SATURATED)
    assert cell(row, "port_xmit_wait_ext") == (9463628588, Quality.WIDE)


def test_a_collector_that_failed_makes_the_file_partial():
    data = (FIXTURES / "exporter.prom").read_bytes()
    parsed = parse("x", data.replace(b'timeouts{collector="switch"} 0', b'timeouts{collector="switch"} 1'))
    assert not parsed.whole
    assert "collector_failed" in codes(parsed)


def test_a_last_value_without_its_line_end_is_left_out():
    data = (FIXTURES / "others.prom").read_bytes()[:-3]
    parsed = parse("x", data)
    (row,) = rows(parsed, "counters_pma")
    assert cell(row, "port_xmit_wait_ext") == (None, Quality.NOT_COLLECTED)
    assert not parsed.whole


def test_hostile_lines_are_noted_once():
    bad = b'infiniband_switch_port_link_downed_total{guid="0x1",port="\n' * 3000
    parsed = parse("x", bad + b'infiniband_switch_port_link_downed_total{port="2"} 3\n')
    assert codes(parsed) == {"bad_line", "no_key"}
    assert not parsed.tables


def test_real_scrapes_of_the_exporter():
    folder = real_file("exporter/treydock")
    parsed = read(folder / "switch.0.prom")
    ports = {(row["node_guid"], row["port_num"]): row for row in rows(parsed, "counters_pma")}
    assert cell(ports["0x506b4b03005c2740", 1], "link_downed_counter_ext") == (1, Quality.WIDE)
    assert len(ports) == 3
    assert cell(ports["0x7cfe9003009ce5b0", 2], "port_xmit_wait_ext") == (36510964, Quality.WIDE)
    assert len(rows(parsed, "links")) == 4
    hca = read(folder / "hca.1.prom")
    rates = {row["node_guid"]: row["rate_gbps"] for row in rows(hca, "ports")}
    assert rates == {"0x7cfe9003003b4b96": 100.0, "0x7cfe9003003b4bde": 100.0}
    sensors = {
        (row["node_guid"], row["sensor"]): row for row in rows(read(folder / "ibswinfo.0.prom"), "sensors")
    }
    assert sensors["0x7cfe9003009ce5b0", "fan"]["status"] == "ERROR"
    assert sensors["0x506b4b03005c2740", "power/1"]["value"] == 134.0
    assert sensors["0x506b4b03005c2740", "temperature/asic"]["value"] == 53.0
    failed = [path.name for path in sorted(folder.glob("*.prom")) if not read(path).whole]
    assert len(failed) == 12


def test_real_node_exporter_and_examples():
    parsed = read(real_file("exporter/node_exporter/node_exporter-e2e-output.txt"))
    devices = {(row["device"], row["port_num"]): row for row in rows(parsed, "hosts")}
    assert devices["mlx4_0", 2]["psid"] == "SM_1141000001000"
    assert devices["i40iw0", 1]["rate_gbps"] == 10.0
    ports = {row["port_num"]: row for row in rows(parsed, "counters_pma")}
    assert cell(ports[1], "port_xmit_discards") == (5, Quality.NARROW)
    assert cell(ports[2], "port_rcv_data_ext") == (0, Quality.WIDE)
    for name in ("treydock.prom", "node_exporter.prom", "nmx_telemetry.prom"):
        assert read(mini_file(name)).whole
