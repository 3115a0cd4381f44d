"""Topology by ibnetdiscover, in the spellings of both tools, whole and pasted."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import mini_file, real_file
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.parsers import claimant
from ibforensic.parsers.ibnetdiscover import SPEC, parse

FIXTURES = Path(__file__).parents[1] / "fixtures/ibnetdiscover"
SMALL = (FIXTURES / "small.ibnetdiscover").read_bytes()
PASTED = (FIXTURES / "pasted.txt").read_bytes()
ROW, ROW2 = "0x0abc000000000100", "0x0abc000000000200"
CALC, CALC2, GATE = "0x0abc00000000a000", "0x0abc00000000b000", "0x0abc00000000c000"


def rows(data: bytes, table: str, *columns: str) -> list[tuple]:
    """Return some columns of one table."""
    return [tuple(row[name] for name in columns) for row in parse("d/f", data).tables[table].to_pylist()]


def codes(data: bytes) -> list[str]:
    """Return the codes of the notes."""
    return [note.code for note in parse("d/f", data).notes]


def test_nodes_of_ibdiagnets_own_file():
    parsed = parse("d/f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())
    wanted = ("node_guid", "node_type", "node_name", "system_guid", "device_id", "num_ports", "lid", "line")
    assert rows(SMALL, "nodes", *wanted) == [
        (ROW, "switch", "row-1/U1", ROW, 0xD2F2, 65, 4, 16),
        (CALC, "ca", "calc-1 mlx5_0", CALC, 0x1021, 1, None, 27),
        (GATE, "router", 'gate "one" mlx5_0', "0x0abc00000000c002", 0xCF09, 2, None, 35),
    ]
    assert rows(SMALL, "nodes", "generation", "vendor_id")[:2] == [("Quantum-2", 713), ("ConnectX-7", 713)]


def test_ports_have_labels_lids_and_rates():
    wanted = ("node_guid", "port_num", "port_guid", "lid", "port_label", "rate_gbps", "phys_state", "state")
    assert rows(SMALL, "ports", *wanted) == [
        (ROW, 1, ROW, None, "1/1/1", 400.0, "link_up", None),
        (ROW, 3, ROW, None, "1/2/1", 200.0, "link_up", None),
        (CALC, 1, CALC, 11, "B24D0F0/0/0/1", 400.0, "link_up", None),
        (GATE, 2, "0x0abc00000000c001", 65535, None, 200.0, "link_up", None),
        (ROW, 2, None, None, "1/1/2", None, "link_up", None),
    ]


def test_each_link_is_there_once_with_the_smaller_end_first():
    wanted = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b", "width_active", "speed_active")
    assert rows(SMALL, "links", *wanted) == [
        (ROW, 1, CALC, 1, "4x", "NDR"),
        (ROW, 3, GATE, 2, "4x", "HDR"),
    ]


def test_a_port_whose_neighbour_is_silent_is_an_event():
    wanted = ("scope", "node_guid", "port_num", "event", "level", "line")
    assert rows(SMALL, "events", *wanted) == [
        ("port", ROW, 2, "REMOTE_PEER_NOT_RESPONDING", "warning", 18),
        ("node", ROW, None, "REMOTE_PEER_NOT_RESPONDING", "warning", 20),
    ]


def test_the_warning_may_stand_before_the_line_that_begins_the_block():
    early = SMALL.replace(
        b'Switch  65 "S-', b'Warning: the port is UP, but remote peer is not responding\nSwitch  65 "S-'
    )
    assert rows(early, "events", "node_guid", "port_num")[0] == (ROW, None)


def test_the_run_of_ibdiagnets_own_file():
    ((tool, version, began),) = rows(SMALL, "runs", "tool", "tool_version", "began_at")
    assert (tool, version, f"{began:%Y-%m-%d %H:%M:%S}") == ("ibdiagnet", "2.12.0", "2031-05-06 07:08:09")


def test_a_pasted_text_without_tabs():
    wanted = ("node_guid", "port_num", "port_guid", "lid", "width_active", "speed_active", "peer_node_guid")
    assert rows(PASTED, "ports", *wanted) == [
        (ROW, 1, ROW, None, "4x", "HDR", CALC),
        (ROW, 7, ROW, None, "2x", "HDR", CALC2),
        (ROW, 8, ROW, None, "4x", "FDR10", ROW2),
        (ROW, 9, ROW, None, None, None, ROW2),
        (CALC, 1, "0x0abc00000000a001", 11, "4x", "HDR", ROW),
        (CALC2, 1, "0x0abc00000000b001", 65535, None, None, ROW),
        (ROW2, 9, ROW2, None, None, None, ROW),
        (ROW2, 10, ROW2, None, None, None, ROW),
    ]


def test_nodes_named_as_neighbours_alone_are_taken_and_noted():
    assert codes(PASTED) == ["ibnetdiscover.neighbours_alone"]
    assert not parse("f", PASTED).whole
    assert rows(PASTED, "nodes", "node_guid", "node_desc", "node_type", "lid")[2:] == [
        (CALC2, "calc-2 mlx5_0", "ca", None),
        (ROW2, "row-2", "switch", None),
    ]
    assert rows(PASTED, "nodes", "node_desc", "node_name")[0] == ("row-1 ", "row-1")


def test_a_single_neighbour_alone_is_one_node():
    lines = PASTED.replace(b"\r\n", b"\n").split(b"\n")
    one = b"\n".join(line for line in lines if f"{ROW2[2:]}".encode() not in line)
    (note,) = parse("f", one).notes
    assert note.code == "ibnetdiscover.neighbours_alone"
    assert note.message.startswith("1 node named")


def test_the_time_of_the_plain_tool_has_no_zone():
    run = rows(PASTED, "runs", "tool", "began_at", "x_printed_time")
    assert run == [("ibnetdiscover", None, "Tue May  6 07:08:09 2031")]


def test_a_cut_file_of_ibdiagnet_is_noted():
    cut = SMALL[: SMALL.index(b"Rt  2")]
    assert codes(cut) == ["ibnetdiscover.neighbours_alone", "ibnetdiscover.file_cut"]


def test_a_block_that_cannot_be_read_loses_its_ports_and_no_others():
    bad = SMALL.replace(b'Switch  65 "S-0abc000000000100"', b'Switch  65 "S-0abc0000000001zz"')
    assert codes(bad) == ["ibnetdiscover.bad_line", "ibnetdiscover.neighbours_alone"]
    assert (CALC, 1) in rows(bad, "ports", "node_guid", "port_num")
    assert rows(bad, "ports", "node_guid", "port_num", "line") == [
        (CALC, 1, 28),
        (GATE, 2, 36),
        (ROW, 1, 28),
        (ROW, 3, 36),
    ]


@pytest.mark.parametrize(
    ("head", "claimed"),
    [
        (SMALL, True),
        (PASTED, True),
        (SMALL + b"\0", False),
        (b"Non-Chassis Nodes\n" + SMALL, True),
        (PASTED.replace(b"\r\n[7]", b"\r\n< [7]"), True),
        (b"CA   134  1 0x7c00000000000001 4x EDR - SW  17 10 0x7c00000000000002 ( 'a' - 'b' )\n", True),
        (b"CA   134  1 of something else\n", False),
        (b'Switch\t: 0x0abc000000000100 ports 36 "a" enhanced port 0 lid 4 lmc 0\n', False),
    ],
)
def test_all_forms_are_claimed_and_nothing_else(head, claimed):
    assert SPEC.claims("x", head) is claimed


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(PASTED)), junk=st.binary(max_size=12) | st.sampled_from([b"[1]", b'Ca1 "H-']))
def test_no_edit_raises(at, junk):
    assert parse("f", PASTED[:at] + junk + PASTED[at:]).tables["links"].num_rows >= 1


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("ibdiagnet/gary-ndr/ibdiagnet2.ibnetdiscover", (272, 542, 271)),
        ("diags/ufm_sdk/ibnetdiscover_director.txt", (2728, 17446, 8723)),
        ("diags/ufm_sdk/selene.storage.txt", (1407, 6572, 3286)),
        ("diags/ibtopotool/3.topo", (8, 20, 10)),
    ],
)
def test_real_fabrics_are_read_whole(file, counts):
    parsed = parse("f", real_file(file).read_bytes())
    assert tuple(parsed.tables[name].num_rows for name in ("nodes", "ports", "links")) == counts
    assert (parsed.notes, parsed.whole) == ((), True)


def test_a_real_fabric_agrees_with_its_database():
    from ibforensic.parsers.db_csv import parse as database

    folder = real_file("ibdiagnet/gary-ndr")
    told = parse("f", (folder / "ibdiagnet2.ibnetdiscover").read_bytes()).tables
    held = database("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables
    ends = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")
    assert {tuple(row[e] for e in ends) for row in told["links"].to_pylist()} == {
        tuple(row[e] for e in ends) for row in held["links"].to_pylist()
    }
    labels = {(row["node_guid"], row["port_num"]): row["port_label"] for row in told["ports"].to_pylist()}
    other = {
        (row["node_guid"], row["port_num"]): row["port_label"]
        for row in held["ports"].to_pylist()
        if row["port_label"]
    }
    assert {key: label for key, label in labels.items() if other.get(key, str(key[1])) != label} == {}


def test_both_tools_tell_the_same_about_one_fabric():
    own, plain = (mini_file(name).read_bytes() for name in ("ibdiagnet2.ibnetdiscover", "ibnetdiscover.txt"))
    assert rows(own, "links", "node_guid_a", "port_num_b", "speed_active") == rows(
        plain, "links", "node_guid_a", "port_num_b", "speed_active"
    )
    assert rows(own, "ports", "node_guid", "port_guid", "lid") == rows(
        plain, "ports", "node_guid", "port_guid", "lid"
    )


def test_flat_form_has_ports_without_a_neighbour():
    data = (FIXTURES / "flat.txt").read_bytes()
    assert claimant("x", data).spec.name == "ibnetdiscover"
    parsed = parse("x", data)
    ports = {(row["node_guid"], row["port_num"]): row for row in parsed.tables["ports"].to_pylist()}
    assert ports["0x0200000000000100", 33]["rate_gbps"] == 100.0
    assert ports["0x0200000000000100", 1]["peer_node_guid"] == "0x020000000000a000"
    alone = ports["0x0200000000000200", 4]
    assert (alone["phys_state"], alone["speed_active"], alone["rate_gbps"]) == (None, None, None)
    names = {row["node_guid"]: row["node_desc"] for row in parsed.tables["nodes"].to_pylist()}
    assert names["0x0200000000000200"] == " spine - 1 "
    assert parsed.tables["links"].num_rows == 2


def test_grouped_form_is_read_as_the_plain_one():
    data = (FIXTURES / "grouped.txt").read_bytes()
    assert claimant("x", data).spec.name == "ibnetdiscover"
    parsed = parse("x", data)
    (link,) = parsed.tables["links"].to_pylist()
    assert (link["port_num_a"], link["port_num_b"], link["speed_active"]) == (1, 2, "QDR")
    assert not parsed.notes


def test_differences_are_events_and_no_topology():
    data = (FIXTURES / "difference.txt").read_bytes()
    assert claimant("x", data).spec.name == "ibnetdiscover"
    parsed = parse("x", data)
    assert set(parsed.tables) == {"events"}
    rows = parsed.tables["events"].to_pylist()
    assert [(row["event"], row["scope"], row["port_num"], row["line"]) for row in rows] == [
        ("GONE_SINCE_CACHE", "port", 2, 2),
        ("NEW_SINCE_CACHE", "port", 2, 3),
        ("GONE_SINCE_CACHE", "node", None, 4),
    ]
    assert parsed.raw["ibnetdiscover_diff"].num_rows == 3


def test_real_flat_and_grouped_text():
    flat = parse("x", real_file("diags/treydock/ibnetdiscover/test.out").read_bytes())
    ports = {(row["lid"], row["port_num"]): row for row in flat.tables["ports"].to_pylist()}
    assert ports[1719, 1]["peer_node_guid"] == "0x7cfe900300b07320"
    assert ports[134, 1]["speed_active"] == "EDR"
    assert ports[2052, 37]["width_active"] is None
    assert flat.tables["links"].num_rows == 4
    grouped = parse("x", real_file("diags/ibtopotool/1.topo").read_bytes())
    kinds = grouped.tables["nodes"]["node_type"].to_pylist()
    assert (kinds.count("switch"), kinds.count("ca")) == (2, 4)
    assert grouped.tables["links"].num_rows == 7
