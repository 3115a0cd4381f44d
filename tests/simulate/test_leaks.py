"""Nothing but physics tells the culprit: over many seeds it stands anywhere in every order there is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import exp, sqrt
from random import Random

import pytest
from test_topology import build

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_counters import pm_info
from ibforensic.simulate.write_sections import links, nodes

SEEDS = 240
LEAST = 0.002
"""There are 150 comparisons with fixed seeds; a leak gives a far smaller probability."""

BUILDERS = {
    "old": partial(make_fabric, 3, 2, 3, 2),
    "tree": lambda seed: build("fat-tree:leaf=3,spine=2,hosts=4,uplinks=2", seed=seed),
    "rail": lambda seed: build("rail:hosts=4,rails=3,spine=2", seed=seed),
    "optics": lambda seed: build("fat-tree:leaf=3,spine=2,hosts=4,uplinks=2", seed=seed),
}


def p_value(places):
    """Probability that uniform numbers between 0 and 1 lie as far from even (Kolmogorov and Smirnov)."""
    ordered, count = sorted(places), len(places)
    distance = max(
        max((rank + 1) / count - place, place - rank / count) for rank, place in enumerate(ordered)
    )
    root = (sqrt(count) + 0.12 + 0.11 / sqrt(count)) * distance
    terms = (2 * (-1) ** (k - 1) * exp(-2 * k * k * root * root) for k in range(1, 101))
    return min(1.0, max(0.0, sum(terms))) if root > 0.2 else 1.0


@dataclass
class Case:
    """An incident, with the culprit and all others that it could have been."""

    sample: Sample
    end: PortKey
    others: list[PortKey]

    @property
    def fabric(self) -> Fabric:
        return self.sample.fabric


def _row_order(rows):
    return {tuple(row.split(",")[:2]): number for number, row in enumerate(rows)}


def _link_row(case):
    order = {(a, int(p)): n for n, row in enumerate(links(case.sample)) for a, p in _cells(row)}
    return order.__getitem__


def _cells(row):
    one, first, other, second = row.split(",")
    return (one, first), (other, second)


def _node_row(case):
    order = {row.split(",")[-7]: number for number, row in enumerate(nodes(case.sample))}
    return lambda port: order[port.node_guid]


def _counter_row(case):
    order = {
        (guid, int(number)): place
        for place, row in enumerate(pm_info(case.sample))
        for guid, _, number in [row.split(",")[:3]]
    }
    return order.__getitem__


def _module(case):
    cables = case.sample.phy.cables if case.sample.phy else {}
    ends = {port: cable.at(port) for key, cable in cables.items() for port in key}
    return lambda port: (ends[port].serial, ends[port].part) if port in ends else ""


ORDERS = {
    "link row": _link_row,
    "node row": _node_row,
    "counter row": _counter_row,
    "node GUID": lambda case: lambda port: port.node_guid,
    "peer GUID": lambda case: lambda port: case.fabric.peer(port).node_guid,
    "port number": lambda case: lambda port: port.port_num,
    "LID": lambda case: lambda port: case.sample.lids[port.node_guid],
    "peer LID": lambda case: lambda port: case.sample.lids[case.fabric.peer(port).node_guid],
    "serial": lambda case: lambda port: case.fabric.node[port.node_guid].serial,
    "module serial": _module,
    "name": lambda case: lambda port: case.sample.names[port.node_guid],
    "peer name": lambda case: lambda port: case.sample.names[case.fabric.peer(port).node_guid],
    "round trip": lambda case: lambda port: case.fabric.link_at[port].round_trip,
    "temperature": lambda case: lambda port: case.sample.temperatures[port.node_guid],
    "uptime": lambda case: lambda port: case.sample.uptimes[port.node_guid],
}
"""Name → what a port is put in order by. None of them has to do with the fault."""


DEVICES = {
    "slow host": Fault(FaultKind.SLOW_CONSUMER),
    "PCIe": Fault(FaultKind.PCIE_DEGRADED),
    "malformed": Fault(FaultKind.MALFORMED_HCA),
    "dead HCA": Fault(FaultKind.DEAD_HCA),
    "corrupter": Fault(FaultKind.SILENT_CORRUPTER, tier=Role.LEAF),
    "restarts": Fault(FaultKind.SWITCH_REBOOT, tier=Role.LEAF),
}
"""Name → fault of a device; for its place the first port of the device stands."""
PHYSICS = {("restarts", "uptime")}
"""Orders in which the culprit must stand out."""
UNSEEN = {("dead HCA", order) for order in ("link row", "node row", "counter row")}
"""Orders in which there is no place for it."""


@pytest.fixture(scope="module", params=DEVICES)
def device_cases(request):
    """Incidents on small fabrics, one a seed, in which a device is at fault."""
    found = []
    for seed in range(SEEDS):
        fabric = BUILDERS["rail" if seed % 2 else "old"](seed=seed)
        pair, truth = make_incident(fabric, [DEVICES[request.param]], seed=seed)
        suspect = truth["suspect"]
        told = suspect.get("device") or Random(seed).choice(suspect["hcas"])
        role = fabric.node[told["node_guid"]].role
        others = [fabric.ports_of[node.guid][0] for node in fabric.nodes if node.role is role]
        found.append(Case(pair.current, fabric.ports_of[told["node_guid"]][0], others))
    return request.param, found


@pytest.mark.parametrize("order", ORDERS)
def test_a_faulty_device_stands_anywhere(device_cases, order):
    name, cases = device_cases
    if (name, order) in UNSEEN:
        return
    rng = Random(f"{name}/{order}")
    places = [_place(case, ORDERS[order](case), rng) for case in cases]
    assert (p_value(places) > LEAST) is ((name, order) not in PHYSICS)


@pytest.fixture(scope="module", params=BUILDERS)
def cases(request):
    """Incidents on small fabrics, one a seed; faults are of hosts' cables and of others in turn."""
    found = []
    for seed in range(SEEDS):
        fabric = BUILDERS[request.param](seed=seed)
        tier = (Role.HCA, Role.SPINE)[seed % 2]
        optics = request.param == "optics"
        if optics:
            tier = Role.SPINE  # few hosts have optics
        kind = FaultKind.DIRTY_CONNECTOR if optics else FaultKind.BAD_LINK
        pair, truth = make_incident(fabric, [Fault(kind, tier=tier)], seed=seed, phy=optics)
        end = PortKey(truth["suspect"]["end"]["node_guid"], truth["suspect"]["end"]["port"])
        role = fabric.node[end.node_guid].role
        others = [
            port
            for link in fabric.cables(tier)
            for port in link.key
            if fabric.node[port.node_guid].role is role
        ]
        found.append(Case(pair.current, end, others))
    return found


def _place(case, value, rng):
    """Where the culprit stands among its like, from 0 to 1; among equals anywhere."""
    mine, values = value(case.end), [value(port) for port in case.others]
    below, equal = sum(one < mine for one in values), sum(one == mine for one in values)
    return (below + equal * rng.random()) / len(values)


@pytest.mark.parametrize("order", ORDERS)
def test_the_culprit_stands_anywhere(cases, order):
    rng = Random(order)
    places = [_place(case, ORDERS[order](case), rng) for case in cases]
    assert p_value(places) > LEAST


def test_either_end_is_the_receiver(cases):
    first = sum(case.end == case.fabric.link_at[case.end].key.a for case in cases)
    up = sum(case.fabric.leads_up(case.end) for case in cases)
    for share in (first, up):
        assert abs(share - SEEDS / 2) < 3.3 * sqrt(SEEDS) / 2


def test_a_leak_would_be_seen():
    rng = Random(1)
    even = [rng.random() for _ in range(SEEDS)]
    assert p_value(even) > 0.01
    assert p_value([(place + 0.2) / 1.2 for place in even]) < LEAST
    assert p_value([place**1.6 for place in even]) < LEAST
    assert p_value([0.5] * SEEDS) < LEAST
    # Tables give 0.05 for a distance of 1.36 / √n.
    exact = [(number + 0.5) / 1000 for number in range(1000)]
    shifted = [place + (1.358 - 0.016) / sqrt(1000) for place in exact]
    assert 0.04 < p_value(shifted) < 0.06
