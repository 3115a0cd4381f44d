"""What a faulty cable does to the counters at both of its ends."""

from __future__ import annotations

from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimLink
from ibforensic.simulate.faults import SEVERITIES, Fault, FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.state import growth
from ibforensic.simulate.traffic import DAY, spread
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.victims import mark_downstream, stall_upstream

DAMAGED_A_DAY = {"low": 120, "medium": 3_000, "high": 120_000}
"""Packets that arrive damaged in a day while a link is bad."""
DOWNS = {"low": (0, 1), "medium": (1, 4), "high": (5, 14)}
"""Fewest and most link downs while a link is bad."""
FLAPS = {"low": (2, 4), "medium": (8, 25), "high": (60, 300)}
"""Fewest and most link downs of a flapping link."""
LOST_WIDTH = {"low": "2x", "medium": "2x", "high": "1x"}
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
    sample, severity = pair.current, fault.word
    receiver = fault.end or rng.choice(link.key)
    sender = sample.fabric.peer(receiver)
    share = rng.randint(350, 700)
    damaged = max(12, spread(rng, DAMAGED_A_DAY[severity], 400) * pair.seconds // DAY * share // 1000)
    sample.add(receiver, "port_local_physical_errors", damaged)
    sample.add(receiver, "port_rcv_errors", damaged)
    sample.add(receiver, "symbol_error_counter", damaged * rng.randint(15, 60) // 10)
    recoveries = damaged // rng.randint(150, 900) + rng.randint(0, 2)
    for end in link.key:
        sample.add(end, "link_error_recovery_counter", recoveries)
    fall(pair, link, rng.randint(*DOWNS[severity]), rng)
    if severity == "high":
        sample.add(receiver, "local_link_integrity_errors", rng.randint(3, 40))
    now = DAMAGED_A_DAY[severity] * 1000 // (DAY * share)
    for name in ("port_local_physical_errors", "port_rcv_errors", "symbol_error_counter"):
        sample.window[receiver][name] = sample.window[receiver].get(name, 0) + now
    if sample.fabric.node[receiver.node_guid].is_switch:
        mark_downstream(sample, receiver, damaged * rng.randint(450, 800) // 1000, truth, rng)
    stall_upstream(pair, sender, SEVERITIES.index(severity) + 1, truth, rng)
    truth.blame_link(fault.kind, link.key, severity, end=receiver, direction=(sender, receiver))


def flapping_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let a cable go down and come back; arguments as for ``bad_link``."""
    fall(pair, link, rng.randint(*FLAPS[fault.word]), rng)
    truth.blame_link(fault.kind, link.key, fault.word)


def slow_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random) -> None:
    """Let a cable run on fewer lanes or at the next slower speed; arguments as for ``bad_link``."""
    if fault.kind is FaultKind.WIDTH_LOSS:
        pair.current.set_link(link.key, width=_narrower(link, fault.word))
    else:
        pair.current.set_link(link.key, speed=NEXT_SLOWER[link.speed])
    fall(pair, link, 1, rng)
    for end in link.key:
        waited = growth(pair.baseline, pair.current, end)["port_xmit_wait"]
        pair.current.add(end, "port_xmit_wait", waited * rng.randint(2, 20) + 50_000 * pair.seconds)
    truth.blame_link(fault.kind, link.key, fault.word)


def _narrower(link: SimLink, severity: str) -> str:
    """Return a width below the one a link has when it is well."""
    if link.width == "1x":
        raise BadUsage(
            "a link of one lane cannot lose a lane", "order another fault, or a fabric of 4x links"
        )
    return LOST_WIDTH[severity] if link.width == "4x" else "1x"


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
