"""Links, as iblinkinfo prints them in blocks and in lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import mini_file, real_file

from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.iblinkinfo import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "iblinkinfo"
LEAF = "0x0200000000000100"


def read(path: Path) -> Parsed:
    assert claimant(path.name, path.read_bytes()).spec.name == "iblinkinfo"
    return parse(path.name, path.read_bytes())


def ports(parsed: Parsed) -> dict[tuple[str, int], dict]:
    return {(row["node_guid"], row["port_num"]): row for row in parsed.tables["ports"].to_pylist()}


def ends(parsed: Parsed) -> set[tuple]:
    columns = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")
    return {tuple(row[name] for name in columns) for row in parsed.tables["links"].to_pylist()}


def shown(row: dict) -> list:
    return [row[name] for name in ("state", "phys_state", "width_active", "speed_active", "rate_gbps")]


def test_blocks_give_ports_up_and_down():
    found = ports(read(FIXTURES / "blocks.txt"))
    assert shown(found[LEAF, 1]) == ["active", "link_up", "4x", "NDR", 400.0]
    assert shown(found[LEAF, 2]) == ["active", "link_up", "2x", "NDR", 200.0]
    assert shown(found[LEAF, 3]) == ["down", "disabled", None, None, None]
    assert shown(found[LEAF, 4]) == ["init", "link_up", "4x", "FDR10", 40.0]
    assert found[LEAF, 4]["port_label"] == "12"
    assert found[LEAF, 4]["x_config"] == "HOQ:18 VL_Stall:7"


def test_neighbours_are_found_by_lid_or_stay_text():
    parsed = read(FIXTURES / "blocks.txt")
    assert ends(parsed) == {
        (LEAF, 1, "0x020000000000a000", 1),
        (LEAF, 2, "0x020000000000b001", 1),
    }
    found = ports(parsed)
    assert found[LEAF, 2]["peer_node_guid"] == "0x020000000000b001"
    assert found[LEAF, 4]["peer_node_guid"] is None
    assert found[LEAF, 4]["x_peer"] == "a switch of which no block is shown: LID 77 port 3"


def test_two_ports_of_one_hca_are_one_node():
    parsed = read(FIXTURES / "blocks.txt")
    second = ports(parsed)["0x020000000000b001", 2]
    assert (second["port_guid"], second["lid"], second["state"]) == ("0x020000000000b002", None, "down")
    nodes = {row["node_guid"]: row for row in parsed.tables["nodes"].to_pylist()}
    assert [nodes[LEAF][name] for name in ("node_type", "node_name", "lid")] == ["switch", "leaf-1/U1", 1]
    assert nodes["0x020000000000b001"]["node_type"] == "ca"
    assert len(nodes) == 3


def test_a_link_that_could_do_more_is_an_event_at_either_end():
    said = read(FIXTURES / "blocks.txt").tables["events"].to_pylist()
    assert {(row["node_guid"], row["port_num"], row["text"]) for row in said} == {
        ("0x020000000000b001", 1, "Could be 4X"),
        (LEAF, 2, "Could be 4X"),
        (LEAF, 4, "Could be 14.0625 Gbps"),
    }


def test_lines_give_the_same_and_know_every_neighbour():
    parsed = read(FIXTURES / "lines.txt")
    assert ends(parsed) == {(LEAF, 1, "0x020000000000a000", 1), (LEAF, 33, "0x0200000000000200", 33)}
    nodes = {row["node_guid"]: row for row in parsed.tables["nodes"].to_pylist()}
    assert nodes["0x020000000000a000"]["node_desc"] == "host-a mlx5_0"
    assert nodes["0x0200000000000200"]["lid"] == 2
    assert (nodes[LEAF]["num_ports"], nodes[LEAF]["node_type"]) == (65, "switch")


def test_both_forms_of_one_fabric_agree():
    block, line = (read(mini_file(name)) for name in ("iblinkinfo.txt", "iblinkinfo_l.txt"))
    assert ends(block) == ends(line)
    up = {key: shown(row) for key, row in ports(block).items() if row["state"] == "active"}
    assert up == {key: shown(row) for key, row in ports(line).items()}


def test_a_lid_of_two_nodes_joins_nothing():
    data = (FIXTURES / "blocks.txt").read_bytes().replace(b"b001     12 ", b"b001     10 ")
    found = ports(parse("x", data))
    assert found[LEAF, 1]["x_peer"] == "host-a mlx5_0: LID 10 port 1"
    assert found[LEAF, 1]["peer_node_guid"] is None
    assert parse("x", data).tables["ports"].num_rows == 7


@pytest.mark.parametrize("tail", [60, 30, 12])
def test_cut_text_keeps_what_is_whole(tail):
    text = (FIXTURES / "lines.txt").read_bytes()
    parsed = parse("x", text[:-tail])
    assert not parsed.whole
    assert ends(parsed) == {(LEAF, 1, "0x020000000000a000", 1)}
    assert "iblinkinfo.bad_line" in {note.code for note in parsed.notes}


def test_real_fabric_of_twenty_hosts():
    parsed = read(real_file("diags/notes/iblinkinfo-hdr-20nodes.txt"))
    switch = "0x0c42a103008982a4"
    found = ports(parsed)
    assert shown(found[switch, 1]) == ["active", "link_up", "4x", "HDR", 200.0]
    assert found[switch, 1]["peer_node_guid"] == "0x043f720300f744e2"
    assert found["0xb8cef60300025b8c", 1]["lid"] == 1
    assert (switch, 40, "0xb8cef60300025b8c", 1) in ends(parsed)
    down = [key for key, row in found.items() if row["state"] == "down"]
    assert len(down) == 41 - 22
    assert len(ends(parsed)) == 22


def test_real_hints_old_speeds_and_line_form():
    folder = real_file("diags")
    hinted = read(next(folder.glob("blocks/*/*iblinkinfo.txt")))
    assert {row["text"] for row in hinted.tables["events"].to_pylist()} == {"Could be 53.125 Gbps"}
    assert hinted.tables["events"]["port_num"].to_pylist() == [21, 22, 23, 24]
    old = read(folder / "notes/iblinkinfo-2ca-ddr.txt")
    assert ends(old) == {("0x0002c90300002779", 1, "0x0002c90300002f79", 1)}
    assert old.tables["ports"]["rate_gbps"].to_pylist() == [20.0, 20.0]
    line = read(folder / "comment/iblinkinfo-l-edr.txt")
    assert line.tables["ports"]["lid"].to_pylist() == [612, 558, 532]
    assert ("0xec0d9a030002b810", 15, "0xec0d9a03006ed0ca", 1) in {
        (c, d, a, b) if a != "0xec0d9a030002b810" else (a, b, c, d) for a, b, c, d in ends(line)
    }
