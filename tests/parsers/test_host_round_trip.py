"""What simulate writes for hosts is read as what it simulated."""

from __future__ import annotations

import pytest
from small_fabric import story

from ibforensic.parsers import claimant
from ibforensic.simulate import write_mlxlink, write_sysfs
from ibforensic.simulate.writers import Occasion


@pytest.fixture(scope="module")
def told():
    told = story(hosts=1, phy=True)
    told.fall(told.hca(), downs=7)
    return told


def read(told, writer, tmp_path):
    """Return file name → what its parser made of it."""
    writer.write(tmp_path, told.pair.current, Occasion())
    found = {}
    for path in sorted(tmp_path.iterdir()):
        data = path.read_bytes()
        found[path.name] = claimant(path.name, data).parse(path.name, data)
    return found


def test_sysfs(told, tmp_path):
    found = read(told, write_sysfs, tmp_path)
    rows = [row for parsed in found.values() for row in parsed.tables["counters_pma"].to_pylist()]
    counts = {row["node_guid"]: row for row in rows}
    assert len(counts) == len(rows) == 4
    for guid, row in counts.items():
        truth = told.pair.current.counters[told.hca()._replace(node_guid=guid)]
        assert row["link_downed_counter"] == truth.get("link_downed_counter", 0)
        assert row["port_rcv_data_ext"] == truth["port_rcv_data"]
    assert counts[told.hca().node_guid]["link_downed_counter"] == 7
    ports = [row for parsed in found.values() for row in parsed.tables["ports"].to_pylist()]
    assert {row["lid"] for row in ports} == {told.pair.current.lids[guid] for guid in counts}
    assert not any(parsed.notes for parsed in found.values())


def test_mlxlink_text_and_json(told, tmp_path):
    found = read(told, write_mlxlink, tmp_path)
    assert all(parsed.whole and not parsed.notes for parsed in found.values())
    both = {name.rpartition(".")[0] for name in found if name.endswith(".json")}
    assert len(both) == 4
    for stem in both:
        text, structured = found[f"{stem}.txt"], found[f"{stem}.json"]
        for name in ("ports", "phy", "modules", "counters_phy"):
            here, there = (
                parsed.tables[name].drop_columns(["line", "source"]).to_pylist()
                for parsed in (text, structured)
            )
            assert here == there, (stem, name)
    raw = told.pair.current.phy.readings[told.hca()].raw
    counted = [found[f"{stem}.json"].tables["counters_phy"].to_pylist()[0] for stem in sorted(both)]
    (row,) = (row for row in counted if row["link_down_events"] == 7)
    assert [row[f"phy_raw_errors_lane{lane}"] for lane in range(4)] == list(raw[:4])
