"""The .nodes_info parser: firmware and hardware, and the same document as from db_csv."""

from __future__ import annotations

import json

import pytest
from conftest import mini_file, real_file
from siblings_files import HOST_A, LEAF, fixture

from ibforensic.parsers.db_csv import parse as parse_db_csv
from ibforensic.parsers.nodes_info import SPEC, parse

SMALL = fixture("nodes_info/small.nodes_info")
CUT = fixture("nodes_info/cut.nodes_info")


def rows(table: str, data: bytes = SMALL) -> dict[str, dict]:
    """Return the rows of a table by node."""
    return {row["node_guid"]: row for row in parse("f", data).tables[table].to_pylist()}


def test_a_whole_file_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())


def test_nodes():
    leaf, old = rows("nodes")[LEAF], rows("nodes")[HOST_A]
    assert (leaf["fw_version"], leaf["psid"], leaf["uptime_s"]) == ("31.2012.0048", "XY_0000000001", 3600)
    assert (leaf["device_id"], leaf["generation"], leaf["x_Node Name"]) == (0xD2F2, "Quantum-2", "leaf-1/U1")
    assert (old["fw_version"], old["psid"], old["uptime_s"]) == ("2.42.5000", None, 16)


def test_the_document_holds_no_clock_and_no_version_of_firmware():
    row = rows("settings")[LEAF]
    document, rest = json.loads(row["document"]), json.loads(row["rest"])
    assert (row["entity"], row["topic"], row["fields"]) == (LEAF, "node_info", len(document))
    assert (document["SWInfo_Major"], document["SWInfo_Minor"], document["SWInfo_SubMinor"]) == (
        "0x01",
        "0x02",
        "0x11",
    )
    assert document["FWInfo_PSID"] == "XY_0000000001"
    assert {"HWInfo_UpTime", "FWInfo_Extended_Version", "FWInfo_Date"} <= rest.keys()
    assert not rest.keys() & document.keys()


def test_a_version_of_another_shape_is_kept_as_it_is():
    changed = SMALL.replace(b"SWInfo_Version=1.2.17", b"SWInfo_Version=beta")
    assert json.loads(rows("settings", changed)[LEAF]["document"])["SWInfo_Version"] == "beta"


@pytest.mark.parametrize(
    ("text", "uptime"), [(b"3600", 3600), (b"N/A", None), (b"0xffffffffff", None), (b"", None)]
)
def test_uptime(text, uptime):
    changed = SMALL.replace(b"HWInfo_UpTime=0x00000e10", b"HWInfo_UpTime=" + text)
    assert rows("nodes", changed)[LEAF]["uptime_s"] == uptime


def test_a_cut_file_keeps_its_whole_blocks():
    parsed = parse("f", CUT)
    assert parsed.tables["nodes"]["node_guid"].to_pylist() == [LEAF]
    assert [note.code for note in parsed.notes] == ["nodes_info.file_cut", "nodes_info.block_cut"]


def test_blocks_without_guid_or_again():
    parsed = parse("f", SMALL.replace(b"GUID=" + HOST_A.encode(), b"GUID=" + LEAF.encode()))
    assert parsed.tables["nodes"]["psid"].to_pylist() == ["XY_0000000001"]
    assert [note.code for note in parsed.notes] == ["nodes_info.repeated_node"]
    parsed = parse("f", SMALL.replace(b"GUID=" + HOST_A.encode(), b"GUID="))
    assert parsed.tables["nodes"].num_rows == parsed.tables["settings"].num_rows == 1
    assert [note.code for note in parsed.notes] == ["nodes_info.bad_block"]


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("x", SMALL, True),
        ("ibdiagnet2.nodes_info", SMALL[: SMALL.index(b"---")], True),
        ("ibdiagnet2.nodes_info", b"Node Name=leaf\n", False),
        ("ibdiagnet2.nodes_info", fixture("pm/small.pm"), False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


def _theirs(folder, table: str) -> dict[str, dict]:
    found = parse_db_csv("f", (folder / "ibdiagnet2.db_csv").read_bytes()).tables[table].to_pylist()
    return {row["node_guid"]: row for row in found if row["origin"] == "db_csv:NODES_INFO"}


def test_a_real_file_equals_nodes_info():
    folder = real_file("ibdiagnet/gary-ndr")
    data = (folder / "ibdiagnet2.nodes_info").read_bytes()
    assert parse("f", data).notes == ()
    ours, theirs = rows("nodes", data), _theirs(folder, "nodes")
    assert len(ours) == 265
    for name in ("fw_version", "psid", "uptime_s", "device_id", "generation"):
        assert {guid: row[name] for guid, row in ours.items()} == {
            g: row[name] for g, row in theirs.items()
        }, name


def test_documents_of_a_real_file_equal_those_of_db_csv():
    folder = real_file("ibdiagnet/gary-ndr")
    ours = rows("settings", (folder / "ibdiagnet2.nodes_info").read_bytes())
    theirs = _theirs(folder, "settings")
    for name in ("entity", "topic", "document", "fingerprint", "fields"):
        assert {guid: row[name] for guid, row in ours.items()} == {
            g: row[name] for g, row in theirs.items()
        }, name


def test_the_example():
    found = rows("nodes", mini_file("ibdiagnet2.nodes_info").read_bytes())
    assert len(found) == 6
    assert found["0x0200000000000100"]["fw_version"] == "31.2012.1068"
    assert found["0xf200000000000200"]["fw_version"] == "31.2012.1024"
    assert found["0x020000000000b100"]["fw_version"] == "28.40.1000"
