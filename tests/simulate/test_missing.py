"""What is left out is gone, the rest is whole, and the tool still finds what it can."""

from __future__ import annotations

import pytest
from simulated import by_port, rows, section

from ibforensic import pipeline
from ibforensic.model.errors import BadUsage
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.missing import GAPS, parse_missing
from ibforensic.simulate.options import catalogue
from ibforensic.simulate.order import Order, write_order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.write_db_csv import assemble, disassemble

SPEC = parse_spec("fat-tree:leaf=3,spine=2,hosts=5,hcas=2,uplinks=2")


def _write(directory, missing, seed=1, **more):
    return write_order(directory, Order(SPEC, missing=parse_missing(missing), seed=seed, **more))


def _text(directory, name):
    return (directory / f"ibdiagnet2.{name}").read_text()


def _guids(directory):
    return {row["NodeGUID"] for row in rows(directory, "NODES")}


def _columns(directory, name):
    return set(section(_text(directory, "db_csv"), name)[0])


@pytest.mark.parametrize("name", [name for name in GAPS if name not in ("host", "switch")])
def test_the_tool_reads_it_and_blames_nobody_who_is_well(tmp_path, name):
    truth = _write(tmp_path, name)
    assert [one["what"] for one in truth["missing"]] == [name]
    baseline, current = (pipeline.snapshot([tmp_path / side]) for side in ("baseline", "current"))
    document = pipeline.diff(baseline, current).document
    assert document["suspects"] == []
    codes = {note["code"] for side in ("baseline", "current") for note in document[side]["notes"]}
    assert any(code.endswith("file_cut") for code in codes) is (name == "truncated")


@pytest.mark.parametrize("name", GAPS)
def test_the_culprit_is_still_found(tmp_path, name):
    truth = _write(tmp_path, name, seed=2, faults=(FaultKind.BAD_LINK,), severity="high")
    baseline, current = (pipeline.snapshot([tmp_path / side]) for side in ("baseline", "current"))
    document = pipeline.diff(baseline, current).document
    end = (truth["suspect"]["end"]["node_guid"], truth["suspect"]["end"]["port"])
    found = {
        (port["node_guid"], port["port"])
        for suspect in document["suspects"]
        for port in (suspect["end"], *(suspect["link"] or {}).values())
        if port
    }
    assert end in found


def test_a_file_put_together_again_is_the_same(tmp_path):
    _write(tmp_path, "none")
    text = _text(tmp_path / "current", "db_csv")
    assert assemble(disassemble(text)) == text


def test_the_index_still_says_where_sections_are(tmp_path):
    _write(tmp_path, "phy,host,columns")
    data = (tmp_path / "current/ibdiagnet2.db_csv").read_bytes()
    entries = [
        line.split(",") for line in data.decode().partition("START_INDEX_TABLE\n")[2].splitlines()[1:-1]
    ]
    assert len(entries) > 10
    for name, offset, size, line, count in entries:
        body = data[int(offset) : int(offset) + int(size)].decode()
        assert data[: int(offset)].decode().endswith(f"START_{name}\n")
        assert data[int(offset) + int(size) :].decode().startswith(f"END_{name}\n")
        assert body.count("\n") == int(count) + 1
        assert data[: int(offset)].decode().count("\n") + 1 == int(line)


def test_silent_hosts_are_gone_everywhere_and_timed_out(tmp_path):
    (one,) = _write(tmp_path, "host:0.2")["missing"]
    assert len(one["hosts"]) == 3
    assert set(one["node_guids"]) == _guids(tmp_path / "baseline") - _guids(tmp_path / "current")
    for path in (tmp_path / "current").iterdir():
        text = path.read_text()
        assert not any(f"{int(guid, 16):x}" in text for guid in one["node_guids"]), path.name
    assert _text(tmp_path / "current", "log").count("No response for MAD SMPNodeInfo") == 5
    silent = rows(tmp_path / "current", "WARNINGS_FABRIC_DISCOVER")
    assert len(silent) == len(one["node_guids"]) == 6
    ports = by_port(tmp_path / "current", "PORTS")
    assert all((row["NodeGUID"], int(row["PortNumber"])) in ports for row in silent)


def test_a_silent_switch_cuts_off_nobody(tmp_path):
    (one,) = _write(tmp_path, "switch")["missing"]
    gone = _guids(tmp_path / "baseline") - _guids(tmp_path / "current")
    assert gone == {*one["node_guids"], *one["behind"]}
    hosts = [row for row in rows(tmp_path / "current", "NODES") if row["NodeType"] == "1"]
    assert len([row for row in hosts if "Aggregation" not in row["NodeDesc"]]) == 30


def test_silent_ports_have_no_counters(tmp_path):
    (one,) = _write(tmp_path, "ports:0.1")["missing"]
    silent = {(port["node_guid"], port["port"]) for port in one["ports"]}
    before, after = (by_port(tmp_path / side, "PM_INFO").keys() for side in ("baseline", "current"))
    assert before - after == silent
    assert len(silent) == round(0.1 * len(before))
    assert by_port(tmp_path / "current", "PORTS").keys() >= silent
    assert _text(tmp_path / "current", "pm").count("Port Name=") == len(after)


@pytest.mark.parametrize(("name", "sides"), [("phy", "baseline current"), ("one-side-phy", "baseline")])
def test_a_run_that_did_not_ask_about_the_physical_layer(tmp_path, name, sides):
    _write(tmp_path, name)
    for side in ("baseline", "current"):
        asked = side not in sides.split()
        assert ("START_PHY_DB16" in _text(tmp_path / side, "db_csv")) is asked
        assert (tmp_path / side / "ibdiagnet2.net_dump_ext").exists() is asked
        assert ("--get_phy_info" in _text(tmp_path / side, "log")) is asked
        assert ("--get_phy_info" in rows(tmp_path / side, "RUN_INFO")[0]["Args"]) is asked
        assert "--get_cable_info" in rows(tmp_path / side, "RUN_INFO")[0]["Args"]


def test_narrow_counters_are_narrow_and_stick(tmp_path):
    _write(tmp_path, "narrow")
    for side in ("baseline", "current"):
        assert not {name for name in _columns(tmp_path / side, "PM_INFO") if "Ext" in name or "Cast" in name}
        full = [row for row in rows(tmp_path / side, "PM_INFO") if row["PortXmitData"] == str(2**32 - 1)]
        assert full
        assert "extended" not in _text(tmp_path / side, "pm")


def test_an_older_tool_lacks_columns_on_the_baseline_alone(tmp_path):
    _write(tmp_path, "columns")
    lost = _columns(tmp_path / "current", "PM_INFO") - _columns(tmp_path / "baseline", "PM_INFO")
    assert {"SymbolErrorCounterExt", "QP1DroppedExt"} <= lost
    assert "PortXmitDataExtended" not in lost
    assert "FECActv" not in _columns(tmp_path / "baseline", "PORTS")


def test_an_old_version_writes_another_way_and_means_the_same(tmp_path):
    _write(tmp_path / "old", "old-version")
    _write(tmp_path / "new", "none")
    old, new = (by_port(tmp_path / name / "baseline", "PM_INFO") for name in ("old", "new"))
    assert old.keys() == new.keys()
    for port, row in old.items():
        assert row["PortXmitDataExtended"].startswith("0x")
        assert int(row["PortXmitDataExtended"], 16) == int(new[port]["PortXmitDataExtended"])
    assert "Running:" in _text(tmp_path / "old/baseline", "log")
    assert "2.8.1" in rows(tmp_path / "old/baseline", "RUN_INFO")[0]["IBDIAGNET_Version"]
    assert "Symbol BER" not in _text(tmp_path / "old/baseline", "net_dump_ext")
    assert "Symbol Err" in _text(tmp_path / "old/baseline", "net_dump_ext")


def test_only_pm_and_links_are_left(tmp_path):
    _write(tmp_path, "pm-only")
    names = {path.name for path in (tmp_path / "current").iterdir()}
    assert names == {"ibdiagnet2.pm", "ibdiagnet2.lst", "ibdiagnet2.net_dump"}


def test_what_cannot_be_left_out_is_said(tmp_path):
    for text in ("nothing", "host:2", "phy:0.1", "host:x"):
        with pytest.raises(BadUsage):
            parse_missing(text)
    assert parse_missing("truncated,host") == (("host", 0.1), ("truncated", 0.0))
    with pytest.raises(BadUsage, match="no db_csv"):
        _write(tmp_path / "a", "pm-only,truncated")
    with pytest.raises(BadUsage, match=r"no \.pm"):
        _write(tmp_path / "b", "pm-only", phy=False)
    assert all(f"  {name} " in catalogue() for name in GAPS)
