"""The families of db_csv sections: sensors, modules, the PHY, routing counters, special ports."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from conftest import mini_file
from db_csv_files import HOST, LEAF, build, codes, column
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.model.enums import Quality
from ibforensic.parsers.db_csv import parse

FIXTURE = Path(__file__).parents[1] / "fixtures/db_csv/families.db_csv"
PHY16 = "NodeGuid,PortGuid,PortNum,Version," + ",".join(f"field{place}" for place in range(19))
PHY12 = "NodeGuid,PortGuid,PortNum,Version," + ",".join(f"field{place}" for place in range(29))


@pytest.fixture(scope="module")
def parsed():
    return parse("families", FIXTURE.read_bytes())


def rows(parsed, table, section):
    """Return the rows of a table that one section gave."""
    return [row for row in parsed.tables[table].to_pylist() if row["origin"] == f"db_csv:{section}"]


def test_only_what_nobody_documents_stays_as_text(parsed):
    assert (parsed.notes, parsed.whole) == ((), True)
    assert set(parsed.raw) == {"PHY_DB8", "VPORTS_GUID_INFO", "CC_HCA_STATISTICS_QUERY"}


def test_temperatures(parsed):
    (leaf, host) = rows(parsed, "sensors", "TEMP_SENSING")
    assert (leaf["sensor"], leaf["kind"], leaf["value"], leaf["unit"]) == (
        "temperature/asic",
        "temperature",
        51.0,
        "°C",
    )
    assert (host["node_guid"], host["value"]) == (HOST, None)
    board = rows(parsed, "sensors", "TEMPERATURE_SENSORS")
    assert [(row["sensor"], row["value"], row["x_SensorName"]) for row in board] == [
        ("temperature/1", 44.0, "board"),
        ("temperature/2", 39.0, "fan tray"),
    ]


def test_temperature_sensors_without_an_index_are_one_a_node():
    lines = ("NodeGuid,Temperature", f"{LEAF},41")
    parsed = parse("x", build(("TEMPERATURE_SENSORS", lines)))
    assert column(parsed, "sensors", "sensor") == ["temperature/board"]
    assert column(parsed, "sensors", "value") == [41.0]


def test_a_row_about_no_node_does_not_shift_the_temperatures():
    lines = ("NodeGuid,Temperature", ",40", f"{LEAF},41")
    parsed = parse("x", build(("TEMPERATURE_SENSORS", lines)))
    assert column(parsed, "sensors", "value") == [41.0]
    assert codes(parsed) == ["db_csv.no_key"]


def test_speed_and_limits_of_a_fan_are_two_rows_about_one_sensor(parsed):
    fans = [row for row in parsed.tables["sensors"].to_pylist() if row["sensor"] == "fan/2"]
    assert [(row["value"], row["minimum"], row["maximum"], row["status"]) for row in fans] == [
        (0.0, None, None, None),
        (None, 4000.0, 21000.0, None),
        (None, None, None, "under limit"),
    ]
    (part,) = rows(parsed, "sensors", "FAN_SERIAL_NUMBERS")
    assert (part["sensor"], part["kind"], part["serial"]) == ("fan_part/1", "fan", "FAN0001")


def test_power_supplies_speak_in_the_words_of_the_tool(parsed):
    here, gone = rows(parsed, "sensors", "POWER_SUPPLIES")
    assert (here["sensor"], here["serial"]) == ("psu/1", "PSU0001")
    assert here["status"].startswith("IsPresent 1; IsFRU 1; ACInput OK; DCState OK")
    assert (gone["status"], gone["serial"]) == ("IsPresent 0; IsFRU 1", None)
    (power,) = rows(parsed, "sensors", "POWER_SENSORS")
    assert (power["sensor"], power["value"], power["x_Watts"]) == ("power/1", None, "310")


def test_sensors_that_nothing_numbers_stay_as_text():
    parsed = parse("x", build(("FANS_ALERT", ("NodeGuid,Limit", f"{LEAF},1"))))
    assert parsed.raw["FANS_ALERT"].num_rows == 1
    assert codes(parsed) == ["db_csv.no_key_column"]


def test_cables_by_name_of_column(parsed):
    optics, copper = rows(parsed, "modules", "CABLE_INFO")
    assert (optics["vendor"], optics["part_number"], optics["serial"]) == ("ACME", "AC-OSFP-50", "AC0001")
    assert (optics["vendor_oui"], optics["identifier"], optics["length_m"]) == ("0x00a1b2", "OSFP", 50.0)
    assert (optics["technology"], optics["fw_version"]) == ("850 nm VCSEL", "46.1.0")
    assert (optics["temperature_c"], optics["voltage_v"]) == (58.0, 3.3034)
    assert json.loads(optics["rx_power_lanes"]) == [2.0, None, None, -40.0]
    assert json.loads(optics["tx_power_lanes"]) == [0.0]
    assert json.loads(optics["tx_bias_lanes"]) == [7.242, 7.304]
    assert json.loads(optics["thresholds"]) == {
        "rx_power_dbm": {"low": -6.0},
        "temperature_c": {"alarm_high": 80.0, "alarm_low": -5.0},
    }
    assert json.loads(optics["alarms"]) == ["tx bias 0x0002"]
    assert optics["x_Lot"] == "0x2020"
    measured = ("temperature_c", "voltage_v", "rx_power_lanes", "tx_bias_lanes", "thresholds", "alarms")
    assert [copper[name] for name in measured] == [None] * len(measured)
    assert (copper["kind"], copper["serial"], copper["length_m"]) == ("cable", "AC0002", 1.0)


def test_stray_quotes_cost_no_row():
    lines = ("NodeGuid,PortGuid,PortNum,Vendor,SN,Temperature", f'{LEAF},{LEAF},1,"ACME,AC"7,"42C"')
    parsed = parse("x", build(("CABLE_INFO", lines)))
    (row,) = parsed.tables["modules"].to_pylist()
    assert (row["vendor"], row["temperature_c"], row["serial"]) == ("ACME", 42.0, 'AC"7')
    assert parsed.notes == ()


def test_a_row_that_is_too_long_is_not_saved_by_its_quotes():
    lines = ("NodeGuid,PortGuid,PortNum,Vendor", f'{LEAF},{LEAF},1,"ACME,X",Y,Z')
    parsed = parse("x", build(("CABLE_INFO", lines), index=False))
    assert parsed.tables["modules"].num_rows == 0
    assert codes(parsed) == ["db_csv.bad_row"]


def test_the_module_page_by_place_of_field(parsed):
    optics, copper, empty = rows(parsed, "modules", "PHY_DB12")
    assert (optics["vendor"], optics["part_number"], optics["revision"], optics["serial"]) == (
        "ACME",
        "AC-OSFP-50",
        "A1",
        "AC0001",
    )
    assert (optics["voltage_v"], optics["temperature_c"]) == (3.3034, 58.0)
    assert (copper["serial"], copper["voltage_v"], copper["temperature_c"]) == ("AC0002", None, None)
    assert (empty["port_num"], empty["part_number"], empty["serial"]) == (4, None, None)


@pytest.mark.parametrize(
    ("degrees", "celsius"),
    [(14848, 58.0), (128, 0.5), (65280, -1.0), (0, 0.0), (1 << 16, None), (1 << 60, None)],
)
def test_temperatures_of_the_module_page_have_a_sign(degrees, celsius):
    cells = ",".join(["0"] * 23 + ['"AC-1"', "A", "0", '"AC1"', "33000", str(degrees)])
    parsed = parse("x", build(("PHY_DB12", (PHY12, f"{LEAF},{LEAF},1,1,{cells}"))))
    assert column(parsed, "modules", "temperature_c") == [celsius]


@pytest.mark.parametrize(
    ("part", "serial"), [("17", '"AC1"'), ('"AC-1"', "0x12"), ("-3", "AC1"), ("A\tB", "C")]
)
def test_a_module_page_of_another_layout_stays_as_text(part, serial):
    cells = ",".join(["0"] * 23 + [part, "A", "0", serial, "33000", "1"])
    parsed = parse("x", build(("PHY_DB12", (PHY12, f"{LEAF},{LEAF},1,1,{cells}"))))
    assert parsed.raw["PHY_DB12"].num_rows == 1
    assert "modules" not in parsed.tables
    assert codes(parsed) == ["db_csv.unknown_layout"]


def test_bit_error_ratios(parsed):
    good, bad = parsed.tables["phy"].to_pylist()
    assert (good["raw_ber_log10"], good["raw_ber_none"]) == (-8.0, False)
    assert (good["effective_ber_log10"], good["effective_ber_none"]) == (None, True)
    assert (good["symbol_ber_log10"], good["symbol_ber_none"]) == (None, True)
    assert (good["since_clear_s"], bad["since_clear_s"]) == (3600.0, 60.0)
    ratios = [10 ** bad[f"{kind}_ber_log10"] for kind in ("raw", "effective", "symbol")]
    assert ratios == pytest.approx([2e-5, 1e-7, 3e-9], rel=1e-4)
    counts = parsed.tables["counters_phy"].to_pylist()[1]
    assert (counts["phy_received_bits"], counts["phy_symbol_errors"]) == (25500000000000, 9)
    assert (counts["phy_raw_errors_lane0"], counts["phy_raw_errors_lane1"]) == (70, 7)
    assert (counts["phy_corrected_bits"], counts["phy_effective_errors"]) == (77, 4)
    assert counts["link_down_events_q"] == Quality.NOT_COLLECTED


@pytest.mark.parametrize("place", range(12, 18))
@pytest.mark.parametrize("cell", ["256", "text", "0x1ff"])
def test_statistics_of_another_layout_stay_as_text(place, cell):
    fields = ["1"] * 19
    fields[place] = cell
    lines = (PHY16, f"{LEAF},{LEAF},1,1,{','.join(['1'] * 19)}", f"{HOST},{HOST},1,1,{','.join(fields)}")
    parsed = parse("x", build(("PHY_DB16", lines)))
    assert parsed.raw["PHY_DB16"].num_rows == 2
    assert {"phy", "counters_phy"}.isdisjoint(parsed.tables)
    assert codes(parsed) == ["db_csv.unknown_layout"]
    assert f"field{place}" in parsed.notes[0].message


@given(st.integers(0, 15), st.integers(0, 255))
def test_d30_a_pair_is_a_ratio_or_none_seen_or_nothing(coefficient, magnitude):
    cells = ",".join(["1"] * 12 + [str(coefficient), str(magnitude)] + ["1", "9", "15", "255", "0"])
    parsed = parse("x", build(("PHY_DB16", (PHY16, f"{LEAF},{LEAF},1,1,{cells}"))))
    (row,) = parsed.tables["phy"].to_pylist()
    log10, none = row["raw_ber_log10"], row["raw_ber_none"]
    if log10 is not None:
        assert none is False
        assert log10 == pytest.approx(math.log10(coefficient) - magnitude, abs=1e-5)
        assert log10 <= 0
    else:
        assert none is True or coefficient == 0 or magnitude < 2
    assert (coefficient, magnitude) != (15, 255) or none is True
    assert row["symbol_ber_none"] is True


@given(st.integers(-32768, 32767), st.integers(1, 65535))
def test_module_readings_are_those_of_the_register(degrees, volts):
    cells = ",".join(["0"] * 23 + ['"AC-1"', "A", "0", '"AC1"', str(volts), str(degrees % 65536)])
    (row,) = (
        parse("x", build(("PHY_DB12", (PHY12, f"{LEAF},{LEAF},1,1,{cells}")))).tables["modules"].to_pylist()
    )
    assert row["temperature_c"] == degrees / 256
    assert row["voltage_v"] == pytest.approx(volts / 10_000)


POWER = st.one_of(
    st.integers(-39_999, 39_999).map(lambda milli: (f"1.000 mW, {milli / 1000:.3f} dBm", milli / 1000)),
    st.integers(-40, -1).map(lambda dbm: (f"inf mW, {65536 + dbm}.000 dBm", float(dbm))),
    st.sampled_from(
        [(text, None) for text in ("-999.999 mW, 0.000 dBm", "0.000 mW, -999.999 dBm", "NA", "")]
    ),
)


@given(st.lists(POWER, min_size=1, max_size=8))
def test_optical_power_of_every_lane(lanes):
    header = "NodeGuid,PortNum," + ",".join(f"RX{lane}Power" for lane in range(1, len(lanes) + 1))
    cells = ",".join(f'"{text}"' for text, _ in lanes)
    parsed = parse("x", build(("CABLE_INFO", (header, f"{LEAF},1,{cells}"))))
    (listed,) = column(parsed, "modules", "rx_power_lanes")
    expected = [dbm for _, dbm in lanes]
    assert (None if listed is None else json.loads(listed)) == (
        expected if any(dbm is not None for dbm in expected) else None
    )


@given(st.text(max_size=12))
def test_a_temperature_of_any_text_is_a_number_or_nothing(text):
    quoted = text.replace('"', "").replace("\n", "").replace("\r", "")
    parsed = parse("x", build(("TEMP_SENSING", ("NodeGUID,CurrentTemperature", f'{LEAF},"{quoted}"'))))
    if "sensors" in parsed.tables:
        assert all(value is None or isinstance(value, float) for value in column(parsed, "sensors", "value"))


@pytest.mark.parametrize("place", [12, 14, 16])
def test_a_coefficient_has_four_bits(place):
    fields = ["1"] * 19
    fields[place] = "16"
    parsed = parse("x", build(("PHY_DB16", (PHY16, f"{LEAF},{LEAF},1,1,{','.join(fields)}"))))
    assert codes(parsed) == ["db_csv.unknown_layout"]


def test_statistics_with_too_few_fields_stay_as_text():
    parsed = parse("x", build(("PHY_DB16", ("NodeGuid,PortNum,field0", f"{LEAF},1,1"))))
    assert (list(parsed.raw), codes(parsed)) == (["PHY_DB16"], ["db_csv.unknown_layout"])


def test_a_ratio_that_was_not_read_is_neither_none_nor_known():
    cells = ",".join(["5"] * 12 + ["N/A"] * 6 + ["N/A"])
    parsed = parse("x", build(("PHY_DB16", (PHY16, f"{LEAF},{LEAF},1,1,{cells}"))))
    assert column(parsed, "phy", "raw_ber_none") == [None]
    assert column(parsed, "counters_phy", "phy_effective_errors_q") == [Quality.UNSUPPORTED]


def test_routing_counters(parsed):
    forwarded, notified = parsed.tables["counters_routing"].to_pylist()
    assert (forwarded["rx_pkt_forwarding_static"], forwarded["rx_pkt_forwarding_ar"]) == (70, 900)
    assert forwarded["rx_pkt_hbf_fallback_local"] == 2
    assert forwarded["port_rcv_rn_pkt_q"] == Quality.NOT_COLLECTED
    assert (notified["port_rcv_rn_pkt"], notified["port_xmit_rn_pkt"], notified["basis"]) == (
        5,
        6,
        "cumulative",
    )
    assert (notified["pfrn_start_packet"], notified["pfrn_start_packet_q"]) == (None, Quality.UNSUPPORTED)


def test_the_firmware_of_nodes_without_node_info(parsed):
    assert column(parsed, "nodes", "fw_version") == ["31.2012.1024", "28.40.1000"]


SPECIAL = "NodeGuid,PortGuid,PortNum,FECModeActive,RetransMode,IsSpecialPort,SpecialPortType"
ORDINARY = f"{LEAF},{LEAF},1,0x0e,0x03,0,N/A"
AGGREGATION = f"{LEAF},{LEAF},65,0x00,0x00,1,1"


def test_ports_tell_what_no_other_section_tells():
    alone = parse("x", build(("EXTENDED_PORT_INFO", (SPECIAL, ORDINARY, AGGREGATION))))
    assert column(alone, "ports", "fec") == ["MLNX_RS_271_257_PLR", None]
    assert column(alone, "ports", "retransmission") == ["PLR", "none"]
    assert column(alone, "ports", "special") == [None, "aggregation"]


def test_ports_are_not_told_twice():
    fec = ("FEC_MODE", ("NodeGuid,PortGuid,PortNum,FECActv", f"{LEAF},{LEAF},1,14"))
    parsed = parse("x", build(fec, ("EXTENDED_PORT_INFO", (SPECIAL, ORDINARY, AGGREGATION))))
    assert [row["port_num"] for row in rows(parsed, "ports", "EXTENDED_PORT_INFO")] == [65]
    without = parse("x", build(fec, ("EXTENDED_PORT_INFO", (SPECIAL, ORDINARY))))
    assert rows(without, "ports", "EXTENDED_PORT_INFO") == []
    assert rows(without, "settings", "EXTENDED_PORT_INFO")


def test_planes_of_newer_versions():
    header = "NodeGUID,PortGUID,PortNum,Label,AsicName,IBPort,APort,Plane,NumOfPlanes"
    parsed = parse("x", build(("PORT_HIERARCHY_INFO", (header, f'{LEAF},{LEAF},7,"1/1/1/2",Q3,7,4,2,4'))))
    (row,) = parsed.tables["ports"].to_pylist()
    assert (row["aport"], row["plane"], row["planes"]) == (4, 2, 4)
    assert (row["x_AsicName"], row["x_IBPort"]) == ("Q3", "7")


def test_the_planted_cases_of_the_further_sections():
    parsed = parse("mini", mini_file("extra_sections.db_csv").read_bytes())
    assert parsed.notes == ()
    assert list(parsed.raw) == ["CC_HCA_STATISTICS_QUERY"]
    optics, copper, page = parsed.tables["modules"].to_pylist()
    assert (optics["temperature_c"], optics["voltage_v"], optics["length_m"]) == (58.0, 3.3034, 50.0)
    assert (copper["temperature_c"], copper["part_number"]) == (None, "MCP4Y10-N001")
    assert {name: page[name] for name in ("vendor", "serial", "temperature_c", "voltage_v")} == {
        name: optics[name] for name in ("vendor", "serial", "temperature_c", "voltage_v")
    }
    assert column(parsed, "sensors", "value") == [8400.0, 0.0]


def test_the_planted_ratios_of_the_example():
    parsed = parse("mini", mini_file("ibdiagnet2.db_csv").read_bytes())
    found = {row["node_guid"]: row for row in parsed.tables["phy"].to_pylist()}
    sick = found.pop("0x020000000000b000")
    assert [round(10 ** sick[f"{kind}_ber_log10"], 12) for kind in ("raw", "effective", "symbol")] == [
        2e-5,
        1e-7,
        3e-9,
    ]
    assert {(row["effective_ber_none"], row["symbol_ber_none"]) for row in found.values()} == {(True, True)}
    assert set(parsed.raw) == {"PLUGINS_INFO", "STAGE_PERF_INFO"}
    assert column(parsed, "sensors", "value") == [46, 52, 55, 57, 61, 54]
