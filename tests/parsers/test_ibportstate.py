"""One port by ibportstate: speeds in use and speeds that could be."""

from __future__ import annotations

from pathlib import Path

from conftest import real_file

from ibforensic.capture import capture
from ibforensic.parsers import claimant
from ibforensic.parsers.ibportstate import parse

FIXTURES = Path(__file__).parents[1] / "fixtures"
TEXT = (FIXTURES / "ibportstate/fdr10.txt").read_bytes()


def test_the_port_that_was_asked_with_its_speeds():
    assert claimant("x", TEXT).spec.name == "ibportstate"
    first, second = parse("x", TEXT).tables["ports"].to_pylist()
    assert (first["lid"], first["port_num"], first["x_peer_port"]) == (5, 17, "1")
    assert (first["state"], first["width_active"], first["speed_active"]) == ("active", "4x", "FDR10")
    assert first["width_supported"] == "1x,2x,4x"
    assert first["speed_enabled"] == "SDR,QDR,FDR"
    assert first["speed_supported"] == "SDR,DDR,QDR,FDR,EDR"
    assert (second["port_num"], second["state"], second["phys_state"]) == (18, "down", "polling")
    assert second["speed_active"] is None
    assert second["x_peer_port"] is None


def test_what_the_tool_says_is_kept_with_its_port():
    (event,) = parse("x", TEXT).tables["events"].to_pylist()
    assert (event["port_num"], event["x_lid"]) == (17, "5")
    assert event["text"].startswith("Peer ports operating at active speed")


def test_the_neighbour_stays_as_text():
    raw = parse("x", TEXT).raw["ibportstate"].to_pylist()
    peer = [row["value"] for row in raw if "DR path" in row["block"] and row["field"] == "LinkWidthActive"]
    assert peer == ["4X"]


def test_another_file_tells_whose_port_it_is(tmp_path):
    (tmp_path / "state.txt").write_bytes(TEXT)
    (tmp_path / "switches.txt").write_text(
        'Switch : 0x0200000000000500 ports 36 "leaf" base port 0 lid 5 lmc 0\n'
    )
    (sample,) = capture([tmp_path]).samples
    assert set(sample.tables["ports"]["node_guid"].to_pylist()) == {"0x0200000000000500"}


def test_real_ports():
    folder = real_file("diags/hyungkwang")
    (one,) = parse("x", (folder / "ibportstate-lid1-36.txt").read_bytes()).tables["ports"].to_pylist()
    assert (one["lid"], one["port_num"], one["x_peer_port"]) == (1, 36, "40")
    assert (one["speed_active"], one["rate_gbps"]) == ("FDR", 56.0)
    assert one["speed_supported"] == "SDR,DDR,QDR,FDR,EDR"
    (other,) = parse("x", (folder / "ibportstate-lid3-40.txt").read_bytes()).tables["ports"].to_pylist()
    assert (other["lid"], other["port_num"], other["state"]) == (3, 40, "active")
