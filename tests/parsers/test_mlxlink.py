"""What a port itself and its module tell, by mlxlink."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import mini_file, real_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.mlxlink import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mlxlink"
PORT = FIXTURES / "node07_mlx5_0_p1.txt"
SWITCH = FIXTURES / "switch.txt"
AS_JSON = FIXTURES / "node07_mlx5_2_p1.json"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str) -> list[dict]:
    return parsed.tables[table].to_pylist()


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_state_width_speed_and_fec():
    (row,) = rows(read(PORT), "ports")
    assert (row["x_host"], row["x_device"], row["port_num"]) == ("node07", "mlx5_0", 1)
    assert (row["state"], row["phys_state"], row["width_active"], row["speed_active"]) == (
        "active",
        "link_up",
        "4x",
        "NDR",
    )
    assert (row["rate_gbps"], row["speed_enabled"], row["link_layer"]) == (
        400.0,
        "SDR,EDR,HDR,NDR",
        "InfiniBand",
    )
    assert (row["fec"], row["retransmission"]) == ("MLNX_RS_544_514_PLR", "PLR")


def test_ratios_lanes_and_histogram():
    (row,) = rows(read(PORT), "phy")
    assert row["since_clear_s"] == 3630.0
    assert row["raw_ber_log10"] == pytest.approx(-9.5229, abs=1e-3)
    assert (row["symbol_ber_log10"], row["symbol_ber_none"]) == (None, True)
    assert (row["raw_ber_none"], row["status_opcode"], row["phy_state"]) == (False, 0, "Active")
    lanes = json.loads(row["lane_values"])
    assert lanes["raw_errors"] == [5922257, 5088529, 0, 12]
    assert lanes["fom_last"] == [107, 112, 88, 101]
    assert json.loads(row["fec_histogram"]) == [9000000000, 4000, 30]


def test_counters_and_what_the_device_does_not_count():
    (row,) = rows(read(PORT), "counters_phy")
    assert cell(row, "phy_raw_errors_lane1") == (5088529, Quality.WIDE)
    assert cell(row, "phy_effective_errors") == (20, Quality.WIDE)
    assert cell(row, "link_down_events") == (3, Quality.NARROW)
    assert cell(row, "successful_recovery_events") == (None, Quality.UNSUPPORTED)
    assert cell(row, "phy_raw_errors_lane4") == (None, Quality.NOT_COLLECTED)


def test_module_with_its_limits_and_flags():
    (row,) = rows(read(PORT), "modules")
    assert (row["kind"], row["serial"], row["length_m"], row["fw_version"]) == (
        "transceiver",
        "AC0007",
        None,
        "40.1.7",
    )
    assert (row["temperature_c"], row["voltage_v"]) == (61.0, 3.2355)
    assert json.loads(row["rx_power_lanes"]) == [1.25, -0.5, 0.75, -40.0]
    assert json.loads(row["tx_bias_lanes"]) == [7.25, 7.31, None, 7.27]
    assert row["tx_power_lanes"] is None
    assert json.loads(row["thresholds"])["temperature_c"] == {"low": -10.0, "high": 80.0}
    assert json.loads(row["alarms"]) == ["Rx LOS lane 3"]


def test_several_ports_in_one_file_with_commands_between():
    parsed = read(SWITCH)
    down, slow = rows(parsed, "ports")
    assert [(row["x_lid"], row["lid"], row["port_num"]) for row in (down, slow)] == [
        ("12", 12, 3),
        ("12", 12, 4),
    ]
    assert (down["state"], down["phys_state"], down["rate_gbps"]) == ("down", "polling", None)
    assert (slow["speed_active"], slow["fec"], slow["retransmission"]) == ("EDR", "STD-LL-RS", None)
    assert down["line"] == 8


def test_wrapped_value_and_remark_behind_a_value():
    _, slow = rows(read(SWITCH), "phy")
    assert slow["status_text"].endswith("maximal possible speed due to local signal integrity issue.")
    assert slow["since_clear_s"] == pytest.approx(143.1 * 60)
    assert json.loads(slow["lane_values"])["eye_grade"] == [1894, 2031, 2412, 2097]


def test_passive_copper_has_no_readings():
    (row,) = rows(read(SWITCH), "modules")
    assert (row["kind"], row["length_m"], row["serial"]) == ("cable", 2.5, "AC0100-1")
    assert [row[name] for name in ("temperature_c", "thresholds", "alarms", "rx_power_lanes")] == [None] * 4


def test_what_the_tool_said_is_noted_with_its_line():
    parsed = read(SWITCH)
    notes = {note.code: note for note in parsed.notes}
    assert notes["mlxlink.tool_failed"].line == len(SWITCH.read_text().splitlines()) - 1
    assert "lid-13" in notes["mlxlink.tool_failed"].message
    assert "mlxlink.tool_warned" in notes
    # The text has its end: what failed is the query of one port, which nothing is told of.
    assert parsed.whole
    assert "hosts" not in parsed.tables


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("gpu1_mlx5_1.mlxlink.txt", "-E- Failed to open device\n", "mlxlink"),
        ("a.txt", "root@gpu1:~# mlxlink -d mlx5_1 -m\n-E- Failed to open device\n", "mlxlink"),
        ("a.txt", "-E- Failed to open device\n", None),
    ],
)
def test_an_error_and_nothing_else_is_read_where_it_is_known_to_be_of_mlxlink(name, text, reader):
    found = claimant(name, text.encode())
    assert (found.spec.name if found else None) == reader


def test_a_device_of_a_host_that_did_not_answer_is_kept_with_the_reason():
    data = b"node07# mlxlink -d mlx5_3\n-E- Failed to open device\n"
    answered = (FIXTURES / "node07_mlx5_0_p1.txt").read_bytes()
    parsed = parse("node07_all.txt", b"$ mlxlink -d mlx5_0\n" + answered + b"\n" + data)
    (failed,) = [row for row in rows(parsed, "hosts") if row["query_error"]]
    assert failed["device"] == "mlx5_3"
    assert failed["query_error"] == "mlxlink failed at mlx5_3: Failed to open device"
    assert len(rows(parsed, "ports")) == 1


def test_json_of_an_ethernet_port():
    parsed = read(AS_JSON)
    (port,) = rows(parsed, "ports")
    assert (port["x_host"], port["x_device"], port["port_num"]) == ("node07", "mlx5_2", 1)
    assert (port["link_layer"], port["speed_active"], port["fec"]) == ("Ethernet", None, "RS_FEC_544_514")
    (phy,) = rows(parsed, "phy")
    assert json.loads(phy["fec_histogram"]) == [22858119, 657, 10, 9, 8, 7, 6, 5, 4, 3, 0]
    assert json.loads(phy["lane_values"])["raw_ber_log10"] == [-10.0, -9.0, None, -9.30103]
    (module,) = rows(parsed, "modules")
    assert (module["serial"], module["temperature_c"], module["alarms"]) == (None, 62.0, "[]")


def test_page_about_pcie():
    (row,) = rows(read(AS_JSON), "hosts")
    assert (row["pcie_speed"], row["pcie_width"]) == ("16.0 GT/s", 8)
    assert (row["pcie_speed_max"], row["pcie_width_max"]) == ("32.0 GT/s", 16)


def test_json_and_text_tell_the_same():
    document = json.loads(AS_JSON.read_text())
    document["result"]["output"].pop("PCIe Operational (Enabled) Info")
    text = [""]
    for title, section in document["result"]["output"].items():
        text += [title, "-" * len(title)]
        for name, value in section.items():
            words = ",".join(value["values"]) if isinstance(value, dict) else value
            if isinstance(value, dict) and "mask" in value:
                words = f"{value['mask']} ({words})"
            text.append(f"{name:<35}: {words}")
        text.append("")
    told = parse("node07_mlx5_2_p1.txt", ("\n".join(text) + "\n").encode())
    for name in ("ports", "phy", "modules", "counters_phy"):
        leave = ["line", "source"]
        here = read(AS_JSON).tables[name].drop_columns(leave).to_pylist()
        assert told.tables[name].drop_columns(leave).to_pylist() == here, name


def test_several_documents_and_a_cut_one():
    data = AS_JSON.read_bytes()
    parsed = parse("all.json", data + data + data[:900])
    assert len(rows(parsed, "ports")) == 2
    assert "mlxlink.json_cut" in codes(parsed)
    assert not parsed.whole
    first, second = (row["line"] for row in rows(parsed, "ports"))
    assert second > first + 50


def test_wrapped_json_names_host_and_device():
    inner = json.loads(AS_JSON.read_text())
    outer = [{"hostname": "node09", "hw_counters": {"/dev/mst/mt4129_pciconf0": inner}}]
    (row,) = rows(parse("a.json", json.dumps(outer).encode()), "ports")
    assert (row["x_host"], row["x_device"]) == ("node09", "/dev/mst/mt4129_pciconf0")


def test_status_that_is_not_0():
    document = json.loads(AS_JSON.read_text())
    document["status"] = {"code": 1, "message": "Failed to open device"}
    parsed = parse("node07_mlx5_2.json", json.dumps(document).encode())
    assert "mlxlink.tool_failed" in codes(parsed)
    errors = {row["device"]: row["query_error"] for row in rows(parsed, "hosts")}
    assert errors == {"mlx5_2": "mlxlink ended with code 1 at mlx5_2: Failed to open device"}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b": Active", b": \x1b[32mActive\x1b[0m"),
        lambda data: b"\n".join(b"  " + line for line in data.split(b"\n")),
        lambda data: b"\n".join(line or b"\xc2\xa0 " for line in data[:-1].split(b"\n")) + b"\n",
    ],
    ids=["CRLF", "colours", "indented", "no-break blanks"],
)
def test_spelling_of_blanks_does_not_matter(change):
    data = PORT.read_bytes()
    assert claimant("a", change(data)).spec.name == "mlxlink"
    for name, table in parse(PORT.name, data).tables.items():
        assert parse(PORT.name, change(data)).tables[name].equals(table), name


def test_prefixes_of_hosts_with_interleaved_lines():
    lines = PORT.read_text().splitlines()
    text = "".join(f"node21: {line}\nnode22: {line.replace('5922257', '7')}\n" for line in lines)
    assert claimant("a", text.encode()).spec.name == "mlxlink"
    found = {
        row["x_host"]: row["phy_raw_errors_lane0"] for row in rows(parse("a", text.encode()), "counters_phy")
    }
    assert found == {"node21": 5922257, "node22": 7}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("node07_mlx5_0_p2.txt", ("node07", "mlx5_0", None, 2)),
        ("hgx-01-7_ibp24s0_p1.json", ("hgx-01-7", "ibp24s0", None, 1)),
        ("node07/mlx5_3.txt", ("node07", "mlx5_3", None, 1)),
        ("lid-12_p3.txt", (None, None, "12", 3)),
        ("mlxlink.txt", (None, None, None, None)),
    ],
)
def test_port_from_the_file_name(name, told):
    parsed = parse(name, PORT.read_bytes())
    (row,) = rows(parsed, "ports")
    assert (row["x_host"], row["x_device"], row["x_lid"], row["port_num"]) == told
    assert ("mlxlink.no_device" in codes(parsed)) == (name == "mlxlink.txt")


def test_guid_in_the_file_name():
    (row,) = rows(parse("0x0200000000000b01_p4.txt", PORT.read_bytes()), "phy")
    assert (row["node_guid"], row["port_num"]) == ("0x0200000000000b01", 4)


def test_value_at_the_very_end_may_be_cut():
    data = PORT.read_bytes()
    cut = data[: data.index(b"5922257") + 3]
    parsed = parse(PORT.name, cut)
    assert "mlxlink.value_cut" in codes(parsed)
    (row,) = rows(parsed, "counters_phy")
    assert row["phy_raw_errors_lane0"] is None
    assert row["phy_effective_errors"] == 20


def test_real_bad_optical_cable():
    parsed = read(real_file("mlxlink/hyungkwang/mlxlink-hdr-aoc-bad-signal.txt"))
    (phy,) = rows(parsed, "phy")
    assert (phy["status_opcode"], phy["x_lid"], phy["port_num"]) == (15, "199", 14)
    assert phy["effective_ber_log10"] == pytest.approx(-7.1549, abs=1e-3)
    (counters,) = rows(parsed, "counters_phy")
    assert cell(counters, "phy_raw_errors_lane0") == (73506956266, Quality.WIDE)
    assert cell(counters, "phy_symbol_errors") == (None, Quality.NOT_COLLECTED)
    (module,) = rows(parsed, "modules")
    assert (module["part_number"], module["length_m"], module["temperature_c"]) == ("P35346-001", 30.0, 53.0)


def test_real_json_with_eyes_and_histogram():
    parsed = read(real_file("mlxlink/yuuki-mlxlink_exporter/mft-4.34.1-400g-eye.json"))
    (phy,) = rows(parsed, "phy")
    assert json.loads(phy["fec_histogram"])[:4] == [26766318661536, 76439959, 9232, 204]
    assert json.loads(phy["lane_values"])["fom_last"] == [107, 112, 88, 101]
    assert rows(parsed, "ports")[0]["link_layer"] == "Ethernet"


def test_real_not_available_lanes_and_pcie_page():
    folder = real_file("mlxlink/yuuki-mlxlink_exporter")
    (module,) = rows(read(folder / "na-fields.json"), "modules")
    assert json.loads(module["tx_bias_lanes"]) == [265.504, None, 248.416, 248.416]
    (slot,) = rows(read(folder / "mft-4.34.1-pcie-eye.json"), "hosts")
    assert (slot["pcie_speed"], slot["pcie_width"]) == ("32.0 GT/s", 16)
    assert "mlxlink.tool_failed" in codes(read(folder / "status-error.json"))


def test_real_tutorial_with_two_ports_of_a_dpu():
    path = real_file("mlxlink/blocks/fchamicapereira__sigcomm26-tutorial-bluefield")
    first, second = rows(read(path / "README_md.0.mlxlink.txt"), "modules")
    assert (first["serial"], second["serial"]) == ("S2202655321-1", "S2202655321-2")
    assert {row["x_host"] for row in (first, second)} == {"bluefield-1"}


def test_examples_are_read():
    for name in ("mlxlink.txt", "mlxlink.json"):
        assert claimant(name, mini_file(name).read_bytes()).spec.name == "mlxlink"
    (row,) = rows(read(mini_file("mlxlink.json")), "counters_phy")
    assert cell(row, "phy_raw_errors_lane3") == (12, Quality.WIDE)
