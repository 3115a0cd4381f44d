"""Nodes by ibswitches and ibhosts, and the subnet manager by sminfo."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import real_file

from ibforensic.parsers import claimant, node_list, sminfo

FIXTURES = Path(__file__).parents[1] / "fixtures"


def nodes(data: bytes) -> dict[str, dict]:
    return {row["node_guid"]: row for row in node_list.parse("x", data).tables["nodes"].to_pylist()}


def test_both_lists_in_one_copied_screen():
    found = nodes((FIXTURES / "node_list/both.txt").read_bytes())
    leaf = found["0x0200000000000100"]
    assert [leaf[name] for name in ("node_type", "node_name", "num_ports", "lid")] == [
        "switch",
        "leaf-1/U1",
        65,
        1,
    ]
    assert found["0xxxxxxxxxxxxxxxxa"]["lid"] == 2
    host = found["0x020000000000a000"]
    assert (host["node_type"], host["lid"], host["node_desc"]) == ("ca", None, "host-a mlx5_0")


def test_a_cut_list_says_so():
    data = (FIXTURES / "node_list/both.txt").read_bytes()
    parsed = node_list.parse("x", data[:-12])
    assert not parsed.whole
    assert parsed.tables["nodes"].num_rows == 2


def test_real_lists():
    found = nodes(real_file("diags/gsi/ibswitches.txt").read_bytes())
    assert len(found) == 8
    assert found["0x08c0eb0300a026b6"]["num_ports"] == 81
    assert found["0x08c0eb0300a026b6"]["lid"] == 13
    assert found["0x7cfe90030097cd70"]["node_desc"] == "SwitchX -  Mellanox Technologies"
    copied = next(real_file("diags/blocks").glob("*/*bond_md.3.ibswitches.txt"))
    kinds = [row["node_type"] for row in nodes(copied.read_bytes()).values()]
    assert (kinds.count("switch"), kinds.count("ca")) == (2, 31)


def test_subnet_managers_are_documents_without_lid_and_activity():
    data = (FIXTURES / "sminfo/two.txt").read_bytes()
    assert claimant("x", data).spec.name == "sminfo"
    rows = sminfo.parse("x", data).tables["settings"].to_pylist()
    assert [json.loads(row["document"]) for row in rows] == [
        {"GUID": "0x0200000000000100", "Priority": "14", "SmState": "master"},
        {"GUID": "0x020000000000a000", "Priority": "0", "SmState": "standby"},
    ]
    assert {row["topic"] for row in rows} == {"sm_info"}
    assert json.loads(rows[0]["rest"])["activity_count"] == "6720"


def test_half_a_state_is_none():
    data = (FIXTURES / "sminfo/two.txt").read_bytes().rstrip()
    parsed = sminfo.parse("x", data[:-12])
    assert parsed.tables["settings"].num_rows == 1
    assert not parsed.whole
