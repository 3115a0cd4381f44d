"""Faults of hosts, HCAs, switches and groups show where they must, and the answer sheet says where."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from simulated import rows
from test_topology import build

from ibforensic.model.enums import Component, Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey, link_key
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import DEVICE_FAULTS, Fault, FaultKind
from ibforensic.simulate.incident import make_incident, write_pair
from ibforensic.simulate.order import planted
from ibforensic.simulate.pcie import pcie_of, settled
from ibforensic.simulate.state import growth
from ibforensic.simulate.waits import ticks_a_second

JOBS = "fat-tree:leaf=3,spine=2,hosts=4,hcas=2,uplinks=2"
MARKS = "port_rcv_remote_physical_errors"
MALFORMED = "port_malformed_packet_errors"
DROPS = "port_sw_hoq_lifetime_limit_discards"
DOWNS = "link_downed_counter"
DAY = 86_400


def _incident(kind, severity="medium", seed=4, fabric=None, phy=True, **place):
    made = fabric or build(JOBS, seed=seed)
    pair, truth = make_incident(made, [Fault(kind, severity=severity, **place)], seed=seed, phy=phy)
    return pair, truth["suspect"], truth


def _port(told):
    return PortKey(told["node_guid"], told["port"])


def _key(told):
    return link_key(_port(told["a"]), _port(told["b"]))


def _grown(pair, port, name):
    return growth(pair.baseline, pair.current, port).get(name, 0)


def _counting(pair, name):
    """Ports that counted something, with how much."""
    fabric = pair.current.fabric
    return {port: _grown(pair, port, name) for port in fabric.link_at if _grown(pair, port, name)}


def _waited(pair, port):
    return _grown(pair, port, "port_xmit_wait") / (ticks_a_second(pair.current, port) * pair.seconds)


def _feeders(pair, guids):
    fabric = pair.current.fabric
    return {fabric.peer(port) for guid in guids for port in fabric.ports_of[guid]}


@pytest.mark.parametrize("fabric", [None, make_fabric(4, 2, 4, 2, seed=4)])
def test_a_slow_host_is_waited_for_by_what_feeds_it(fabric):
    pair, suspect, truth = _incident(FaultKind.SLOW_CONSUMER, "high", fabric=fabric)
    slow = {told["node_guid"] for told in suspect["hcas"]}
    assert slow <= set(suspect["host"]["node_guids"])
    assert suspect["component"] == Component.HOST
    assert slow == pair.current.slow.keys()
    feeders = _feeders(pair, slow)
    assert max(pair.current.fabric.link_at, key=lambda port: _waited(pair, port)) in feeders
    assert set(_counting(pair, DROPS)) <= feeders
    assert _counting(pair, DROPS)
    waiting = {_port(told) for told in truth["victims"] if told["by"] == "wait"}
    assert feeders < waiting
    assert all(port.node_guid not in slow for port in waiting)
    assert not _counting(pair, DOWNS)


def test_a_slow_host_that_gets_more_is_waited_for_longer():
    fabric = build(JOBS, seed=4)
    shares = []
    for host in fabric.hosts:
        pair, suspect, _ = _incident(FaultKind.SLOW_CONSUMER, 0.6, fabric=fabric, host=host)
        for told in suspect["hcas"]:
            (feeder,) = _feeders(pair, [told["node_guid"]])
            got = _grown(pair, feeder, "port_xmit_data")
            shares.append((got, pair.current.slow[told["node_guid"]]))
    shares.sort()
    half = len(shares) // 2
    assert sum(slow for _, slow in shares[:half]) < sum(slow for _, slow in shares[half:])


@pytest.mark.parametrize("kind", [FaultKind.SLOW_CONSUMER, FaultKind.PCIE_DEGRADED])
def test_a_host_that_is_a_little_slow_is_waited_for_and_nothing_is_dropped(kind):
    pair, _, _ = _incident(kind, 0.2)
    assert not _counting(pair, DROPS)
    assert pair.current.slow


def test_lost_pcie_lanes_take_traffic_and_are_told(tmp_path):
    fabric = build(JOBS, seed=4)
    pair, suspect, _ = _incident(FaultKind.PCIE_DEGRADED, "high", fabric=fabric)
    guid = suspect["device"]["node_guid"]
    assert guid in suspect["host"]["node_guids"]
    node = fabric.node[guid]
    assert not pcie_of(node, pair.baseline.pcie).degraded
    now = pcie_of(node, pair.current.pcie)
    assert now.degraded
    assert suspect["pcie"]["now"] == {"speed": now.speed, "width": now.width}
    calm, _ = make_incident(fabric, seed=4, phy=True)
    (port,) = fabric.ports_of[guid]
    for name in ("port_xmit_data", "port_rcv_data"):
        assert 0 < _grown(pair, port, name) < 0.9 * _grown(calm, port, name)
    write_pair(tmp_path, pair, {})
    assert guid in {row["NodeGUID"] for row in rows(tmp_path / "current", "WARNINGS_PCI_DEGRADATION_CHECK")}
    assert "PCI_DEGRADATION" not in (tmp_path / "baseline" / "ibdiagnet2.db_csv").read_text()
    log = (tmp_path / "current" / "ibdiagnet2.log").read_text()
    assert "-W- PCI degradation check finished with warnings\n" in log
    assert f"active x{now.width} at {now.speed:g} GT/s" in log
    assert "-I- PCI degradation check" in (tmp_path / "baseline" / "ibdiagnet2.log").read_text()


def test_what_pcie_takes_from_a_job_is_missing_on_its_whole_way():
    for adaptive in (False, True):
        fabric = build(JOBS, seed=4, adaptive=adaptive)
        pair, _, _ = _incident(FaultKind.PCIE_DEGRADED, "high", fabric=fabric)
        _check_kept(pair)


def _check_kept(pair):
    fabric = pair.current.fabric
    for switch in fabric.switches:
        ports = fabric.ports_of[switch.guid]
        got, sent = (
            sum(_grown(pair, port, f"port_{side}_data") for port in ports) for side in ("rcv", "xmit")
        )
        assert got == sent


def test_some_hcas_are_in_slow_slots_for_good():
    fabric = build("rail:hosts=64,rails=8,spine=4")
    slots = settled(fabric, 3)
    assert 1 <= len(slots) < 30
    assert all(slot.degraded for slot in slots.values())
    pair, _ = make_incident(fabric, seed=3)
    assert pair.baseline.pcie == pair.current.pcie == slots


def test_malformed_packets_are_counted_by_the_switch_port_that_faces_the_hca():
    pair, suspect, _ = _incident(FaultKind.MALFORMED_HCA)
    end = _port(suspect["end"])
    assert end.node_guid == suspect["device"]["node_guid"]
    assert _port(suspect["direction"]["from"]) == end
    receiver = _port(suspect["direction"]["to"])
    assert set(_counting(pair, MALFORMED)) == {receiver}
    assert _grown(pair, receiver, "port_rcv_errors") >= _grown(pair, receiver, MALFORMED) > 2
    assert not _counting(pair, MARKS)


@pytest.mark.parametrize("tier", [Role.LEAF, Role.SPINE, Role.HCA])
def test_a_silent_corrupter_marks_what_it_sends_and_counts_nothing(tier):
    pair, suspect, truth = _incident(FaultKind.SILENT_CORRUPTER, "high", tier=tier)
    fabric = pair.current.fabric
    guid = suspect["device"]["node_guid"]
    assert fabric.node[guid].role is tier
    assert suspect["component"] == (Component.HCA if tier is Role.HCA else Component.SWITCH)
    marked = _counting(pair, MARKS)
    fed = {
        fabric.peer(port) for port in fabric.ports_of[guid] if fabric.peer_role(port) is not Role.AGGREGATION
    }
    busiest = max(fed, key=lambda port: _grown(pair, port, "port_rcv_pkts"))
    assert busiest in marked
    assert len(fed & set(marked)) > len(fed) / 2
    assert not any(port.node_guid == guid for port in marked)
    assert {_port(told) for told in truth["victims"]} == set(marked)
    calm, _ = make_incident(build(JOBS, seed=4), seed=4, phy=True)
    damaged = "port_local_physical_errors"
    assert _counting(pair, damaged) == _counting(calm, damaged)


def test_a_dead_hca_leaves_its_host_alive():
    pair, suspect, truth = _incident(FaultKind.DEAD_HCA)
    guid = suspect["device"]["node_guid"]
    seen = {node.guid for node in pair.current.seen_nodes()}
    host = pair.current.fabric.node[guid].host
    others = {hca.guid for hca in pair.current.fabric.hosts[host]} - {guid}
    assert guid not in seen
    assert others
    assert others <= seen
    assert truth["gone"] == [guid]


def test_a_switch_that_restarts_is_counted_by_its_neighbours():
    pair, suspect, truth = _incident(FaultKind.SWITCH_REBOOT, "high")
    sample, fabric = pair.current, pair.current.fabric
    guid, reboots = suspect["device"]["node_guid"], suspect["reboots"]
    assert reboots >= 8
    assert sample.uptimes[guid] < pair.seconds
    others = [node.guid for node in fabric.switches if node.guid != guid]
    assert min(sample.uptimes[other] for other in others) > pair.seconds
    outside = [port for port in fabric.ports_of[guid] if fabric.peer_role(port) is not Role.AGGREGATION]
    victims = {_port(told) for told in truth["victims"] if told["by"] == "down"}
    assert victims == {fabric.peer(port) for port in outside}
    for port in outside:
        peer = fabric.peer(port)
        assert _grown(pair, peer, DOWNS) == reboots
        if fabric.node[peer.node_guid].is_switch:
            assert _grown(pair, peer, "port_inactive_discards") >= reboots
        assert sample.counters[port].get(DOWNS, 0) <= 1
        if port in sample.phy.readings:
            assert sample.phy.readings[port].seconds < sample.uptimes[guid]
    assert truth["rebooted"] == []


@pytest.mark.parametrize("severity", ["low", "high"])
@pytest.mark.parametrize("tier", [Role.HCA, Role.SPINE])
@pytest.mark.parametrize("shape", [JOBS, "planes:leaf=2,spine=2,hosts=3"])
def test_swapped_cables_lead_where_the_other_should(shape, tier, severity):
    fabric = build(shape, "xdr" if shape.startswith("planes") else "ndr", seed=4)
    pair, suspect, _ = _incident(FaultKind.MISCABLING, severity, fabric=fabric, tier=tier)
    was, now = ({_key(told) for told in suspect[name]} for name in ("was", "links"))
    assert {link.key for link in pair.baseline.fabric.links} >= was
    assert {link.key for link in pair.current.fabric.links} >= now
    assert not was & now
    assert {end for key in was for end in key} == {end for key in now for end in key}
    assert len(was) == (2 if fabric is None or not fabric.has_planes else 8)
    fell = _counting(pair, DOWNS)
    assert set(fell) == {end for key in now for end in key}
    assert len(set(fell.values())) == 1
    _check_kept(pair)
    phy = pair.current.phy
    for key in now:
        ages = {phy.readings[end].seconds for end in key}
        assert len(ages) == 1
        assert ages == {phy.since[key]}
        assert phy.cables[key].key == key
    assert phy.cables.keys() == phy.since.keys() == pair.current.links.keys() & phy.cables.keys()


@pytest.mark.parametrize("flows", [True, False])
def test_both_ends_of_swapped_cables_carry_the_same(flows):
    fabric = build(JOBS, seed=5) if flows else make_fabric(4, 2, 4, 2, seed=5)
    pair, suspect, _ = _incident(FaultKind.MISCABLING, seed=5, fabric=fabric)
    ends = [end for told in suspect["links"] for end in _key(told)]
    sent = sum(_grown(pair, end, "port_xmit_data") for end in ends)
    assert sent == pytest.approx(sum(_grown(pair, end, "port_rcv_data") for end in ends), rel=1e-6)
    for told in suspect["links"]:
        one, other = (pair.current.window[end] for end in _key(told))
        assert one["port_xmit_data"] == other["port_rcv_data"]


def test_the_serial_of_a_moved_cable_moves_with_it():
    pair, suspect, _ = _incident(FaultKind.MISCABLING, tier=Role.HCA)
    old, new = pair.baseline.phy.cables, pair.current.phy.cables
    for was, now in zip(suspect["was"], suspect["links"], strict=True):
        was, now = old[_key(was)], new[_key(now)]
        (stays,) = set(was.key) & set(now.key)
        assert was.at(stays) == now.at(stays)
        ((left,), (there,)) = set(was.key) - {stays}, set(now.key) - {stays}
        role = pair.current.fabric.node[there.node_guid].role
        if was.medium.fixed or role is Role.HCA:
            assert now.at(there) == was.at(left)


def test_a_batch_is_of_one_kind():
    kinds = set()
    for seed in range(6):
        pair, suspect, _ = _incident(FaultKind.FIRMWARE_BATCH, "high", seed=seed)
        batch, members = suspect["batch"], [_port(told) for told in suspect["members"]]
        kinds.add(batch["kind"])
        assert len(members) >= 3
        assert suspect["component"] == Component.BATCH
        assert len(suspect["links"]) == len({pair.current.fabric.link_at[port].key for port in members})
        assert suspect["link"] == suspect["links"][0]
        for port in members if batch["kind"] == "transceiver" else ():
            module = pair.current.phy.cables[pair.current.fabric.link_at[port].key].at(port)
            assert (module.part, module.firmware, module.made) == (
                batch["part"], batch["firmware"], batch["made"],
            )  # fmt: skip
        for told in suspect["counted_at"]:
            old, new = (sample.phy.readings[_port(told)] for sample in (pair.baseline, pair.current))
            assert sum(new.raw) / new.bits > 5 * sum(old.raw) / old.bits
    assert kinds


def test_a_shared_part_is_ports_side_by_side():
    pair, suspect, _ = _incident(FaultKind.SHARED_ASIC, "high")
    counted = [_port(told) for told in suspect["counted_at"]]
    assert len(counted) >= 3
    assert {port.node_guid for port in counted} == {suspect["device"]["node_guid"]}
    quads = sorted({(port.port_num - 1) // 4 for port in counted})
    assert all(after - before == 1 for before, after in pairwise(quads))
    for port in counted:
        old, new = (sample.phy.readings[port] for sample in (pair.baseline, pair.current))
        assert sum(new.raw) / new.bits > 5 * sum(old.raw) / old.bits


SIZES = {
    FaultKind.SLOW_CONSUMER: lambda pair, suspect: max(pair.current.slow.values()),
    FaultKind.PCIE_DEGRADED: lambda pair, suspect: (
        -suspect["pcie"]["now"]["width"] * suspect["pcie"]["now"]["speed"]
    ),
    FaultKind.MALFORMED_HCA: lambda pair, suspect: sum(_counting(pair, MALFORMED).values()),
    FaultKind.SILENT_CORRUPTER: lambda pair, suspect: sum(_counting(pair, MARKS).values()),
    FaultKind.SWITCH_REBOOT: lambda pair, suspect: suspect["reboots"],
    FaultKind.SHARED_ASIC: lambda pair, suspect: sum(
        sum(pair.current.phy.readings[_port(told)].raw) for told in suspect["counted_at"]
    ),
    FaultKind.FLAPPING_LINK: lambda pair, suspect: max(_counting(pair, DOWNS).values()),
    FaultKind.BAD_LINK: lambda pair, suspect: _grown(pair, _port(suspect["end"]), "port_rcv_errors"),
}


@pytest.mark.parametrize("kind", SIZES)
def test_a_worse_fault_is_larger(kind):
    means = []
    for severity in (0.3, 0.6, 0.95):
        sizes = [SIZES[kind](*_incident(kind, severity, seed)[:2]) for seed in range(3)]
        means.append(sum(sizes))
    assert means == sorted(means)
    assert means[0] < means[-1]


@pytest.mark.parametrize(("severity", "least", "most"), [("low", 1, 4), ("medium", 4, 16), ("high", 15, 60)])
def test_a_link_flaps_as_often_as_ordered(severity, least, most):
    for seed in range(4):
        pair, _, _ = _incident(FaultKind.FLAPPING_LINK, severity, seed)
        assert least <= max(_counting(pair, DOWNS).values()) <= most


@pytest.mark.parametrize(
    ("speed", "slower"), [("XDR", "NDR"), ("NDR", "HDR"), ("HDR", "EDR"), ("EDR", "FDR")]
)
def test_a_link_falls_to_the_next_lower_speed(speed, slower):
    fabric = build("fat-tree:leaf=2,spine=2,hosts=3", speed.lower(), seed=4)
    pair, suspect, _ = _incident(FaultKind.SPEED_LOSS, fabric=fabric)
    assert pair.current.links[_key(suspect["link"])].speed == slower


@pytest.mark.parametrize("severity", [0.5, 1.0])
def test_lanes_had_errors_before_they_were_lost(severity):
    pair, suspect, _ = _incident(FaultKind.WIDTH_LOSS, severity)
    receiver, sender = (_port(suspect["direction"][side]) for side in ("to", "from"))
    assert pair.current.links[_key(suspect["link"])].width == ("1x" if severity == 1.0 else "2x")
    assert _grown(pair, receiver, "port_local_physical_errors") > 0
    assert _grown(pair, receiver, "link_error_recovery_counter") > 0
    assert _grown(pair, receiver, "link_error_recovery_counter") == _grown(
        pair, sender, "link_error_recovery_counter"
    )


@pytest.mark.parametrize("kind", sorted(DEVICE_FAULTS))
def test_what_was_planted_is_told(kind):
    _, suspect, truth = _incident(kind)
    told = list(planted(truth))
    assert told[0].startswith(f"{kind.replace('_', '-')} (medium): ")
    assert "nothing is wrong" not in told
    also = [line for line in told if line.startswith("  and ")]
    assert len(also) == len(suspect.get("links", [()])) - 1
    assert json.loads(json.dumps(truth)) == truth


@pytest.mark.parametrize(
    ("kind", "place", "says"),
    [
        (FaultKind.SLOW_CONSUMER, {"host": "nobody"}, "no host nobody"),
        (FaultKind.MALFORMED_HCA, {"end": PortKey("0x0000000000000001", 1)}, "is no port of an HCA"),
        (FaultKind.SWITCH_REBOOT, {"switch": "0x0000000000000001"}, "has no switch"),
        (FaultKind.MISCABLING, {"end": PortKey("0x0000000000000001", 1)}, "has no cable"),
    ],
)
def test_places_that_do_not_exist_are_refused(kind, place, says):
    with pytest.raises(BadUsage, match=says):
        _incident(kind, **place)


@pytest.mark.parametrize("kind", [FaultKind.SHARED_ASIC, FaultKind.FIRMWARE_BATCH, FaultKind.MISCABLING])
def test_a_fabric_that_is_too_small_is_refused(kind):
    with pytest.raises(BadUsage, match=kind):
        _incident(kind, fabric=make_fabric(1, 1, 1, 1, uplinks=1, seed=1))
