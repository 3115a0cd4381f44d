"""The .cables parser: modules and cables, their readings, and the ones that are no readings."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import pytest
from conftest import mini_file, real_file
from siblings_files import HOST_A, LEAF, by_port, fixture

from ibforensic.parsers.cables import SPEC, parse
from ibforensic.parsers.db_csv import parse as parse_db_csv

SMALL = fixture("cables/small.cables")
OLD = fixture("cables/old_and_cut.cables")


def modules(data: bytes = SMALL) -> dict[tuple[str, int], dict]:
    """Return the rows of modules by port."""
    return by_port(parse("f", data).tables["modules"])


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())
    assert parsed.tables["runs"]["tool_version"].to_pylist() == ["2.12.0"]


def test_optics():
    row = modules()[LEAF, 1]
    assert (row["kind"], row["identifier"], row["technology"]) == ("transceiver", "OSFP", "850 nm VCSEL")
    assert (row["vendor"], row["vendor_oui"], row["part_number"]) == ("LUMEN", "0x00aa11", "LX-800-SR8")
    assert (row["serial"], row["revision"], row["fw_version"]) == ("LX700", "B2", "1.8.0")
    assert (row["length_m"], row["date_code"], row["cage"]) == (None, "30-11-02", 17)
    assert (row["temperature_c"], row["voltage_v"], row["line"]) == (58.0, 3.3034, 9)


def test_power_by_lane_in_its_three_odd_forms():
    rows = modules()
    assert json.loads(rows[LEAF, 1]["rx_power_lanes"]) == [2.0, None, -40.0, -2.0]
    assert json.loads(rows[LEAF, 1]["tx_power_lanes"]) == [0.0] * 4
    assert (rows[LEAF, 2]["rx_power_lanes"], rows[LEAF, 2]["tx_power_lanes"]) == (None, None)


def test_a_laser_that_is_off_is_a_reading():
    assert json.loads(modules()[LEAF, 2]["tx_bias_lanes"]) == [0.0] * 4


@pytest.mark.parametrize("port", [(LEAF, 3), (HOST_A, 1)])
def test_passive_copper_measures_nothing(port):
    row = modules()[port]
    assert (row["kind"], row["length_m"], row["serial"], row["fw_version"]) == ("cable", 2.0, "CU900", None)
    for name in ("temperature_c", "voltage_v", "rx_power_lanes", "tx_power_lanes", "tx_bias_lanes"):
        assert row[name] is None
    assert (row["alarms"], row["thresholds"], row["cage"]) == (None, None, None)


def test_alarms_and_limits():
    rows = modules()
    assert json.loads(rows[LEAF, 1]["alarms"]) == [
        "rx power 0x0010",
        "tx bias 0x3300",
        "loss of lock (latched) 0x0f",
    ]
    assert rows[LEAF, 2]["alarms"] == "[]"
    assert json.loads(rows[LEAF, 2]["thresholds"]) == {
        "temperature_c": {"alarm_high": 75.0, "alarm_low": -5.0, "warning_high": 70.0},
        "voltage_v": {"alarm_high": 3.63, "alarm_low": 2.97},
        "rx_power_dbm": {"high": 5.0, "low": -10.0},
        "tx_power_dbm": {"high": 5.0, "low": -4.0},
        "tx_bias_as_printed": {"high": 6000.0, "low": 1000.0},
    }


def test_twins_and_both_ends_keep_their_rows():
    assert Counter(row["serial"] for row in modules().values()) == {"LX700": 2, "CU900": 2}


def test_other_lines_ride_along():
    row = modules()[LEAF, 1]
    assert (row["x_Source"], row["x_CDREnableTxRx"], row["x_Lot"]) == ("PHY_DD", "0xff 0xff", "0x4141")
    assert row["x_Port Name"] == "leaf-1/U1/P1/17/1"
    assert "x_RX1 Power" not in row


def test_an_old_file_that_is_cut():
    parsed = parse("f", OLD)
    ((port, row),) = by_port(parsed.tables["modules"]).items()
    assert port == (HOST_A, 1)
    assert (row["identifier"], row["kind"], row["vendor"]) == (None, "cable", "Glass: Works")
    assert (row["length_m"], json.loads(row["rx_power_lanes"])) == (5.0, [1.0] * 8)
    assert not parsed.whole
    assert [(note.code, note.line) for note in parsed.notes] == [
        ("cables.file_cut", 100),
        ("cables.block_cut", 79),
    ]


def test_the_last_block_of_a_cut_file_counts_where_it_shows_its_end():
    whole = SMALL[: SMALL.index(b"\n\n\n# File closed")]
    assert len(modules(whole + b"\n")) == 4
    assert len(modules(whole.rstrip() + b"\n")) == 4
    assert len(modules(whole[: whole.rindex(b"Lot:")])) == 3


def test_the_first_of_two_blocks_about_a_port_counts():
    parsed = parse("f", SMALL.replace(HOST_A.encode(), LEAF.encode()))
    assert by_port(parsed.tables["modules"])[LEAF, 1]["serial"] == "LX700"
    assert [note.code for note in parsed.notes] == ["cables.repeated_port"]


def test_a_block_that_names_no_port_is_left_out_and_does_not_touch_its_neighbours():
    parsed = parse("f", SMALL.replace(b"Port=2 Lid", b"Port=? Lid"))
    assert set(by_port(parsed.tables["modules"])) == {(LEAF, 1), (LEAF, 3), (HOST_A, 1)}
    assert [note.code for note in parsed.notes] == ["cables.bad_title"]
    damaged = SMALL.replace(b"-\nPort=2 Lid", b"+\nPort=2 Lid").replace(b"Serial", b"")
    parsed = parse("f", damaged)
    assert set(by_port(parsed.tables["modules"])) == {(LEAF, 1), (LEAF, 3), (HOST_A, 1)}
    assert [note.code for note in parsed.notes] == ["cables.stray_rule"]


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("x.txt", SMALL, True),
        ("x.txt", OLD, True),
        ("x.txt", SMALL.replace(b"\n", b"\r\n"), True),
        ("ibdiagnet2.cables", SMALL[: SMALL.index(b"---")], True),
        ("x.txt", SMALL[: SMALL.index(b"---")], False),
        ("ibdiagnet2.cables", b"something else\n", False),
        ("ibdiagnet2.cables", b"", False),
        ("ibdiagnet2.cables", SMALL + b"\0", False),
        ("ibdiagnet2.cables", fixture("pm/small.pm"), False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


def test_the_example():
    rows = modules(mini_file("ibdiagnet2.cables").read_bytes())
    assert {port: row["serial"] for port, row in rows.items()} == {
        ("0x0200000000000100", 1): "SN0011",
        ("0x020000000000a000", 1): "SN0101",
        ("0x020000000000b000", 1): "SN0121",
    }
    optics = rows["0x020000000000b000", 1]
    assert (optics["temperature_c"], optics["voltage_v"], optics["fw_version"]) == (58.0, 3.3034, "1.8.0")
    assert json.loads(optics["rx_power_lanes"]) == [2.0, None, None, None]
    assert rows["0x0200000000000100", 1]["temperature_c"] is None


@pytest.fixture(scope="module")
def real():
    """The modules of a real fabric, by port, and its links."""
    folder = real_file("ibdiagnet/gary-ndr")
    parsed = parse("f", (folder / "ibdiagnet2.cables").read_bytes())
    assert (parsed.notes, parsed.whole) == ((), True)
    links = parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables["links"]
    return by_port(parsed.tables["modules"]), links.to_pylist()


def test_a_real_fabric_has_all_its_modules(real):
    rows, _ = real
    assert len(rows) == 510
    assert all(row["vendor"] and row["part_number"] and row["serial"] for row in rows.values())
    assert Counter(row["kind"] for row in rows.values()) == {"transceiver": 312, "cable": 198}
    assert Counter(row["vendor"] for row in rows.values()) == {"FS": 503, "FINISAR CORP.": 7}


def test_in_a_real_fabric_only_optics_measure(real):
    rows, _ = real
    for row in rows.values():
        assert (row["temperature_c"] is None) == (row["kind"] == "cable")
        assert row["temperature_c"] is None or 30 < row["temperature_c"] < 80
        assert (row["tx_bias_lanes"] is None) == (row["kind"] == "cable")
    powers = [json.loads(row["rx_power_lanes"]) for row in rows.values() if row["rx_power_lanes"]]
    lanes = Counter(power for lanes in powers for power in lanes)
    assert set(lanes) == {2.0, -2.0, -40.0, None}
    assert lanes[-40.0] == 16


def test_both_ends_of_a_real_copper_cable_share_their_serial(real):
    rows, links = real
    endings = Counter()
    for link in links:
        ends = [(link[f"node_guid_{end}"], link[f"port_num_{end}"]) for end in "ab"]
        found = [rows[end]["serial"] for end in ends if end in rows and rows[end]["kind"] == "cable"]
        if len(found) == 2:
            short, long = sorted(found, key=len)
            assert long.startswith(short)
            endings[long.removeprefix(short)] += 1
    # One plug at the switch, two legs to the hosts: a leg has the serial of its plug and a number.
    assert endings == {"-1": 42, "-2": 45}


def test_twin_ports_of_a_real_switch_share_their_serial(real):
    rows, _ = real
    cages = defaultdict(set)
    for (node, _), row in rows.items():
        if row["kind"] == "transceiver" and row["cage"]:
            cages[node, row["cage"]].add(row["serial"])
    assert len(cages) > 50
    assert all(len(serials) == 1 for serials in cages.values())
