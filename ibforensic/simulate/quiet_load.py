"""Harmless things that look like trouble: heavy jobs, bursts that FEC repairs, warm weather, wrong clocks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import NOMINAL_LANE_GBPS, WIDTH_LANES
from ibforensic.simulate import phy_ber
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, occupied
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.jobs import WORDS_A_GBIT
from ibforensic.simulate.phy import line_bits
from ibforensic.simulate.phy_state import LANES, Episode
from ibforensic.simulate.quiet_places import outer_ports, quiet_hosts
from ibforensic.simulate.routing import Flow, Routing
from ibforensic.simulate.traffic import add_traffic
from ibforensic.simulate.truth import Truth

_WORST = -3.4
_LINKS_A_BURST = 100
_BURST = (-8.6, -7.5)
"""log10 of the raw ratio that a burst adds."""
_FAILED = (0.3, 2.7)
"""log10 of the blocks that FEC cannot repair in it."""


def hot_job(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Let many hosts send to one, as jobs that gather results or read one server do.

    The receiver's link is full for a part of the time; what comes after the first sender waits, all the way
    back. A few packets are dropped; none of them stood too long at the head of a queue.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name the receiving host.
        taken: Hosts, node GUIDs and links that others use.
        truth: Gets receiver, senders, and the ports that waited.
        rng: Source of randomness.

    Raises:
        BadUsage: There are not two hosts left.
    """
    sample, fabric = pair.current, pair.current.fabric
    busy = set(taken) | {fault.host or ""}
    first = [fault.host] if fault.host else quiet_hosts(fabric, fault.kind, busy, 1, rng)
    senders = quiet_hosts(fabric, fault.kind, busy, rng.randint(4, 24), rng)
    share = rng.randint(15, 60)
    flows: dict[Flow, int] = {}
    for host in senders:
        for hca, other in zip(fabric.hosts[host], fabric.hosts[first[0]], strict=False):
            for one, two in zip(fabric.ports_of[hca.guid], fabric.ports_of[other.guid], strict=False):
                if sample.is_up(one) and sample.is_up(two):
                    flows[one, two] = _words(fabric, two) * share // (100 * len(senders))
    sent = Routing(fabric, sample.lids, fabric.routing == "adaptive").sent(flows)
    receivers = {receiver for _, receiver in flows}
    waiting = []
    for port in outer_ports(sample):
        out, back = sent.get(port, 0), sent.get(fabric.peer(port), 0)
        if not out and not back:
            continue
        add_traffic(sample, port, out * pair.seconds, back * pair.seconds)
        last = fabric.peer(port) in receivers
        waits = out * (rng.randint(0, 3) if last else rng.randint(15, 120)) // 100
        sample.add(port, "port_xmit_wait", waits * pair.seconds)
        if waits:
            waiting.append(port)
        if waits and fabric.node[port.node_guid].role is not Role.HCA and not rng.randrange(5):
            sample.add(port, "port_xmit_discards", rng.randint(1, 6))
    truth.excuse(
        fault.kind,
        nodes=[hca.guid for hca in fabric.hosts[first[0]]],
        ports=waiting,
        receiver=first[0],
        senders=sorted(senders),
    )


def healthy_burst(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Give one good link in a hundred, and at least one, a burst of errors; arguments as for ``hot_job``.

    FEC repairs as much again as usual, or ten times that, and fails at a few blocks; up to five errors are
    left.
    """
    sample, fabric = pair.current, pair.current.fabric
    ports = [port for port in outer_ports(sample) if not occupied(fabric, fabric.link_at[port]) & taken]
    struck = rng.sample(ports, min(len(ports), 1 + len(ports) // (2 * _LINKS_A_BURST)))
    for port in struck:
        symbols = rng.choice((0, 0, 0, 1, 2, 5))
        sample.add(port, "symbol_error_counter", symbols)
        if sample.phy is None or port not in sample.phy.receptions:
            continue
        began = pair.seconds * rng.randint(100, 900) // 1000
        bits = line_bits(sample.links[fabric.link_at[port].key]) * (pair.seconds - began)
        ratio, struck_lane = rng.uniform(*_BURST), rng.randrange(LANES)
        lanes = tuple(
            round(ratio + phy_ber.log_ratio(LANES, 1), 3) if lane == struck_lane else phy_ber.NEVER
            for lane in range(LANES)
        )
        gap = ratio - phy_ber.log_ratio(10 ** rng.uniform(*_FAILED), bits)
        sample.phy.receptions[port].episodes.append(Episode(began, lanes, gap, symbols))
    truth.excuse(fault.kind, ports=struck)


def season(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Make it 3 to 6 degrees warmer everywhere, with a few more raw errors; arguments as for ``hot_job``."""
    sample, degrees = pair.current, round(rng.uniform(3, 6), 1)
    sample.temperatures = {guid: now + round(degrees) for guid, now in sample.temperatures.items()}
    phy = sample.phy
    if phy is not None:
        phy.heat = {port: round(now + degrees + rng.gauss(0, 0.4), 1) for port, now in phy.heat.items()}
        phy.boards = {guid: [at + round(degrees) for at in now] for guid, now in phy.boards.items()}
        phy.fans = {guid: [turn + round(90 * degrees) for turn in now] for guid, now in phy.fans.items()}
        for reception in phy.receptions.values():
            worse = 0.03 * degrees + rng.gauss(0, 0.02)
            reception.lanes = tuple(min(_WORST, round(lane + worse, 3)) for lane in reception.lanes)
    truth.excuse(fault.kind, degrees=degrees)


def clock_skew(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> Callable[[], None]:
    """Let the clock of the current collection be 2 to 12 minutes off, but not back beyond the baseline.

    Arguments as for ``hot_job``.

    Returns:
        The change of the time, which is the last thing to do: all counts follow from the true time.
    """
    most = min(720, pair.seconds // 4)
    seconds = rng.randint(min(120, most // 2), most) * rng.choice((-1, 1))

    def skew() -> None:
        pair.current.taken_at += timedelta(seconds=seconds)
        truth.excuse(fault.kind, seconds=seconds)

    return skew


def _words(fabric: Fabric, port: PortKey) -> int:
    """Return the words a second that a port can send."""
    link = fabric.link_at[port]
    return int(WIDTH_LANES[link.width] * NOMINAL_LANE_GBPS[link.speed]) * WORDS_A_GBIT
