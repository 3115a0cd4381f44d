"""Systems, ports and links as UFM's REST interface answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import real_file

from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.ufm_rest import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ufm_rest"
LEAF = "0x0200000000000100"


def read(path: Path) -> Parsed:
    assert claimant(path.name, path.read_bytes()).spec.name == "ufm_rest"
    return parse(path.name, path.read_bytes())


def test_ports_up_and_down():
    up, down = read(FIXTURES / "ports.json").tables["ports"].to_pylist()
    names = ("node_guid", "port_num", "state", "phys_state", "rate_gbps", "speed_enabled", "mtu", "lid")
    assert [up[name] for name in names] == [LEAF, 1, "active", "link_up", 400.0, "SDR,NDR", 4096, 1]
    assert [down[name] for name in names] == [LEAF, 2, "down", "polling", None, None, None, None]
    assert (up["port_label"], up["peer_node_guid"]) == ("1/1/1", "0x020000000000a000")
    assert (down["port_label"], down["peer_node_guid"]) == (None, None)
    assert (up["line"], down["line"]) == (2, 9)


def test_systems_are_nodes():
    parsed = read(FIXTURES / "systems.json")
    leaf, host = parsed.tables["nodes"].to_pylist()
    assert (leaf["node_type"], leaf["node_name"], leaf["psid"]) == ("switch", "leaf-1/U1", "MT_0000000577")
    assert leaf["serial"] is None
    assert (host["node_type"], host["node_guid"]) == ("ca", "0x020000000000a000")
    assert [note.code for note in parsed.notes] == ["ufm_rest.no_key"]


def test_a_link_from_both_ends_is_one():
    (link,) = read(FIXTURES / "links.json").tables["links"].to_pylist()
    assert (link["node_guid_a"], link["node_guid_b"], link["width_active"]) == (
        LEAF,
        "0x020000000000a000",
        "4x",
    )


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_an_answer_that_is_cut_gives_its_whole_objects(cut):
    parsed = parse("x", (FIXTURES / "ports.json").read_bytes().rstrip()[:-cut])
    assert not parsed.whole
    assert parsed.tables["ports"]["port_num"].to_pylist() == ([1, 2] if cut == 1 else [1])


def test_hostile_depth_is_no_crash():
    data = b'[{"logical_state": ' + b"[" * 200_000
    assert not parse("x", data).whole


def test_real_answers():
    folder = real_file("ufm/rest")
    ports = read(folder / "ports.json").tables["ports"]
    states = ports["state"].to_pylist()
    assert (ports.num_rows, states.count("active"), states.count("down"), states.count(None)) == (
        3369,
        2123,
        1191 + 39,
        16,
    )
    down = [
        row for row in ports.to_pylist() if row["node_guid"] == "0x7cfe900300f73dc0" and row["port_num"] == 11
    ]
    assert (down[0]["phys_state"], down[0]["speed_active"], down[0]["lid"]) == ("polling", None, None)
    assert read(folder / "links.json").tables["links"].num_rows == 1034
    nodes = read(folder / "systems.json").tables["nodes"]
    kinds = nodes["node_type"].to_pylist()
    assert (kinds.count("switch"), kinds.count("ca")) == (71, 685)
    named = {row["node_guid"]: row["node_desc"] for row in nodes.to_pylist()}
    assert named["0xb8599f0300b048b0"] == "mtlx843 HCA-1"
