"""Whatever goes wrong, the numbers stay possible: every kind of fault, every severity, some fabrics."""

from __future__ import annotations

from itertools import product

import pytest
from test_topology import build

from ibforensic.model.devices import DEVICES
from ibforensic.model.link_terms import NOMINAL_LANE_GBPS, WIDTH_LANES
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.options import CONFOUNDERS
from ibforensic.simulate.state import growth

KINDS = sorted(kind for kind in FaultKind if kind not in CONFOUNDERS)
SEVERITIES = ("low", "medium", "high")
FABRICS = {
    "plain": lambda seed: make_fabric(4, 2, 4, 2, seed=seed),
    "jobs": lambda seed: build("fat-tree:leaf=3,spine=2,hosts=4,hcas=2,uplinks=2", seed=seed),
    "mixed": lambda seed: build("rail:hosts=6,rails=4,spine=2", "hdr,edr", seed=seed, adaptive=True),
}
MARKS = "port_rcv_remote_physical_errors"
DAMAGED = "port_local_physical_errors"
DETAILS = {
    "port_rcv_errors": (DAMAGED, "port_malformed_packet_errors"),
    "port_xmit_discards": ("port_inactive_discards", "port_sw_hoq_lifetime_limit_discards"),
}


def _ticks(sample, port):
    """Bytes a second that a port can send, as ticks."""
    state = sample.links[sample.fabric.link_at[port].key]
    device = DEVICES[sample.fabric.node[port.node_guid].chip.device_id]
    lanes = WIDTH_LANES[state.width]
    size = (device.wait_tick_bytes or 8) * (lanes if device.wait_per_lane else 1)
    return lanes * NOMINAL_LANE_GBPS[state.speed] * 1e9 / 8 / size


def _readable(pair):
    """Growth of the ports that are up, and whose counters did not begin anew."""
    return {
        port: growth(pair.baseline, pair.current, port)
        for port in pair.current.fabric.link_at
        if pair.current.is_up(port) and port not in pair.current.restarted
    }


def _check_counts(pair, grown):
    for port, counts in grown.items():
        assert min(counts.values()) >= 0, (port, counts)
        share = counts["port_xmit_wait"] / (_ticks(pair.current, port) * pair.seconds)
        assert 0 <= share <= 1
        assert pair.current.window[port].get("port_xmit_wait", 0) <= _ticks(pair.current, port)
        for total, parts in DETAILS.items():
            assert sum(counts.get(part, 0) for part in parts) <= counts.get(total, 0), (port, total)


def _check_both_ends(pair, grown):
    fabric, before = pair.current.fabric, pair.baseline.fabric
    for port, counts in grown.items():
        peer = fabric.peer(port)
        if peer in grown and before.peer(port) == peer:
            assert counts.get("link_downed_counter", 0) == grown[peer].get("link_downed_counter", 0)
            lost = counts["port_xmit_pkts"] - grown[peer]["port_rcv_pkts"]
            assert -1 <= lost <= grown[peer].get("port_rcv_errors", 0) + 1


def _check_marks(pair, grown, source):
    """Marked packets that leave a switch came in damaged or marked, unless it makes them."""
    fabric = pair.current.fabric
    for switch in fabric.switches:
        ports = [port for port in fabric.ports_of[switch.guid] if port in grown]
        entered = sum(grown[port].get(DAMAGED, 0) + grown[port].get(MARKS, 0) for port in ports)
        peers = [fabric.peer(port) for port in ports]
        left = sum(grown[peer].get(MARKS, 0) for peer in peers if peer in grown)
        if switch.guid == source:
            assert entered < left
        elif any(port in pair.current.restarted for port in fabric.ports_of[switch.guid]):
            continue
        else:
            assert left <= entered, switch.name


def _check_registers(pair):
    for sample in (pair.baseline, pair.current):
        for reading in sample.phy.readings.values():
            assert sum(reading.raw) >= reading.effective >= reading.symbols >= 0
            assert sum(reading.raw) <= reading.bits


def _check_truth(pair, truth, kind):
    (suspect,) = truth["suspects"]
    assert suspect["kind"] == kind
    told = (suspect["link"], suspect["host"], suspect.get("device"))
    assert any(told)
    if suspect["direction"]:
        a, b = (
            (suspect["direction"][side]["node_guid"], suspect["direction"][side]["port"])
            for side in ("from", "to")
        )
        assert pair.current.fabric.peer(type(next(iter(pair.current.fabric.link_at)))(*a)) == b
    for side in ("a", "b") if suspect["link"] else ():
        assert (suspect["link"][side]["node_guid"], suspect["link"][side]["port"]) in {
            end for link in pair.current.fabric.links for end in link.key
        }


@pytest.mark.parametrize(("kind", "fabric"), list(product(KINDS, FABRICS)))
def test_numbers_stay_possible(kind, fabric):
    for severity, seed in product(SEVERITIES, (1, 2)):
        made = FABRICS[fabric](seed)
        pair, truth = make_incident(made, [Fault(kind, severity=severity)], seed=seed, phy=True)
        grown = _readable(pair)
        _check_truth(pair, truth, kind)
        _check_counts(pair, grown)
        _check_both_ends(pair, grown)
        source = truth["suspect"]["device"]["node_guid"] if kind is FaultKind.SILENT_CORRUPTER else None
        _check_marks(pair, grown, source)
        _check_registers(pair)
        said = {(told["node_guid"], told["port"]) for told in truth["victims"] if told["by"] == "ebp"}
        assert said == {port for port, counts in grown.items() if counts.get(MARKS, 0)}
