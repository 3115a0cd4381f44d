"""Several collections a side, and a window that clears counters when it begins."""

from __future__ import annotations

import pytest
from simulated import by_port, key, rows

from ibforensic import pipeline
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.order import Order, write_order
from ibforensic.simulate.topology_spec import parse_spec

SPEC = parse_spec("fat-tree:leaf=3,spine=2,hosts=4,hcas=2,uplinks=2")
COUNTED = ("PortXmitDataExtended", "PortXmitWaitExt", "SymbolErrorCounter", "PortRcvErrors")


def _write(directory, **order):
    return write_order(directory, Order(SPEC, faults=(FaultKind.BAD_LINK,), seed=3, severity="high", **order))


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    directory = tmp_path_factory.mktemp("history")
    _write(directory, samples=3)
    return directory


def test_each_collection_has_a_folder_and_a_later_time(history):
    for side in ("baseline", "current"):
        folders = sorted(path.name for path in (history / side).iterdir())
        assert folders == ["1", "2", "3"]
        times = [rows(history / side / name, "RUN_INFO")[0]["Date"] for name in folders]
        assert times == sorted(set(times))
        uptimes = [rows(history / side / name, "NODES_INFO")[0]["HWInfo_UpTime"] for name in folders]
        assert int(uptimes[2], 16) - int(uptimes[0], 16) == 1200


def test_everything_grows_from_one_to_the_next(history):
    for section, names in (("PM_INFO", COUNTED), ("PHY_DB16", ("field0", "field1", "field3", "field18"))):
        seen = [by_port(history / side / name, section) for side in ("baseline", "current") for name in "123"]
        for port in seen[-1]:
            for name in names:
                # Links that came up anew count anew between baseline and current.
                for three in (seen[:3], seen[3:]):
                    levels = [int(one[port][name]) for one in three]
                    assert levels == sorted(levels), (port, name)


def test_the_last_collection_is_that_of_a_single_one(history, tmp_path):
    _write(tmp_path)
    for side in ("baseline", "current"):
        for path in (tmp_path / side).iterdir():
            assert path.read_bytes() == (history / side / "3" / path.name).read_bytes()


@pytest.mark.parametrize("order", [{"samples": 2}, {"window": 300}, {"samples": 2, "window": 600}])
def test_the_tool_takes_them_as_one_side_and_finds_the_link(tmp_path, order):
    truth = _write(tmp_path, **order)
    assert truth["samples"] == order.get("samples", 1)
    assert truth["window_s"] == order.get("window", 0)
    baseline, current = (pipeline.snapshot([tmp_path / side]) for side in ("baseline", "current"))
    (suspect,) = pipeline.diff(baseline, current).document["suspects"]
    assert key(suspect["end"]) == key(truth["suspect"]["end"])


def test_a_window_begins_with_zero_and_shows_the_rates_of_now(tmp_path):
    truth = _write(tmp_path, window=300)
    first, window = (tmp_path / "current" / name for name in "12")
    options = rows(window, "RUN_INFO")[0]["Args"]
    assert "--pc --pm_pause_time 300 --reset_phy_info" in options
    assert "--pc" not in rows(first, "RUN_INFO")[0]["Args"]
    assert "sleep for 300 seconds" in (window / "ibdiagnet2.log").read_text()
    bad = key(truth["suspect"]["end"])
    before, after = (by_port(folder, "PM_INFO") for folder in (first, window))
    assert before.keys() == after.keys()
    for port, row in after.items():
        assert int(row["PortXmitDataExtended"]) < int(before[port]["PortXmitDataExtended"]) // 100
        assert int(row["LinkDownedCounter"]) <= 1
    assert max(after, key=lambda port: int(after[port]["PortLocalPhysicalErrors"])) == bad
    assert {row["field0"] for row in by_port(window, "PHY_DB16").values()} == {"300000"}


def test_the_counters_of_fec_agree_with_the_registers(tmp_path):
    _write(tmp_path, window=300)
    for folder in (tmp_path / "baseline", tmp_path / "current/2"):
        registers = by_port(folder, "PHY_DB16")
        text = (folder / "ibdiagnet2.pm").read_text()
        for port, row in by_port(folder, "PM_INFO").items():
            if port not in registers:
                assert row["PortFECUncorrectableBlockCounter"] == "-1"
                continue
            full = 2**32 - 1
            assert int(row["PortFECUncorrectableBlockCounter"]) == min(full, int(registers[port]["field18"]))
            for lane in range(4):
                symbols = int(row[f"FECCorrectedSymbolCounterLane[{lane}]"])
                assert symbols == min(full, int(registers[port][f"field{4 + lane}"]))
                assert f"fec_corrected_symbol_counter_lane[{lane}]=0x{symbols:08x}" in text
    before, after = (by_port(tmp_path / side, "PM_INFO") for side in ("baseline", "current/1"))
    for port in before:
        name = "PortFECCorrectableBlockCounter"
        assert int(before[port][name]) <= int(after[port][name])


def test_a_healthy_window_shows_nothing(tmp_path):
    write_order(tmp_path, Order(SPEC, seed=3, window=300))
    baseline, current = (pipeline.snapshot([tmp_path / side]) for side in ("baseline", "current"))
    assert pipeline.diff(baseline, current).document["suspects"] == []
