"""What a faulty cable does to the counters at both of its ends."""

from __future__ import annotations

from math import log10
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate.congestion import hold_feeders
from ibforensic.simulate.curves import along, around
from ibforensic.simulate.fabric import SimLink
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.state import growth
from ibforensic.simulate.traffic import DAY, spread
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.victims import mark_downstream, stall_upstream
from ibforensic.simulate.waits import ticks_a_second, wait_more

DAMAGED_A_DAY = ((0.0, 20), (0.5, 120), (0.75, 3_000), (0.95, 120_000), (1.0, 300_000))
"""Force → packets that arrive damaged in a day while a link is bad; between them on a logarithmic scale."""
FEWEST_DOWNS = ((0.0, 0), (0.5, 0), (0.75, 1), (0.95, 5), (1.0, 8))
MOST_DOWNS = ((0.0, 0), (0.5, 1), (0.75, 4), (0.95, 14), (1.0, 20))
"""Force → fewest and most link downs while a link is bad."""
FLAPS_A_WEEK = ((0.0, 0.0), (0.5, 0.25), (0.75, 0.9), (0.95, 1.48), (1.0, 1.6))
"""Force → log10 of the link downs of a flapping link in a week."""
ONE_LANE_FROM = 0.85
"""Force from which a link loses all lanes but one."""
_STRONG = (0.6, 0.85)
"""Forces from which what stands behind a bad link waits more, and much more."""
NEXT_SLOWER = {"XDR": "NDR", "NDR": "HDR", "HDR": "EDR", "EDR": "FDR"}


def bad_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let one direction of a cable corrupt packets.

    The receiver counts them. Those it had begun to forward go on with a bad-packet mark and are counted as
    remote errors further down; what stands behind the sender waits.

    Args:
        pair: Its current sample is changed.
        link: The cable.
        fault: Severity, and the receiving end where it is not to be drawn.
        truth: Gets the fault and its victims.
        rng: Source of randomness.
    """
    sample, force = pair.current, fault.force
    receiver = fault.end or rng.choice(link.key)
    sender = sample.fabric.peer(receiver)
    share = rng.randint(350, 700)
    a_day = damaged_a_day(force)
    damaged = max(12, spread(rng, a_day, 400) * pair.seconds // DAY * share // 1000)
    sample.add(receiver, "port_local_physical_errors", damaged)
    sample.add(receiver, "port_rcv_errors", damaged)
    sample.add(receiver, "symbol_error_counter", damaged * rng.randint(15, 60) // 10)
    recoveries = damaged // rng.randint(150, 900) + rng.randint(0, 2)
    for end in link.key:
        sample.add(end, "link_error_recovery_counter", recoveries)
    fall(pair, link, rng.randint(round(along(force, FEWEST_DOWNS)), round(along(force, MOST_DOWNS))), rng)
    if force > _STRONG[1]:
        sample.add(receiver, "local_link_integrity_errors", rng.randint(3, 40))
    now = a_day * 1000 // (DAY * share)
    for name in ("port_local_physical_errors", "port_rcv_errors", "symbol_error_counter"):
        sample.window[receiver][name] = sample.window[receiver].get(name, 0) + now
    if sample.fabric.node[receiver.node_guid].is_switch:
        mark_downstream(sample, receiver, damaged * rng.randint(450, 800) // 1000, truth, rng)
    stall_upstream(pair, sender, 1 + sum(force >= limit for limit in _STRONG), truth, rng)
    truth.blame_link(fault.kind, link.key, fault.word, end=receiver, direction=(sender, receiver))


def damaged_a_day(force: float) -> int:
    """Return how many packets arrive damaged in a day, by the force of a bad link."""
    points = [(at, log10(count)) for at, count in DAMAGED_A_DAY]
    return round(10 ** along(force, points))


def flapping_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let a cable go down and come back; arguments as for ``bad_link``."""
    weeks = pair.seconds / (7 * DAY)
    downs = around(rng, max(1.0, weeks * 10 ** along(fault.force, FLAPS_A_WEEK)), 1.75)
    fall(pair, link, downs, rng)
    truth.blame_link(fault.kind, link.key, fault.word)


def slow_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let a cable run on fewer lanes or at the next slower speed; arguments as for ``bad_link``.

    It went down for that, and what is sent over it waits.
    """
    direction = None
    if fault.kind is FaultKind.WIDTH_LOSS:
        pair.current.set_link(link.key, width=_narrower(link, fault.force))
        receiver = _lose_lanes(pair, link, fault.force, rng)
        direction = pair.current.fabric.peer(receiver), receiver
    else:
        pair.current.set_link(link.key, speed=NEXT_SLOWER[link.speed])
    fall(pair, link, 1 + rng.randint(0, round(2 * fault.force)), rng)
    for end in link.key:
        waited = growth(pair.baseline, pair.current, end)["port_xmit_wait"]
        more = wait_more(pair, end, waited * rng.randint(2, 20) + 50_000 * pair.seconds)
        share = more / (ticks_a_second(pair.current, end) * pair.seconds)
        hold_feeders(pair, end, share, truth, rng)
    truth.blame_link(fault.kind, link.key, fault.word, direction=direction)


def _lose_lanes(pair: Pair, link: SimLink, force: float, rng: Random) -> PortKey:
    """Count what the lanes did before they were given up: errors at one end, recoveries at both.

    The registers of the physical layer know nothing of it: they began anew when the link came up.

    Returns:
        The end that received badly.
    """
    receiver = rng.choice(link.key)
    damaged = around(rng, 3 * 10 ** (2.2 * force), 3)
    pair.current.add(receiver, "symbol_error_counter", damaged * rng.randint(2, 6))
    pair.current.add(receiver, "port_rcv_errors", damaged)
    pair.current.add(receiver, "port_local_physical_errors", damaged)
    recoveries = around(rng, 1 + 12 * force, 2)
    for end in link.key:
        pair.current.add(end, "link_error_recovery_counter", recoveries)
    return receiver


def _narrower(link: SimLink, force: float) -> str:
    """Return a width below the one a link has when it is well."""
    if link.width == "1x":
        raise BadUsage(
            "a link of one lane cannot lose a lane", "order another fault, or a fabric of 4x links"
        )
    return "2x" if link.width == "4x" and force < ONE_LANE_FROM else "1x"


def dead_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let a cable be down; the tools then show neither port's counters. Arguments as for ``bad_link``."""
    pair.current.set_link(link.key, up=False)
    reached = {node.guid for node in pair.current.seen_nodes()}
    truth.gone += [end.node_guid for end in link.key if end.node_guid not in reached]
    truth.blame_link(fault.kind, link.key, fault.word)


def fall(pair: Pair, link: SimLink, downs: int, rng: Random) -> None:
    """Count link downs at both ends, and the packets that switches drop meanwhile.

    Args:
        pair: Its current sample is changed.
        link: The link.
        downs: How often it went down.
        rng: Source of randomness.
    """
    for end in link.key:
        lose(pair, end, downs, rng.randint(3, 6))


def lose(pair: Pair, end: PortKey, downs: int, each: int) -> None:
    """Count link downs at one port.

    Args:
        pair: Its current sample is changed.
        end: The port.
        downs: How often the link went down.
        each: Packets dropped each time; HCAs tell their software instead and drop none.
    """
    if not downs:
        return
    pair.current.add(end, "link_downed_counter", downs)
    pair.current.fell[end] = pair.current.fell.get(end, 0) + downs
    if pair.current.fabric.node[end.node_guid].role is not Role.HCA:
        pair.current.add(end, "port_xmit_discards", downs * each)
        pair.current.add(end, "port_inactive_discards", downs * each)
