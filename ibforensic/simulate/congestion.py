"""Congestion: a port that cannot get rid of its packets holds back the ports that feed it, and those theirs.

The share of the time that a feeding port is held back follows from how much of what it sends goes on through
the blocked port. Where flows are known that is counted along their routes; else it is drawn. Each switch
further away feels less of it (KNOWLEDGE §3.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ibforensic.model.enums import Role, VictimBy
from ibforensic.model.ids import PortKey
from ibforensic.simulate.curves import Course
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.routing import Routing
from ibforensic.simulate.state import Sample, growth
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.waits import ticks_a_second, wait_more, wait_now, words_a_second

_NOTICED = 2_000
"""Ticks a second from which a longer wait makes a victim, if the port also waited twice as long as before."""
_LEAST_SHARE = 1e-7
_HOST_SIDE = 0.5
"""HCAs have a queue for each connection: a blocked one holds up the others less than in a switch."""


def hold_back(
    pair: Pair, receiver: PortKey, share: float, course: Course, truth: Truth, rng: Random
) -> PortKey:
    """Let an HCA take its data too slowly: the port that feeds it waits, and so does what feeds that.

    Args:
        pair: Its current sample is changed.
        receiver: Port of the HCA.
        share: Share of the time for which the port that feeds it waits, while the fault acts.
        course: When it acts.
        truth: Gets the ports that waited much longer than before; the feeding one is among them.
        rng: Source of randomness.

    Returns:
        The port that feeds the HCA.
    """
    feeder = pair.current.fabric.peer(receiver)
    mean = share * course.active / pair.seconds
    bound = {flow: words for flow, words in pair.rates.flows.items() if flow[1] == receiver}
    _hold(pair, feeder, mean, truth)
    wait_now(pair, feeder, round(share * course.now * ticks_a_second(pair.current, feeder)))
    if not bound:
        hold_feeders(pair, feeder, mean, truth, rng)
        return feeder
    fabric = pair.baseline.fabric
    routing = Routing(fabric, pair.baseline.lids, fabric.routing == "adaptive")
    passing = routing.sent(bound)
    parts = {
        port: words / max(1, pair.rates.data[port])
        for port, words in passing.items()
        if words and port != feeder and pair.current.is_up(port)
    }
    _hold_all(pair, feeder, mean, parts, truth, rng)
    return feeder


def hold_feeders(pair: Pair, blocked: PortKey, share: float, truth: Truth, rng: Random) -> None:
    """Let ports wait that feed a switch port, where nobody knows which flows pass it.

    Args:
        pair: Its current sample is changed.
        blocked: The port that waits.
        share: Share of the whole time for which it waits.
        truth: Gets the ports that waited much longer than before.
        rng: Source of randomness.
    """
    parts: dict[PortKey, float] = {}
    near = _feeders(pair.current, blocked)
    for port in near:
        parts[port] = rng.choice((0.0, 0.01, 0.03, 0.1, 0.3))
    for port in near:
        for further in _feeders(pair.current, port) if parts[port] else ():
            parts.setdefault(further, rng.choice((0.0, 0.0, 0.005, 0.02)))
    _hold_all(pair, blocked, share, parts, truth, rng)


def drop(pair: Pair, port: PortKey, count: int, now: int = 0) -> None:
    """Drop packets that stood too long at the head of a switch port's queue.

    Args:
        pair: Its current sample is changed.
        port: The port.
        count: How many.
        now: How many in the second between the counter samples.
    """
    for counts, dropped in ((pair.current.counters[port], count), (pair.current.window[port], now)):
        for name in ("port_xmit_discards", "port_sw_hoq_lifetime_limit_discards") if dropped else ():
            counts[name] = counts.get(name, 0) + dropped


def _feeders(sample: Sample, blocked: PortKey) -> list[PortKey]:
    """Return the ports that send into the switch of a port and may send through it; none into an HCA.

    What goes up came from below.
    """
    fabric = sample.fabric
    node = fabric.node[blocked.node_guid]
    upward = fabric.leads_up(blocked)
    if not node.is_switch:
        return []
    return [
        fabric.peer(port)
        for port in sample.up_ports(node)
        if port != blocked
        and fabric.peer_role(port) is not Role.AGGREGATION
        and not (upward and fabric.leads_up(port))
    ]


def _hold_all(
    pair: Pair, blocked: PortKey, share: float, parts: Mapping[PortKey, float], truth: Truth, rng: Random
) -> None:
    """Hold back ports by how much of what they send goes through the blocked port."""
    fabric = pair.current.fabric
    near = set(_feeders(pair.current, blocked))
    fainter = rng.uniform(0.2, 0.5)
    for port, part in sorted(parts.items()):
        held = share * min(0.9, part * rng.uniform(1.0, 4.0))
        if port not in near:
            held *= fainter
        if fabric.node[port.node_guid].role is Role.HCA:
            held *= _HOST_SIDE
        if held > _LEAST_SHARE:
            _hold(pair, port, held, truth)


def _hold(pair: Pair, port: PortKey, share: float, truth: Truth) -> None:
    """Let a port wait for a share of the time; it is a victim if that is noticed."""
    usual = growth(pair.baseline, pair.current, port).get("port_xmit_wait", 0)
    more = wait_more(pair, port, round(share * ticks_a_second(pair.current, port) * pair.seconds))
    if more >= max(usual, _NOTICED * pair.seconds):
        truth.victims.setdefault(port, VictimBy.WAIT)


def waiting_share(share: float, part: float) -> float:
    """Return for which share of the time a port waits that sends for a share of the time to a slow taker.

    Args:
        share: Share of the time that it takes to send everything at full rate.
        part: Rate at which the other side takes it, as a part of the full rate.

    Returns:
        A share; what is sent and what is waited never fill more than all the time.
    """
    return max(0.0, min(share * (1 / part - 1), 0.95 - share))


def busy(pair: Pair, port: PortKey) -> float:
    """Return for which share of the time a port would send what it sends, at full rate.

    Jobs send in rounds: a link that is used 1 % is full for 1 % of the time.
    """
    words = growth(pair.baseline, pair.current, port)["port_xmit_data"]
    return min(1.0, words / (words_a_second(pair.current, port) * pair.seconds))
