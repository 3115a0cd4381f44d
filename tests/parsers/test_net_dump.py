"""The net_dump parser: ports of switches, the ones that are down included."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file, real_file
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.parsers.net_dump import SPEC, parse

SMALL = (Path(__file__).parents[1] / "fixtures/net_dump/small.net_dump").read_bytes()
LEAF, SPINE, HOST = "0x0abc000000000100", "0x0abc000000000200", "0x0abc00000000a000"


def ports(data: bytes = SMALL) -> dict[tuple[str, int], dict]:
    """Return the rows of ports by key."""
    return {(row["node_guid"], row["port_num"]): row for row in parse("f", data).tables["ports"].to_pylist()}


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())


def test_every_port_has_a_row_with_its_line():
    assert {key: row["line"] for key, row in ports().items()} == {
        (LEAF, 1): 10,
        (LEAF, 2): 11,
        (LEAF, 3): 12,
        (LEAF, 65): 13,
        (SPINE, 7): 16,
    }


def test_a_port_that_is_up():
    row = ports()[LEAF, 1]
    assert (row["state"], row["phys_state"], row["mtu"]) == ("active", "link_up", 4096)
    assert (row["width_active"], row["speed_active"], row["rate_gbps"]) == ("4x", "NDR", 400.0)
    assert (row["fec"], row["retransmission"], row["port_label"]) == ("RS_FEC_544_514", "none", "1/1/1")
    assert (row["peer_node_guid"], row["peer_label"]) == (HOST, "B24D0F0/0/0/1")
    assert (row["x_NLID"], row["x_Neighbor Description"]) == ("10", "calc-1 mlx5_0 : blue")


def test_a_port_in_init_may_have_no_neighbour():
    row = ports()[LEAF, 2]
    assert (row["state"], row["rate_gbps"], row["retransmission"]) == ("init", 100.0, "PLR")
    assert (row["peer_node_guid"], row["peer_label"]) == (None, None)


def test_ports_that_are_down():
    rows = ports()
    assert (rows[LEAF, 3]["state"], rows[LEAF, 3]["phys_state"]) == ("down", "disabled")
    assert (rows[LEAF, 65]["phys_state"], rows[LEAF, 65]["port_label"]) == ("polling", None)
    for name in ("mtu", "width_active", "speed_active", "rate_gbps", "fec", "retransmission"):
        assert rows[LEAF, 3][name] is None


def test_cells_may_be_wider_than_their_column():
    row = ports()[SPINE, 7]
    assert (row["state"], row["phys_state"], row["speed_active"]) == ("armed", "training", "FDR10")
    assert (row["fec"], row["retransmission"], row["peer_node_guid"]) == (None, "LLR64", LEAF)


def test_switches_are_nodes():
    first, second = parse("f", SMALL).tables["nodes"].to_pylist()
    assert (first["node_guid"], first["node_name"], first["lid"]) == (LEAF, "row-1, east/U1", 4)
    assert (second["node_desc"], second["node_type"], second["line"]) == ("spine:7 of hall", "switch", 14)


def test_the_run_is_read_from_head_and_tail():
    (row,) = parse("f", SMALL).tables["runs"].to_pylist()
    assert (row["tool"], row["tool_version"]) == ("ibdiagnet", "2.12.0")
    assert row["began_at"] == datetime(2031, 5, 6, 12, 8, 9, tzinfo=UTC)
    assert row["ended_at"] == datetime(2031, 5, 6, 12, 8, 12, tzinfo=UTC)
    assert json.loads(row["options"]) == {"--get_phy_info": True, "-o": "/tmp/out"}


def test_a_cut_file_keeps_its_whole_rows():
    cut = SMALL[: SMALL.index(b"  1/2/1") + 40]
    parsed = parse("f", cut)
    assert parsed.tables["ports"]["port_num"].to_pylist() == [1, 2]
    assert not parsed.whole
    (note,) = parsed.notes
    assert (note.code, note.line) == ("net_dump.file_cut", 12)


def test_ports_of_a_switch_that_cannot_be_read_go_to_nobody():
    parsed = parse("f", SMALL.replace(b", Mellanox, 0x0abc000000000200", b", Mellanox, nothing"))
    assert set(parsed.tables["ports"]["node_guid"].to_pylist()) == {LEAF}
    (note,) = parsed.notes
    assert (note.code, note.line) == ("net_dump.bad_row", 14)
    assert note.message.startswith("2 lines")


def test_a_word_that_is_not_known_is_told_and_not_guessed_at():
    parsed = parse("f", SMALL.replace(b": 4x      : 100 ", b": 4x      : 9000"))
    row = parsed.tables["ports"].to_pylist()[0]
    assert (row["width_active"], row["speed_active"], row["rate_gbps"]) == ("4x", None, None)
    (note,) = parsed.notes
    assert (note.code, note.line) == ("net_dump.unknown_word", 10)
    assert "LSA holds '9000'" in note.message


def test_a_new_column_rides_along():
    lines = [
        line.replace(" : IB#", " : Plane : IB#") if " : IB#" in line else line.replace(" : ", " : 2 : ", 1)
        for line in SMALL.decode().split("\n")
    ]
    rows = ports("\n".join(lines).encode())
    assert rows[LEAF, 1]["x_Plane"] == "2"
    assert rows[LEAF, 1]["x_Neighbor Description"] == "calc-1 mlx5_0 : blue"


def test_crlf_does_not_matter():
    assert ports(SMALL.replace(b"\n", b"\r\n")) == ports()


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("renamed.txt", SMALL, True),
        ("ibdiagnet2.net_dump", SMALL[: SMALL.index(b"  #   ")], True),
        ("renamed.txt", SMALL[: SMALL.index(b"  #   ")], False),
        ("ibdiagnet2.net_dump", b"", False),
        ("ibdiagnet2.net_dump", SMALL + b"\0", False),
        ("ibdiagnet2.net_dump_ext", b"Ty : # : #IB : GUID : LID : Sta : PhysSta\n", False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(SMALL)), junk=st.binary(max_size=12) | st.sampled_from([b'"', b" : ", b"\n#"]))
def test_no_edit_raises_and_no_row_is_made_up(at, junk):
    parsed = parse("f", SMALL[:at] + junk)
    assert parsed.tables["ports"].num_rows <= 5
    assert not parsed.whole or at >= SMALL.index(b"# File closed")


@pytest.mark.parametrize("name", ["gary-ndr", "gary-ndr-ufm-default"])
def test_a_real_fabric(name):
    parsed = parse("f", (real_file(f"ibdiagnet/{name}") / "ibdiagnet2.net_dump").read_bytes())
    states = parsed.tables["ports"]["state"].to_pylist()
    assert (states.count("down"), states.count("active"), len(states)) == (306, 279, 585)
    assert parsed.tables["nodes"].num_rows == 9
    assert (parsed.notes, parsed.whole) == ((), True)


def test_the_examples():
    parsed = parse("f", mini_file("ibdiagnet2.net_dump").read_bytes())
    assert parsed.tables["ports"]["peer_node_guid"].to_pylist()[0] == "0x020000000000a000"
    xdr = parse("f", mini_file("xdr_net_dump.txt").read_bytes())
    assert xdr.tables["ports"]["port_label"].to_pylist() == ["sw1p1", "sw1p2"]
    assert xdr.tables["ports"]["rate_gbps"].to_pylist() == [200.0, None]
    assert "runs" not in xdr.tables
