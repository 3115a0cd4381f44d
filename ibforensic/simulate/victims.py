"""Who suffers from a bad cable: ports downstream get marked packets, ports upstream wait."""

from __future__ import annotations

from random import Random

from ibforensic.model.enums import Role, VictimBy
from ibforensic.model.ids import PortKey
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.state import Sample, growth
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.waits import wait_more


def mark_downstream(sample: Sample, entry: PortKey, count: int, truth: Truth, rng: Random) -> None:
    """Carry packets that are marked bad from a switch port to the hosts.

    A packet that came from above never goes up again. The shares are uneven: a few flows carry most.

    Args:
        sample: Changed in place.
        entry: Switch port by which the packets came in.
        count: How many.
        truth: Gets the ports that counted them.
        rng: Source of randomness.
    """
    fabric = sample.fabric
    node = fabric.node[entry.node_guid]
    came_from = fabric.peer(entry).node_guid
    from_above = fabric.leads_up(entry)
    exits: list[PortKey] = []
    weights: list[int] = []
    for port in sample.up_ports(node):
        role = fabric.peer_role(port)
        back = fabric.peer(port).node_guid == came_from
        up = fabric.leads_up(port)
        if back or role is Role.AGGREGATION or (from_above and up):
            continue
        exits.append(port)
        weights.append((4 if up else 1) * rng.choice((0, 1, 1, 2, 5, 12)) * rng.randint(60, 140))
    total = sum(weights)
    for port, weight in zip(exits, weights, strict=True):
        part = count * weight // total if total else 0
        if not part:
            continue
        receiver = fabric.peer(port)
        sample.add(receiver, "port_rcv_remote_physical_errors", part)
        truth.victims[receiver] = VictimBy.EBP
        if fabric.node[receiver.node_guid].is_switch:
            mark_downstream(sample, receiver, part, truth, rng)


def stall_upstream(pair: Pair, sender: PortKey, force: int, truth: Truth, rng: Random) -> None:
    """Let the sender of a bad direction, and some ports that feed it, wait and drop a few packets.

    What goes up from a leaf came from its hosts; what goes down came from anywhere.

    Args:
        pair: Its current sample is changed.
        sender: Port that sends into the bad direction.
        force: 1, 2 or 3: how much.
        truth: Gets the ports that waited much longer than before.
        rng: Source of randomness.
    """
    sample = pair.current
    fabric = sample.fabric
    _wait(pair, sender, rng.randint(2, 6) * force)
    node = fabric.node[sender.node_guid]
    if not node.is_switch:
        return
    _drop(sample, sender, rng.randint(2, 12) * force)
    upward = fabric.leads_up(sender)
    for port in sample.up_ports(node):
        feeder = fabric.peer(port)
        role = fabric.node[feeder.node_guid].role
        idle = role is Role.AGGREGATION or (upward and fabric.leads_up(port))
        if port == sender or idle or rng.randrange(5) > force + 1:
            continue
        factor = rng.choice((0, 1, 1, 2, 5)) * force
        if not factor:
            continue
        _wait(pair, feeder, factor)
        truth.victims.setdefault(feeder, VictimBy.WAIT)
        if role is not Role.HCA and not rng.randrange(3):
            _drop(sample, feeder, rng.randint(1, 3) * force)


def _wait(pair: Pair, port: PortKey, factor: int) -> None:
    """Let a port wait longer by so many times what it waited anyway, and at least noticeably."""
    waited = growth(pair.baseline, pair.current, port)["port_xmit_wait"]
    wait_more(pair, port, waited * factor + 2_000 * factor * pair.seconds)


def _drop(sample: Sample, port: PortKey, count: int) -> None:
    """Drop packets that stood too long at the head of the queue."""
    sample.add(port, "port_xmit_discards", count)
    sample.add(port, "port_sw_hoq_lifetime_limit_discards", count)
