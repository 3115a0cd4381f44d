"""Routes lead up and then down, and what is sent along them arrives."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise, product
from random import Random

import pytest
from test_topology import SMALL, build

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import TIERS
from ibforensic.simulate.faults import LINK_FAULTS, Fault, FaultKind
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.incident import apply_faults
from ibforensic.simulate.jobs import draw_jobs
from ibforensic.simulate.routing import Routing
from ibforensic.simulate.state import growth

DEEP = "fat-tree3:pod=4,leaf=4,spine=4,core=8,hosts=8"


def _routing(fabric, adaptive=False, seed=1):
    lids = list(range(1, len(fabric.nodes) + 1))
    Random(seed).shuffle(lids)
    return Routing(fabric, {n.guid: lid for n, lid in zip(fabric.nodes, lids, strict=True)}, adaptive)


def _ends(fabric):
    return [port for hcas in fabric.hosts.values() for hca in hcas for port in fabric.ports_of[hca.guid]]


def _pairs(fabric):
    return [
        (one, other)
        for one, other in product(_ends(fabric), repeat=2)
        if one.node_guid != other.node_guid and fabric.plane(one) == fabric.plane(other)
    ]


@pytest.mark.parametrize("text", SMALL)
def test_a_path_goes_up_and_then_down(text):
    fabric = build(text, SMALL[text])
    routing = _routing(fabric)
    for sender, receiver in _pairs(fabric):
        path = routing.path(sender, receiver)
        assert (path[0], path[-1]) == (sender, receiver)
        for number, (one, other) in enumerate(pairwise(path)):
            if number % 2:
                assert one.node_guid == other.node_guid
                assert one != other
            else:
                assert fabric.peer(one) == other
        tiers = [TIERS[fabric.node[port.node_guid].role] for port in path[1::2]]
        turn = tiers.index(max(tiers))
        assert tiers[: turn + 1] == sorted(set(tiers[: turn + 1]))
        assert tiers[turn:] == sorted(set(tiers[turn:]), reverse=True)
        planes = {fabric.plane(port)[1] for port in path if fabric.plane(port)}
        assert len(planes) == bool(fabric.has_planes)


def test_a_static_route_depends_on_the_destination_alone():
    fabric = build(DEEP)
    routing = _routing(fabric)
    chosen = defaultdict(set)
    for sender, receiver in _pairs(fabric):
        for port in routing.path(sender, receiver)[2:-1:2]:
            chosen[port.node_guid, receiver].add(port)
    assert {len(ports) for ports in chosen.values()} == {1}


def test_static_routes_use_every_way_about_evenly():
    fabric = build(DEEP)
    routing = _routing(fabric)
    used = Counter(port for pair in _pairs(fabric) for port in routing.path(*pair)[::2])
    ends = [end for link in fabric.cables(Role.SPINE) for end in link.key]
    ups = [used[end] for end in ends if fabric.leads_up(end)]
    cores = Counter({node.guid: 0 for node in fabric.nodes if node.role is Role.CORE})
    cores.update(port.node_guid for port in used.elements() if port.node_guid in cores)
    for loads in (ups, list(cores.values())):
        assert min(loads) > 0
        assert max(loads) < 3 * sum(loads) / len(loads)


def test_new_lids_are_new_routes():
    fabric = build(DEEP)
    one, other = _routing(fabric, seed=1), _routing(fabric, seed=2)
    pairs = _pairs(fabric)[::50]
    assert [one.path(*pair) for pair in pairs] != [other.path(*pair) for pair in pairs]


def test_adaptive_routing_fills_all_ways_up_alike():
    fabric = build(DEEP)
    flows = dict.fromkeys(_pairs(fabric)[::7], 1000003)
    sent = _routing(fabric, adaptive=True).sent(flows)
    for switch in fabric.switches:
        ups = [sent[port] for port in fabric.ports_of[switch.guid] if fabric.leads_up(port)]
        ups = [load for load in ups if load]
        if ups:
            assert max(ups) - min(ups) < len(flows)
    assert sent != _routing(fabric).sent(flows)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("text", SMALL)
def test_what_enters_a_switch_leaves_it(text, adaptive):
    fabric = build(text, SMALL[text])
    flows = {pair: 1_000 + number * 7 for number, pair in enumerate(_pairs(fabric))}
    sent = _routing(fabric, adaptive).sent(flows)
    for switch in fabric.switches:
        ports = fabric.ports_of[switch.guid]
        assert sum(sent[port] for port in ports) == sum(sent[fabric.peer(port)] for port in ports)
    for end in _ends(fabric):
        assert sent[end] == sum(words for (sender, _), words in flows.items() if sender == end)
        assert sent[fabric.peer(end)] == sum(words for (_, to), words in flows.items() if to == end)


def test_jobs_share_hosts_out():
    hosts = [f"host{number}" for number in range(100)]
    jobs = [job for seed in range(20) for job in draw_jobs(hosts, Random(seed))]
    for seed in range(20):
        members = [host for job in draw_jobs(hosts, Random(seed)) for host in job.hosts]
        assert len(set(members)) == len(members) <= len(hosts)
    assert {job.shifts == (1,) for job in jobs} == {True, False}
    assert all(0 < shift < len(job.hosts) for job in jobs for shift in job.shifts)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("text", SMALL)
def test_traffic_is_kept_between_the_samples(text, adaptive):
    fabric = build(text, SMALL[text], adaptive=adaptive)
    pair = healthy_pair(fabric, seed=4)
    grown = {port: growth(pair.baseline, pair.current, port) for port in fabric.link_at}
    for port in fabric.link_at:
        for unit in ("data", "pkts"):
            assert grown[port][f"port_xmit_{unit}"] == grown[fabric.peer(port)][f"port_rcv_{unit}"] > 0
            now, then = pair.current.window[port], pair.current.window[fabric.peer(port)]
            assert now[f"port_xmit_{unit}"] == then[f"port_rcv_{unit}"]
    for switch in fabric.switches:
        ports = fabric.ports_of[switch.guid]
        sums = [sum(grown[port][f"port_{side}_data"] for port in ports) for side in ("rcv", "xmit")]
        assert sums[0] == sums[1]


def test_traffic_is_not_the_same_everywhere():
    fabric = build("rail:hosts=48,rails=4,spine=4")
    pair = healthy_pair(fabric, seed=4)
    sent = sorted(growth(pair.baseline, pair.current, end)["port_xmit_data"] for end in _ends(fabric))
    assert sent[len(sent) // 10] * 3 < sent[-1]


@pytest.mark.parametrize("kind", sorted({*LINK_FAULTS, FaultKind.TRAFFIC_GROWTH} - {FaultKind.WIDTH_LOSS}))
@pytest.mark.parametrize("text", SMALL)
def test_a_fault_loses_no_more_than_it_counts(text, kind):
    fabric = build(text, SMALL[text])
    pair = healthy_pair(fabric, seed=6)
    apply_faults(pair, [Fault(kind, severity="high")], seed=6)
    grown = {port: growth(pair.baseline, pair.current, port) for port in fabric.link_at}
    for port in fabric.link_at:
        peer = fabric.peer(port)
        lost = grown[port]["port_xmit_pkts"] - grown[peer]["port_rcv_pkts"]
        # Growth by a factor is rounded at each counter.
        assert -1 <= lost <= grown[peer].get("port_rcv_errors", 0) + 1
        assert grown[port].get("link_downed_counter", 0) == grown[peer].get("link_downed_counter", 0)


def test_a_reboot_is_seen_on_every_plane():
    fabric = build("planes:leaf=2,spine=2,hosts=3", "xdr")
    pair = healthy_pair(fabric, seed=6)
    host = next(iter(fabric.hosts))
    apply_faults(pair, [Fault(FaultKind.HOST_REBOOT, host=host)], seed=6)
    (hca,) = fabric.hosts[host]
    for number in range(1, 5):
        leaf = fabric.peer(PortKey(hca.guid, number))
        assert growth(pair.baseline, pair.current, leaf)["link_downed_counter"] == 1
