"""What is harmless leaves the marks it must leave, and nobody is named for it."""

from __future__ import annotations

import csv
import json

import pytest
from simulated import by_port, grown, key, rows

from ibforensic import pipeline
from ibforensic.model.counters import CATALOGUE
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.simulate.options import CONFOUNDERS, STANDARD, name_of
from ibforensic.simulate.order import Order, planted, write_order
from ibforensic.simulate.quiet import HAPPENINGS
from ibforensic.simulate.quiet_clears import LIMITS
from ibforensic.simulate.topology_spec import parse_spec

SPEC = parse_spec("fat-tree:leaf=3,spine=2,hosts=6,hcas=2,uplinks=2")
WEEK = 7 * 86_400


def _happen(directory, kind, seed=1, **more):
    truth = write_incident(directory, seed=seed, faults=[Fault(kind, **more)], hosts_per_leaf=5, phy=True)
    (one,) = truth["harmless"]
    assert one["kind"] == kind
    assert truth["suspects"] == []
    return truth, one


def _modules(directory, side):
    return {port: row["SN"].strip('"') for port, row in by_port(directory / side, "CABLE_INFO").items()}


def _uptimes(directory, side):
    return {row["NodeGUID"]: int(row["HWInfo_UpTime"], 16) for row in rows(directory / side, "NODES_INFO")}


@pytest.mark.parametrize("kinds", [(kind,) for kind in HAPPENINGS] + [STANDARD, CONFOUNDERS], ids=str)
def test_nobody_is_blamed(tmp_path, kinds):
    truth = write_order(tmp_path, Order(SPEC, confounders=kinds, seed=2))
    assert truth["suspects"] == []
    assert {one["kind"] for one in truth["harmless"]} == set(kinds) & set(HAPPENINGS)
    baseline, current = (pipeline.snapshot([tmp_path / side]) for side in ("baseline", "current"))
    assert pipeline.diff(baseline, current).document["suspects"] == []


@pytest.mark.parametrize("kind", HAPPENINGS)
def test_a_fault_is_the_same_whatever_else_happens(tmp_path, kind):
    def suspect(name, kinds):
        order = Order(SPEC, faults=(FaultKind.BAD_LINK,), confounders=kinds, seed=3)
        return write_order(tmp_path / name, order)["suspect"]

    assert suspect("with", (kind,)) == suspect("without", ())


@pytest.mark.parametrize("phy", [True, False])
def test_everything_is_told(tmp_path, phy):
    order = Order(SPEC, confounders=CONFOUNDERS, seed=4, phy=phy)
    told = "\n".join(planted(write_order(tmp_path, order)))
    for kind in HAPPENINGS:
        assert f"harmless: {name_of(kind)}" in told
    assert json.loads((tmp_path / "truth.json").read_text())["harmless"]


def test_a_restarted_switch_counts_anew_and_its_neighbours_saw_it_go(tmp_path):
    _, one = _happen(tmp_path, FaultKind.SWITCH_RESTART)
    (guid,) = [node["node_guid"] for node in one["nodes"]]
    before, after = (_uptimes(tmp_path, side) for side in ("baseline", "current"))
    assert after[guid] < WEEK
    assert all(after[other] == before[other] + WEEK for other in before if other != guid)
    peers = set()
    for link in rows(tmp_path / "current", "LINKS"):
        ends = (link["NodeGuid1"], int(link["PortNum1"])), (link["NodeGuid2"], int(link["PortNum2"]))
        peers |= {far for near, far in (ends, ends[::-1]) if near[0] == guid}
    downs, inactive = grown(tmp_path, "LinkDownedCounter"), grown(tmp_path, "PortInactiveDiscards")
    roles = {cells["NodeGUID"]: cells["NodeType"] for cells in rows(tmp_path / "current", "NODES")}
    for peer in downs:
        if peer in peers and peer[0] in after:
            assert downs[peer] in (1, 2)
            assert (inactive[peer] > 0) is (roles[peer[0]] == "2")
        elif peer[0] != guid:
            assert downs[peer] == 0
    assert all(
        change < 0 for port, change in grown(tmp_path, "PortXmitDataExtended").items() if port[0] == guid
    )


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_upgraded_devices_have_other_firmware_and_were_restarted(tmp_path, seed):
    _, one = _happen(tmp_path, FaultKind.FIRMWARE_UPGRADE, seed)
    upgraded = {node["node_guid"] for node in one["nodes"]}
    before, after = (
        {row["NodeGUID"]: row["FWInfo_Extended_SubMinor"] for row in rows(tmp_path / side, "NODES_INFO")}
        for side in ("baseline", "current")
    )
    assert upgraded == {guid for guid in before if before[guid] != after[guid]}
    assert upgraded == {guid for guid, uptime in _uptimes(tmp_path, "current").items() if uptime < WEEK}


@pytest.mark.parametrize("seed", [1, 2])
def test_the_subnet_manager_clears_the_errors_of_single_ports(tmp_path, seed):
    _, one = _happen(tmp_path, FaultKind.SM_CLEAR, seed)
    cleared = {key(port) for port in one["ports"]}
    assert cleared
    for side in ("baseline", "current"):
        for row in rows(tmp_path / side, "PM_INFO"):
            assert int(row["SymbolErrorCounter"]) < LIMITS["symbol_error_counter"]
            assert int(row["LinkDownedCounter"]) < LIMITS["link_downed_counter"]
    fell = {
        port
        for column in ("SymbolErrorCounter", "PortRcvSwitchRelayErrors")
        for port, change in grown(tmp_path, column).items()
        if change < 0
    }
    assert fell == cleared
    assert min(grown(tmp_path, "PortXmitDataExtended").values()) > 0


def test_one_group_is_cleared_and_the_others_go_on(tmp_path):
    groups = {}
    for seed in range(1, 9):
        _, one = _happen(tmp_path / str(seed), FaultKind.GROUP_CLEAR, seed)
        groups.setdefault(one["group"], (seed, one["nodes"][0]["node_guid"]))
    assert groups.keys() == {"pma_errors", "phy"}
    for group, (seed, guid) in groups.items():
        directory = tmp_path / str(seed)
        assert min(grown(directory, "PortXmitDataExtended").values()) > 0
        errors = {p for p, change in grown(directory, "PortRcvSwitchRelayErrors").items() if change < 0}
        before, after = (by_port(directory / side, "PHY_DB16") for side in ("baseline", "current"))
        phy = {p for p in before if int(after[p]["field0"]) < int(before[p]["field0"])}
        assert {port[0] for port in phy} == ({guid} if group == "phy" else set())
        assert {port[0] for port in errors} == ({guid} if group == "pma_errors" else set())


def test_full_narrow_counters_stay_full(tmp_path):
    _, one = _happen(tmp_path, FaultKind.CLAMPED_COUNTERS)
    old = {key(port) for port in one["ports"]}
    assert len(old) >= 2
    for side in ("baseline", "current"):
        for port, row in by_port(tmp_path / side, "PM_INFO").items():
            wide = row["PortXmitDataExtended"] != "0xfffffffffffffffe"
            assert wide is (port not in old)
            if port in old:
                assert str(CATALOGUE["symbol_error_counter"].full) in (
                    row["SymbolErrorCounter"],
                    row["PortXmitDiscards"],
                )


@pytest.mark.parametrize("kind", [FaultKind.PLANNED_RECABLING, FaultKind.MODULE_SWAP])
def test_replaced_parts_have_other_serial_numbers_and_were_unplugged(tmp_path, kind):
    _, one = _happen(tmp_path, kind)
    before, after = (_modules(tmp_path, side) for side in ("baseline", "current"))
    changed = {port for port in before if before[port] != after[port]}
    touched = {key(port) for port in one["ports"]}
    assert changed
    assert changed <= touched
    assert {before[port]: after[port] for port in changed} == one["serials"]
    assert len(set(after.values())) == len(set(before.values()))
    downs = grown(tmp_path, "LinkDownedCounter")
    assert {port for port, change in downs.items() if change} == touched
    assert set(downs.values()) <= {0, 1, 2}
    assert min(grown(tmp_path, "PortXmitDataExtended").values()) > 0


def test_a_moved_cable_leaves_its_port_empty(tmp_path):
    _, one = _happen(tmp_path, FaultKind.CABLE_MOVE)
    old, (new, far) = key(one["was"]), [key(port) for port in one["ports"]]
    new, far = (new, far) if new[0] == old[0] else (far, new)
    before, after = (by_port(tmp_path / side, "PM_INFO").keys() for side in ("baseline", "current"))
    assert before - after == {old}
    assert after - before == {new}
    assert far in before & after
    assert _modules(tmp_path, "baseline")[old] == _modules(tmp_path, "current")[new]


def test_a_replaced_hca_has_another_guid_and_the_same_name_and_place(tmp_path):
    _, one = _happen(tmp_path, FaultKind.HCA_SWAP)

    def seen(side):
        text = (tmp_path / side / "ibdiagnet2.db_csv").read_text()
        body = text.partition("START_NODES\n")[2].partition("END_NODES")[0].splitlines()
        names = {row["NodeGUID"]: row["NodeDesc"] for row in csv.DictReader(body)}
        ends = {}
        for link in rows(tmp_path / side, "LINKS"):
            one, other = (link["NodeGuid1"], link["PortNum1"]), (link["NodeGuid2"], link["PortNum2"])
            ends[one], ends[other] = other, one
        return names, ends

    (names, ends), (names_now, ends_now) = seen("baseline"), seen("current")
    new = one["nodes"][0]["node_guid"]
    assert names.keys() - names_now.keys() == {one["was"]}
    assert names_now.keys() - names.keys() == {new}
    assert names[one["was"]] == names_now[new]
    assert ends[one["was"], "1"] == ends_now[new, "1"]
    assert _uptimes(tmp_path, "current")[new] < WEEK


def test_a_hot_job_makes_many_wait_and_no_packet_grow_old(tmp_path):
    write_incident(tmp_path / "quiet", seed=1, hosts_per_leaf=5, phy=True)
    _, one = _happen(tmp_path / "hot", FaultKind.HOT_JOB)
    quiet, grown_of = (grown(tmp_path / name, "PortXmitWaitExt") for name in ("quiet", "hot"))
    waiting = {key(port) for port in one["ports"]}
    assert len(waiting) >= len(one["senders"]) >= 4
    assert {port for port in quiet if grown_of[port] > 20 * quiet[port]} <= waiting
    assert sum(grown_of[port] > 20 * quiet[port] for port in waiting) > len(waiting) // 2
    assert set(grown(tmp_path / "hot", "PortSwHOQLifetimeLimitDiscards").values()) <= {0}
    sent, received = (
        sum(grown(tmp_path / "hot", column).values())
        for column in ("PortXmitDataExtended", "PortRcvDataExtended")
    )
    assert abs(sent - received) < sent // 1_000_000


def test_a_warm_season_is_everywhere(tmp_path):
    _, one = _happen(tmp_path, FaultKind.SEASON)
    before, after = (
        {row["NodeGUID"]: int(row["CurrentTemperature"]) for row in rows(tmp_path / side, "TEMP_SENSING")}
        for side in ("baseline", "current")
    )
    changes = [after[guid] - before[guid] for guid in before]
    assert 3 <= one["degrees"] <= 6
    assert abs(sum(changes) / len(changes) - one["degrees"]) < 1.5


def test_a_burst_is_repaired_all_but_a_few_blocks(tmp_path):
    _, one = _happen(tmp_path, FaultKind.HEALTHY_BURST)
    (port,) = [key(port) for port in one["ports"]]
    before, after = (by_port(tmp_path / side, "PHY_DB16")[port] for side in ("baseline", "current"))
    bits, left, repaired, failed = (
        int(after[name]) - int(before[name]) for name in ("field1", "field2", "field3", "field18")
    )
    assert 1e-9 < repaired / bits < 1e-6
    assert 0 < failed < 3_000
    assert left <= 5


def test_a_wrong_clock_does_not_agree_with_the_uptimes(tmp_path):
    _, one = _happen(tmp_path, FaultKind.CLOCK_SKEW)
    times = [rows(tmp_path / side, "RUN_INFO")[0]["Date"] for side in ("baseline", "current")]
    assert times[1].startswith("2031-03-10")
    assert times[1][11:] != times[0][11:]
    assert 120 <= abs(one["seconds"]) <= 720
    before, after = (_uptimes(tmp_path, side) for side in ("baseline", "current"))
    assert {after[guid] - before[guid] for guid in before} == {WEEK}
