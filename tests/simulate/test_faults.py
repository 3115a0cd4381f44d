"""Each fault shows where it must, and nowhere else."""

from __future__ import annotations

import json
from itertools import product

import pytest
from simulated import by_port, grown, key, rows

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

PHYSICAL = ("SymbolErrorCounter", "PortRcvErrors", "PortLocalPhysicalErrors", "LinkErrorRecoveryCounter")


def _ends(truth):
    return {key(truth["suspect"]["link"][end]) for end in "ab"}


def _tallest(directory, column):
    change = grown(directory, column)
    return max(change, key=change.__getitem__)


def test_a_healthy_pair_names_nobody_and_counts_no_faults(tmp_path):
    truth = write_incident(tmp_path, seed=4)
    assert truth["suspect"] is None
    assert truth["victims"] == []
    for column in (
        "LinkDownedCounter",
        "LinkErrorRecoveryCounter",
        "PortRcvRemotePhysicalErrors",
        "PortXmitDiscards",
    ):
        assert set(grown(tmp_path, column).values()) == {0}
    assert min(grown(tmp_path, "PortXmitDataExtended").values()) > 0
    assert min(grown(tmp_path, "PortRcvPktsExtended").values()) > 0


def test_a_healthy_fabric_is_not_a_clean_one(tmp_path):
    write_incident(tmp_path, seed=4, leaves=8, hosts_per_leaf=8)
    info = rows(tmp_path / "baseline", "PM_INFO")
    for column in ("LinkDownedCounter", "PortXmitDiscards", "PortRcvSwitchRelayErrors", "SymbolErrorCounter"):
        assert sum(int(row[column]) > 0 for row in info) > 2, column


@pytest.mark.parametrize("seed", range(5))
def test_both_ends_of_a_cable_see_the_same_traffic(tmp_path, seed):
    write_incident(tmp_path, seed=seed)
    sent, received = grown(tmp_path, "PortXmitDataExtended"), grown(tmp_path, "PortRcvDataExtended")
    for row in rows(tmp_path / "current", "LINKS"):
        a, b = (row["NodeGuid1"], int(row["PortNum1"])), (row["NodeGuid2"], int(row["PortNum2"]))
        assert sent[a] == received[b]
        assert sent[b] == received[a]


@pytest.mark.parametrize(
    ("tier", "severity"), list(product((Role.HCA, Role.SPINE), ("low", "medium", "high")))
)
def test_a_bad_link_is_counted_by_its_receiver(tmp_path, tier, severity):
    truth = write_incident(
        tmp_path, seed=21, faults=[Fault(FaultKind.BAD_LINK, tier=tier, severity=severity)]
    )
    end = key(truth["suspect"]["end"])
    sender = key(truth["suspect"]["direction"]["from"])
    assert _ends(truth) == {end, sender}
    errors = grown(tmp_path, "PortLocalPhysicalErrors")
    assert errors[end] >= 12
    assert errors[sender] == 0
    downs, recoveries = grown(tmp_path, "LinkDownedCounter"), grown(tmp_path, "LinkErrorRecoveryCounter")
    assert downs[end] == downs[sender]
    assert {port for port, count in {**downs, **recoveries}.items() if count} <= {end, sender}
    waits = grown(tmp_path, "PortXmitWaitExt")
    calm = write_incident(tmp_path / "calm", seed=21)
    assert calm["suspect"] is None
    assert waits[sender] > grown(tmp_path / "calm", "PortXmitWaitExt")[sender]


def test_either_end_can_be_ordered(tmp_path):
    fabric = make_fabric(4, 2, 4, 2, seed=9)
    for number, link in enumerate((fabric.cables(Role.HCA)[3].key, fabric.cables(Role.SPINE)[5].key)):
        for end in link:
            directory = tmp_path / f"{number}-{end.node_guid}"
            truth = write_incident(directory, seed=9, faults=[Fault(FaultKind.BAD_LINK, link=link, end=end)])
            assert key(truth["suspect"]["end"]) == end
            assert _tallest(directory, "LinkErrorRecoveryCounter") in link


def test_marked_packets_reach_hosts_of_other_leaves(tmp_path):
    fabric = make_fabric(4, 2, 4, 2, seed=9)
    link = fabric.cables(Role.SPINE)[0].key
    spine = next(end for end in link if fabric.node[end.node_guid].role is Role.SPINE)
    truth = write_incident(tmp_path, seed=9, faults=[Fault(FaultKind.BAD_LINK, link=link, end=spine)])
    marked = {port: count for port, count in grown(tmp_path, "PortRcvRemotePhysicalErrors").items() if count}
    victims = {key(port) for port in truth["victims"] if port["by"] == "ebp"}
    assert set(marked) == victims
    assert {fabric.node[guid].role for guid, _ in victims} == {Role.LEAF, Role.HCA}
    assert spine not in victims
    at_leaves = sum(count for (guid, _), count in marked.items() if fabric.node[guid].role is Role.LEAF)
    at_hosts = sum(count for (guid, _), count in marked.items() if fabric.node[guid].role is Role.HCA)
    assert 0 < at_hosts <= at_leaves <= grown(tmp_path, "PortLocalPhysicalErrors")[spine]


def test_a_flapping_link_has_downs_and_no_errors(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.FLAPPING_LINK, tier=Role.SPINE)])
    downs = {port: count for port, count in grown(tmp_path, "LinkDownedCounter").items() if count}
    assert set(downs) == _ends(truth)
    assert len(set(downs.values())) == 1
    assert truth["suspect"]["end"] is None
    calm = tmp_path / "calm"
    write_incident(calm, seed=8)
    for column in PHYSICAL:
        assert grown(tmp_path, column) == grown(calm, column)


@pytest.mark.parametrize(
    ("kind", "severity", "width", "speed"),
    [
        (FaultKind.WIDTH_LOSS, "high", "1", {"2048", "2052"}),
        (FaultKind.WIDTH_LOSS, "low", "16", {"2048", "2052"}),
        (FaultKind.SPEED_LOSS, "medium", "2", {"1024", "1028"}),
    ],
)
def test_a_slow_link_shows_at_both_ends(tmp_path, kind, severity, width, speed):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(kind, tier=Role.HCA, severity=severity)])
    now = by_port(tmp_path / "current", "PORTS")
    for end in _ends(truth):
        assert now[end]["LinkWidthActv"] == width
    assert {now[end]["LinkSpeedActv"] for end in _ends(truth)} == speed
    before = by_port(tmp_path / "baseline", "PORTS")
    columns = ("LinkWidthActv", "LinkSpeedActv")
    changed = {end for end, row in now.items() if any(row[c] != before[end][c] for c in columns)}
    assert changed == _ends(truth)


def test_a_dead_uplink_is_missing_and_not_zero(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.DEAD_LINK, tier=Role.SPINE)])
    for section in ("PORTS", "PM_INFO", "PM_DELTA"):
        before, now = (by_port(tmp_path / name, section).keys() for name in ("baseline", "current"))
        assert before - now == _ends(truth)
    assert len(rows(tmp_path / "current", "LINKS")) == len(rows(tmp_path / "baseline", "LINKS")) - 1
    assert rows(tmp_path / "current", "NODES")
    assert truth["gone"] == []
    dumps = [(tmp_path / name / "ibdiagnet2.net_dump").read_text() for name in ("baseline", "current")]
    assert dumps[1].count(" DOWN ") == dumps[0].count(" DOWN ") + 2


def test_a_dead_host_is_gone_with_all_its_hcas(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.DEAD_HOST)])
    before, now = (
        {row["NodeGUID"] for row in rows(tmp_path / name, "NODES")} for name in ("baseline", "current")
    )
    assert before - now == set(truth["suspect"]["host"]["node_guids"]) == set(truth["gone"])
    assert len(truth["gone"]) == 2


def test_a_reboot_restarts_hcas_and_leaves_marks_at_the_leaf(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.HOST_REBOOT)])
    assert truth["suspect"] is None
    hcas = set(truth["rebooted"][0]["node_guids"])
    fell = {guid for (guid, _), change in grown(tmp_path, "PortXmitDataExtended").items() if change < 0}
    assert fell == hcas
    uptimes = [
        {row["NodeGUID"]: int(row["HWInfo_UpTime"], 16) for row in rows(tmp_path / name, "NODES_INFO")}
        for name in ("baseline", "current")
    ]
    assert {guid for guid in uptimes[0] if uptimes[1][guid] < uptimes[0][guid] + 7 * 86_400} == hcas
    downs = {port for port, count in grown(tmp_path, "LinkDownedCounter").items() if count > 0}
    discards = {port for port, count in grown(tmp_path, "PortInactiveDiscards").items() if count > 0}
    assert len(downs) == len(hcas)
    assert downs == discards
    assert not {guid for guid, _ in downs} & hcas


def test_a_renamed_host_keeps_its_guids(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.RENAME_HOST, host="gpu-0003")])
    names = [
        {row["NodeGUID"]: row["NodeDesc"] for row in rows(tmp_path / name, "NODES")}
        for name in ("baseline", "current")
    ]
    changed = {guid for guid in names[0] if names[0][guid] != names[1][guid]}
    assert changed == set(truth["renamed"][0]["node_guids"])
    assert {names[1][guid] for guid in changed} == {"train-0003 mlx5_0", "train-0003 mlx5_1"}


@pytest.mark.parametrize("kind", [FaultKind.SWITCH_COUNTER_CLEAR, FaultKind.FABRIC_COUNTER_CLEAR])
def test_a_clear_lets_counters_fall_and_uptimes_go_on(tmp_path, kind):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(kind)])
    fell = {guid for (guid, _), change in grown(tmp_path, "PortXmitDataExtended").items() if change < 0}
    whole = kind is FaultKind.FABRIC_COUNTER_CLEAR
    switch = truth["cleared"][0]["node_guid"]
    if whole:
        assert len(fell) > 30
    else:
        # The internal port to an aggregation node carries so little that it falls too.
        assert fell == {switch}
    for before, now in zip(*(rows(tmp_path / n, "NODES_INFO") for n in ("baseline", "current")), strict=True):
        assert int(now["HWInfo_UpTime"], 16) == int(before["HWInfo_UpTime"], 16) + 7 * 86_400


@pytest.mark.parametrize("seed", range(8))
def test_a_restart_and_two_clears_leave_no_impossible_counts(tmp_path, seed):
    kinds = (FaultKind.HOST_REBOOT, FaultKind.SWITCH_COUNTER_CLEAR, FaultKind.FABRIC_COUNTER_CLEAR)
    write_incident(tmp_path, seed=seed, faults=[Fault(kind) for kind in kinds])
    for row in rows(tmp_path / "current", "PM_INFO"):
        data = int(row["PortXmitDataExtended"])
        assert data >= 0
        assert all(value == "-1" or not value.startswith("-") for value in row.values())
        assert int(row["PortXmitPktsExtended"]) * 60 <= data


def test_new_lids_change_nothing_else(tmp_path):
    write_incident(tmp_path / "new", seed=8, faults=[Fault(FaultKind.LID_RESHUFFLE)])
    write_incident(tmp_path / "old", seed=8)
    new, old = (rows(tmp_path / name / "current", "PORTS") for name in ("new", "old"))
    assert [row["LID"] for row in new] != [row["LID"] for row in old]
    assert sorted(row["LID"] for row in new) == sorted(row["LID"] for row in old)
    assert rows(tmp_path / "new" / "current", "PM_INFO") == rows(tmp_path / "old" / "current", "PM_INFO")


def test_growing_traffic_grows_by_different_factors(tmp_path):
    write_incident(tmp_path / "more", seed=8, faults=[Fault(FaultKind.TRAFFIC_GROWTH)])
    write_incident(tmp_path / "same", seed=8)
    more, same = (grown(tmp_path / name, "PortXmitDataExtended") for name in ("more", "same"))
    factors = {round(more[port] / same[port], 1) for port in same}
    assert min(factors) >= 1
    assert len(factors) > 10
    assert grown(tmp_path / "more", "LinkDownedCounter") == grown(tmp_path / "same", "LinkDownedCounter")


def test_several_faults_do_not_share_a_host(tmp_path):
    kinds = (
        FaultKind.HOST_REBOOT,
        FaultKind.DEAD_HOST,
        FaultKind.RENAME_HOST,
        FaultKind.BAD_LINK,
        FaultKind.DEAD_LINK,
    )
    for seed in range(10):
        faults = [Fault(kind, tier=Role.HCA) for kind in kinds]
        truth = write_incident(tmp_path / str(seed), seed=seed, faults=faults, hosts_per_leaf=2, leaves=3)
        links = [{guid for guid, _ in _ends({"suspect": s})} for s in truth["suspects"] if s["link"]]
        hosts = [set(entry["node_guids"]) for name in ("rebooted", "renamed") for entry in truth[name]]
        hosts.append(set(next(s["host"]["node_guids"] for s in truth["suspects"] if s["host"])))
        assert not hosts[0] & hosts[1]
        assert all(not link & host for link, host in product(links, hosts))


def test_the_answer_sheet_is_the_returned_one(tmp_path):
    truth = write_incident(tmp_path, seed=8, faults=[Fault(FaultKind.BAD_LINK)])
    assert json.loads((tmp_path / "truth.json").read_text()) == truth
    assert truth["suspect"] == truth["suspects"][0]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(FaultKind.BAD_LINK, severity="awful"),
        Fault(FaultKind.HOST_REBOOT, host="nobody"),
        Fault(FaultKind.SWITCH_COUNTER_CLEAR, switch="0x0000000000000001"),
        Fault(FaultKind.BAD_LINK, end=("0x0000000000000001", 1)),
    ],
)
def test_places_that_do_not_exist_are_refused(tmp_path, fault):
    with pytest.raises(BadUsage):
        write_incident(tmp_path, seed=8, faults=[fault])
