"""Faults of hosts and HCAs: they take too slowly what is sent to them, send rubbish, or are gone.

A host that takes its data too slowly shows nowhere at itself in the fabric: the switch port that feeds it
waits, the more the more is sent to it, then drops what stood at the head of its queue for a quarter of a
second (KNOWLEDGE §1.2), and everything behind it waits too (§3.3).
"""

from __future__ import annotations

from random import Random

from ibforensic.model.enums import Component, VictimBy
from ibforensic.model.ids import PortKey
from ibforensic.simulate.congestion import busy, drop, hold_back, waiting_share
from ibforensic.simulate.curves import Course, along, draw_course
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.faults import Fault, choose_hca, choose_host
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.pcie import degraded, pcie_of
from ibforensic.simulate.phy_ber import poisson
from ibforensic.simulate.reroute import now_less, thin
from ibforensic.simulate.traffic import DAY
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.waits import gbps

_SLOWNESS = ((0.0, 0.0), (0.5, 0.75), (0.75, 1.4), (1.0, 2.1))
"""Force → log10 of how many times longer than at full rate a slow host takes for its data, less one."""
_DROPS_FROM = 0.4
_DROPS_A_DAY = ((0.0, 0.0), (0.4, 0.3), (0.5, 1.1), (0.75, 2.2), (1.0, 3.3))
"""Force → log10 of the packets that are dropped in a day in front of a slow host."""
_MILDER = 0.3
"""An HCA on fewer PCIe lanes takes data evenly, if slowly: fewer packets wait until they are dropped."""
_MALFORMED_A_DAY = ((0.0, 0.7), (0.5, 1.8), (0.75, 3.0), (1.0, 4.5))
"""Force → log10 of the malformed packets that an HCA sends in a day."""


def slow_consumer(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let the software on a host take data too slowly, from one HCA or more.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name the host, or a port of an HCA.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault and its victims.
        rng: Source of randomness.

    Returns:
        What it occupies.

    Raises:
        BadUsage: The fabric has no such place.
    """
    fabric = pair.current.fabric
    if fault.end is not None:
        hcas: tuple[SimNode, ...] = (choose_hca(fabric, fault, taken, rng),)
        host = hcas[0].host
    else:
        host = choose_host(fabric, fault, taken, rng)
        every = fabric.hosts[host]
        some = every if rng.randrange(2) else rng.sample(every, rng.randint(1, len(every)))
        hcas = tuple(hca for hca in every if hca in some)
    course = draw_course(rng, pair.seconds)
    for hca in hcas:
        slowness = 10 ** (along(fault.force, _SLOWNESS) + rng.uniform(-0.15, 0.15))
        pair.current.slow[hca.guid] = _slow_down(pair, hca, 1 / (1 + slowness), course, truth, rng)
        _drops(pair, hca, fault.force, 1.0, course, rng)
    truth.blame(
        fault,
        Component.HOST,
        host=host,
        hcas=[truth.device(hca.guid) for hca in hcas],
        force=fault.force,
        began=course.began,
        course=course.shape,
    )
    return {host}


def pcie_degraded(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let an HCA lose PCIe lanes or speed; arguments, result and errors as for ``slow_consumer``."""
    sample = pair.current
    hca = choose_hca(sample.fabric, fault, taken, rng)
    course = draw_course(rng, pair.seconds)
    course = Course(course.began, "steady", pair.seconds - course.began, 1.0)
    was = pcie_of(hca, sample.pcie)
    now = sample.pcie[hca.guid] = degraded(was, fault.force, rng)
    ports = sample.fabric.ports_of[hca.guid]
    needed = sum(gbps(sample.links[sample.fabric.link_at[port].key]) for port in ports)
    part = min(0.95, now.gbps / needed)
    lost = (1 - part) * rng.uniform(0.3, 0.75)
    thin(pair, ports, lost, course.active)
    for port in ports:
        now_less(sample, port, lost)
    sample.slow[hca.guid] = _slow_down(pair, hca, part, course, truth, rng)
    _drops(pair, hca, fault.force, _MILDER, course, rng)
    truth.blame(
        fault,
        Component.HOST,
        host=hca.host,
        device=hca.guid,
        pcie={
            "was": {"speed": was.speed, "width": was.width},
            "now": {"speed": now.speed, "width": now.width},
        },
        force=fault.force,
        began=course.began,
        course=course.shape,
    )
    return {hca.host}


def malformed_hca(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let an HCA send malformed packets; arguments, result and errors as for ``slow_consumer``.

    The switch does not forward them; the link itself is well.
    """
    sample = pair.current
    hca = choose_hca(sample.fabric, fault, taken, rng)
    end = fault.end or rng.choice(sample.fabric.ports_of[hca.guid])
    receiver = sample.fabric.peer(end)
    course = draw_course(rng, pair.seconds)
    a_day = 10 ** (along(fault.force, _MALFORMED_A_DAY) + rng.uniform(-0.3, 0.3))
    count = max(3, poisson(rng, a_day * course.active / DAY))
    now = poisson(rng, a_day * course.now / DAY)
    for counts, more in ((sample.counters[receiver], count), (sample.window[receiver], now)):
        for name in ("port_malformed_packet_errors", "port_rcv_errors") if more else ():
            counts[name] = counts.get(name, 0) + more
    truth.blame(
        fault,
        Component.HCA,
        device=hca.guid,
        end=end,
        direction=(end, receiver),
        force=fault.force,
        began=course.began,
        course=course.shape,
        counted_at=[truth.port(receiver)],
    )
    return {hca.host}


def dead_hca(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let one HCA of a host be gone; arguments, result and errors as for ``slow_consumer``.

    Where jobs are known, what it would have sent and received since then is missing elsewhere too.
    """
    sample, fabric = pair.current, pair.current.fabric
    hca = choose_hca(fabric, fault, taken, rng, least=2)
    ports = fabric.ports_of[hca.guid]
    began = pair.seconds * rng.randint(50, 980) // 1000
    if pair.rates.flows:
        thin(pair, ports, 1.0, pair.seconds - began)
    for port in ports:
        sample.set_link(fabric.link_at[port].key, up=False)
        truth.victims[fabric.peer(port)] = VictimBy.DOWN
    truth.gone.append(hca.guid)
    truth.blame(fault, Component.HCA, device=hca.guid, began=began)
    return {hca.host}


def _slow_down(pair: Pair, hca: SimNode, part: float, course: Course, truth: Truth, rng: Random) -> float:
    """Let an HCA take data at a part of the full rate.

    Returns:
        Share of the time for which what feeds it waits, while the fault acts; of several ports the largest.
    """
    most = 0.0
    for port in _up(pair, hca):
        feeder = pair.current.fabric.peer(port)
        share = waiting_share(busy(pair, feeder), part)
        hold_back(pair, port, share, course, truth, rng)
        most = max(most, share)
    return round(most, 6)


def _drops(pair: Pair, hca: SimNode, force: float, milder: float, course: Course, rng: Random) -> None:
    """Drop packets in front of an HCA, if the fault is bad enough."""
    if force < _DROPS_FROM:
        return
    a_day = milder * 10 ** (along(force, _DROPS_A_DAY) + rng.uniform(-0.2, 0.2))
    for port in _up(pair, hca):
        count = poisson(rng, a_day * course.active / DAY)
        drop(pair, pair.current.fabric.peer(port), count, poisson(rng, a_day * course.now / DAY))


def _up(pair: Pair, hca: SimNode) -> list[PortKey]:
    """Return the ports of an HCA whose link is up."""
    return list(pair.current.up_ports(hca))
