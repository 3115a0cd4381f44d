"""The .lst parser: links and the nodes at their ends."""

from __future__ import annotations

import pytest
from conftest import mini_file, real_file
from hypothesis import given
from hypothesis import strategies as st
from siblings_files import HOST_A, HOST_B, LEAF, SPINE, fixture

from ibforensic.parsers.db_csv import parse as parse_db_csv
from ibforensic.parsers.lst import SPEC, parse

SMALL = fixture("lst/small.lst")
BOTH = fixture("lst/both_ways_and_cut.lst")
KEY = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")


def links(data: bytes = SMALL) -> dict[tuple, tuple]:
    """Return width, speed and state by link."""
    return {
        tuple(row[name] for name in KEY): (row["width_active"], row["speed_active"], row["state"])
        for row in parse("f", data).tables["links"].to_pylist()
    }


def nodes(data: bytes = SMALL) -> dict[str, dict]:
    """Return the rows of nodes by GUID."""
    return {row["node_guid"]: row for row in parse("f", data).tables["nodes"].to_pylist()}


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())
    assert parsed.tables["runs"].num_rows == 1


def test_links():
    assert links() == {
        (LEAF, 11, HOST_A, 1): ("4x", "NDR", "active"),
        (LEAF, 12, HOST_B, 1): ("2x", "FDR10", "init"),
        (LEAF, 33, SPINE, 33): ("4x", "HDR", "active"),
    }


def test_nodes():
    found = nodes()
    leaf = found[LEAF]
    assert (leaf["node_type"], leaf["node_desc"], leaf["node_name"]) == (
        "switch",
        "MF0;leaf-1:MQM9700/U1",
        "leaf-1/U1",
    )
    assert (leaf["num_ports"], leaf["lid"], leaf["device_id"], leaf["vendor_id"]) == (65, 24, 0xD2F2, 0x2C9)
    assert (leaf["generation"], leaf["x_Rev"], leaf["line"]) == ("Quantum-2", "000000a0", 8)
    assert (found[HOST_A]["node_type"], found[HOST_A]["system_guid"]) == ("ca", HOST_A)


def test_a_description_may_hold_braces():
    assert nodes()[HOST_A]["node_desc"] == "calc-1 {blue} mlx5_0"
    assert nodes()[HOST_B]["node_desc"] == "calc-2 } LID:1 mlx5_0"


def test_a_link_from_both_ends_is_one_row_and_a_cut_line_none():
    parsed = parse("f", BOTH)
    assert links(BOTH) == {
        (LEAF, 11, HOST_A, 1): ("4x", "NDR", "active"),
        (LEAF, 33, SPINE, 33): ("4x", "HDR", "active"),
    }
    assert not parsed.whole
    assert [(note.code, note.line) for note in parsed.notes] == [
        ("lst.file_cut", 13),
        ("lst.two_answers", 11),
        ("lst.bad_line", 12),
    ]


def test_a_word_that_is_not_known_is_told():
    changed = SMALL.replace(b"SPD=FDR10", b"SPD=9000")
    assert links(changed)[LEAF, 12, HOST_B, 1] == ("2x", None, "init")
    assert [note.code for note in parse("f", changed).notes] == ["lst.unknown_speed_active"]


@pytest.mark.parametrize("old", [b"NodeGUID:0abc00000000a000", b"PN:0b", b"} PHY=4x"])
def test_a_damaged_end_costs_its_line_alone(old):
    assert (LEAF, 12, HOST_B, 1) in links(SMALL.replace(old, b"?"))


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("x", SMALL, True),
        ("x", SMALL[SMALL.index(b"{ CA") :], True),
        ("ibdiagnet2.lst", SMALL[: SMALL.index(b"{ CA")], True),
        ("ibdiagnet2.lst", b"{ CA Ports }\n", False),
        ("ibdiagnet2.lst", fixture("pkey/small.pkey"), False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


@given(st.text(st.characters(blacklist_characters="\n\r\x00", blacklist_categories=("Cs",)), max_size=20))
def test_any_description_is_kept(description):
    data = SMALL.replace(b"spine of hall", description.encode())
    assert nodes(data)[SPINE]["node_desc"] == description


def test_a_real_file_equals_links():
    folder = real_file("ibdiagnet/gary-ndr")
    data = (folder / "ibdiagnet2.lst").read_bytes()
    whole = parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables
    theirs = {tuple(row[name] for name in KEY) for row in whole["links"].to_pylist()}
    assert set(links(data)) == theirs
    assert len(theirs) == 271
    assert set(links(data).values()) == {("4x", "NDR", "active")}
    assert parse("f", data).notes == ()


def test_nodes_of_a_real_file_equal_nodes():
    folder = real_file("ibdiagnet/gary-ndr")
    ours = nodes((folder / "ibdiagnet2.lst").read_bytes())
    whole = parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables
    theirs = {row["node_guid"]: row for row in whole["nodes"].to_pylist() if row["origin"] == "db_csv:NODES"}
    assert ours.keys() == theirs.keys()
    for name in ("node_type", "node_name", "system_guid", "port_guid", "device_id", "vendor_id", "num_ports"):
        assert {guid: row[name] for guid, row in ours.items()} == {
            g: row[name] for g, row in theirs.items()
        }, name


def test_the_example_from_both_ends_is_five_links():
    found = links(mini_file("ibdiagnet2.lst").read_bytes())
    assert len(found) == 5
    assert ("0x0200000000000100", 33, "0xf200000000000200", 33) in found
    assert len(nodes(mini_file("ibdiagnet2.lst").read_bytes())) == 6
