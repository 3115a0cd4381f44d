"""The slowest part of the way decides how fast data gets from HCA to HCA."""

from __future__ import annotations

import pytest
from benches import incident

from ibforensic.model.enums import Role
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.goodput import WIRE, Goodput
from ibforensic.simulate.pcie import Pcie
from ibforensic.simulate.routing import Routing


def hcas(sample):
    """Return the HCAs of a fabric, rail by rail."""
    hosts = sample.fabric.hosts.values()
    return [each for rail in zip(*hosts, strict=True) for each in rail]


def every(sample, *, gpu=True):
    """Return the rates between all HCAs of a fabric that has one rail."""
    goodput, nodes = Goodput(sample), [each[0] for each in sample.fabric.hosts.values()]
    return {(a.guid, b.guid): goodput.between(a, b, gpu=gpu) for a in nodes for b in nodes if a is not b}


def slower(pair):
    """Return who gets less than before, and which share of it."""
    before, after = every(pair.baseline), every(pair.current)
    return {ends: after[ends] / rate for ends, rate in before.items() if after[ends] < rate * 0.9999}


@pytest.mark.parametrize(("speed", "nominal"), [("edr", 100), ("hdr", 200), ("ndr", 400), ("xdr", 800)])
def test_a_healthy_fabric_gives_nearly_the_nominal_rate(speed, nominal):
    pair = incident(speed=speed)
    for sample in (pair.baseline, pair.current):
        for rate in every(sample).values():
            assert nominal * WIRE * 0.99 < rate <= nominal * WIRE


def test_host_memory_is_slower_only_where_the_slot_is():
    def least(speed, *, gpu):
        return min(every(incident(speed=speed, phy=False).baseline, gpu=gpu).values())

    assert least("ndr", gpu=False) == least("ndr", gpu=True)
    assert least("xdr", gpu=False) == pytest.approx(462, abs=5)
    assert least("xdr", gpu=True) > 780


def test_a_narrow_host_link_slows_down_that_host_alone():
    pair = incident(Fault(FaultKind.WIDTH_LOSS, tier=Role.HCA), text="fat-tree:leaf=3,spine=2,hosts=3")
    found = slower(pair)
    (guilty,) = set.intersection(*(set(ends) for ends in found))
    assert len(found) == 2 * (len(pair.current.fabric.hosts) - 1)
    assert all(guilty in ends for ends in found)
    assert list(found.values()) == pytest.approx([0.5] * len(found), rel=1e-3)


def test_a_narrow_uplink_slows_down_those_whose_route_takes_it():
    pair = incident(Fault(FaultKind.WIDTH_LOSS, tier=Role.SPINE), text="fat-tree:leaf=3,spine=2,hosts=3")
    sample = pair.current
    (key,) = [key for key, state in sample.links.items() if state != pair.baseline.links[key]]
    routing = Routing(sample.fabric, sample.lids)
    ports = [sample.fabric.ports_of[hcas[0].guid][0] for hcas in sample.fabric.hosts.values()]
    crossing = {
        (a.node_guid, b.node_guid)
        for a in ports
        for b in ports
        if a != b and set(key) & set(routing.path(a, b))
    }
    assert crossing
    assert set(slower(pair)) == crossing


def test_adaptive_routing_spreads_the_loss():
    text = "fat-tree:leaf=3,spine=2,hosts=3,uplinks=2"
    pair = incident(Fault(FaultKind.WIDTH_LOSS, tier=Role.SPINE), text=text, adaptive=True)
    shares = slower(pair).values()
    assert len(shares) > 10
    assert min(shares) > 0.8


def test_a_dead_uplink_is_gone_round_and_a_dead_host_link_is_not():
    text = "fat-tree:leaf=3,spine=2,hosts=3"
    around = incident(Fault(FaultKind.DEAD_LINK, tier=Role.SPINE), text=text)
    assert slower(around) == {}
    cut = incident(Fault(FaultKind.DEAD_LINK, tier=Role.HCA), text=text)
    assert set(slower(cut).values()) == {0.0}


@pytest.mark.parametrize("phy", [True, False])
def test_a_worse_link_is_slower_in_its_bad_direction(phy):
    shares = []
    for severity in ("low", "medium", "high"):
        fault = Fault(FaultKind.BAD_LINK, tier=Role.HCA, severity=severity)
        pair = incident(fault, text="fat-tree:leaf=2,spine=1,hosts=3", phy=phy)
        before, after = every(pair.baseline), every(pair.current)
        shares.append({ends: after[ends] / rate for ends, rate in before.items()})
    least = [min(each.values()) for each in shares]
    assert least[0] >= least[1] >= least[2]
    assert least[2] < (0.9 if phy else 0.999)
    bad = {ends for ends, share in shares[2].items() if share < 0.999}
    assert len({ends[0] for ends in bad}) == 1 or len({ends[1] for ends in bad}) == 1
    assert not bad & {(b, a) for a, b in bad}


@pytest.mark.parametrize("gpu", [True, False])
def test_pcie_on_half_its_lanes_limits_both_directions(gpu):
    pair = incident()
    sample, (one, other, third, *_) = pair.current, hcas(pair.current)
    sample.pcie[one.guid] = Pcie(32.0, 8, 32.0)
    goodput = Goodput(sample)
    limited = goodput.between(one, other, gpu=gpu)
    assert limited == goodput.between(other, one, gpu=gpu) == pytest.approx(232, abs=2)
    assert goodput.between(other, third, gpu=gpu) > 390


def test_a_dead_plane_takes_its_share():
    text = "planes:leaf=2,spine=2,hosts=3"
    pair = incident(Fault(FaultKind.DEAD_LINK, tier=Role.HCA), text=text, speed="xdr")
    assert list(slower(pair).values()) == pytest.approx([0.75] * 2 * 5, rel=1e-3)


def test_the_same_sample_gives_the_same_rates():
    fault = Fault(FaultKind.COPPER_CABLE, severity="high")
    assert every(incident(fault).current) == every(incident(fault).current)
