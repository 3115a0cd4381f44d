"""Faults of whole devices: they corrupt packets inside, or restart again and again."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from ibforensic.model.enums import Component, Role, VictimBy
from ibforensic.model.ids import PortKey
from ibforensic.simulate.curves import Course, along, around, draw_course
from ibforensic.simulate.events import restart
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.faults import Fault, choose_hca, choose_switch
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.link_faults import lose
from ibforensic.simulate.phy_ber import poisson
from ibforensic.simulate.state import growth
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.victims import mark_downstream

_CORRUPTED = ((0.0, -8.6), (0.5, -7.4), (0.75, -6.5), (1.0, -5.4))
"""Force → log10 of the part of the packets that a device corrupts."""
_FEWEST = 12
"""Marked packets that the busiest port gets at least."""
_REBOOTS = ((0.0, 2), (0.5, 2.5), (0.75, 5.5), (0.95, 13), (1.0, 16))
_DOWNTIME = (70, 400)
"""Seconds that a restart takes."""


def silent_corrupter(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let a switch, or an HCA, corrupt packets in its memory, which no link counts.

    What it feeds gets packets that are marked bad, in proportion to the packets it gets.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name the switch, or an HCA by its host or port. Else one in four is an HCA,
            and with ``Fault.tier`` the tier decides.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault and its victims.
        rng: Source of randomness.

    Returns:
        What it occupies.

    Raises:
        BadUsage: The fabric has no such place.
    """
    fabric = pair.current.fabric
    ordered_hca = fault.host is not None or fault.end is not None or fault.tier is Role.HCA
    free = fault.switch is None and fault.tier is None
    if ordered_hca or (free and not rng.randrange(4)):
        node, component = choose_hca(fabric, fault, taken, rng), Component.HCA
        place = node.host
    else:
        place = _switch(pair, fault, taken, rng)
        node, component = fabric.node[place], Component.SWITCH
    course = draw_course(rng, pair.seconds)
    ratio = 10 ** (along(fault.force, _CORRUPTED) + rng.uniform(-0.2, 0.2))
    _corrupt(pair, node, ratio, course, truth, rng)
    truth.blame(
        fault,
        component,
        device=node.guid,
        force=fault.force,
        began=course.began,
        course=course.shape,
    )
    return {place}


def _corrupt(pair: Pair, node: SimNode, ratio: float, course: Course, truth: Truth, rng: Random) -> None:
    """Mark a part of what a device sends, and carry the marks on."""
    sample, fabric = pair.current, pair.current.fabric
    ports = [port for port in sample.up_ports(node) if fabric.peer_role(port) is not Role.AGGREGATION]
    packets = {port: growth(pair.baseline, sample, port)["port_xmit_pkts"] for port in ports}
    acted = course.active / pair.seconds
    expected = {port: sent * acted * ratio * rng.uniform(0.6, 1.5) for port, sent in packets.items()}
    scale = max(1.0, _FEWEST / max(max(expected.values()), 1e-9))
    for port, mean in expected.items():
        receiver = fabric.peer(port)
        count = min(packets[port], poisson(rng, mean * scale))
        if not count:
            continue
        sample.add(receiver, "port_rcv_remote_physical_errors", count)
        now = sample.window[receiver]
        a_second = poisson(rng, mean * scale * course.now / course.active)
        if a_second:
            name = "port_rcv_remote_physical_errors"
            now[name] = now.get(name, 0) + a_second
        truth.victims[receiver] = VictimBy.EBP
        if fabric.node[receiver.node_guid].is_switch:
            mark_downstream(sample, receiver, count, truth, rng)


def switch_reboot(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let a switch restart again and again; arguments, result and errors as for ``silent_corrupter``.

    Each time all links of its box go down at both ends. What the box itself counted is gone with the restart;
    its neighbours have counted every one.
    """
    sample, fabric = pair.current, pair.current.fabric
    guid = _switch(pair, fault, taken, rng)
    box = fabric.node[guid].system_guid
    inside = [node for node in fabric.nodes if node.system_guid == box and node.role is not Role.HCA]
    began = pair.seconds * rng.randint(50, 700) // 1000
    most = max(2, (pair.seconds - began) // (2 * _DOWNTIME[1]))
    reboots = min(most, max(2, around(rng, along(fault.force, _REBOOTS), 1.35)))
    last = min(rng.uniform(0.0, 1.0) for _ in range(reboots - 1))
    age = max(60, round((pair.seconds - began) * last * 0.98))
    own = _neighbours(pair, inside, box, reboots, rng)
    for port in own:
        truth.victims[fabric.peer(port)] = VictimBy.DOWN
    for node in inside:
        sample.uptimes[node.guid] = age + rng.randint(0, 9)
        for port in fabric.ports_of[node.guid]:
            restart(pair, port, max(1, 1000 * age // pair.seconds))
    for port in own:
        lose(pair, port, rng.randrange(2), rng.randint(1, 3))
    truth.blame(
        fault,
        Component.SWITCH,
        device=guid,
        reboots=reboots,
        force=fault.force,
        began=began,
        last=pair.seconds - age,
    )
    return {node.guid for node in inside}


def _neighbours(pair: Pair, inside: Iterable[SimNode], box: str, reboots: int, rng: Random) -> list[PortKey]:
    """Let the neighbours of a box see its links go down; some HCAs count errors while the link trains.

    Returns:
        Ports of the box that lead out of it and are up.
    """
    sample, fabric = pair.current, pair.current.fabric
    found = []
    for node in inside:
        for port in sample.up_ports(node):
            peer = fabric.peer(port)
            if fabric.node[peer.node_guid].system_guid == box:
                continue
            found.append(port)
            lose(pair, peer, reboots, rng.randint(3, 6))
            if fabric.node[peer.node_guid].role is Role.HCA and not rng.randrange(3):
                sample.add(peer, "symbol_error_counter", rng.randint(1, 8 * reboots))
    return found


def _switch(pair: Pair, fault: Fault, taken: set[str], rng: Random) -> str:
    """Find or draw a switch of the ordered tier."""
    fabric = pair.current.fabric
    others = {node.guid for node in fabric.switches if fault.tier not in (None, node.role)}
    others = set() if len(others) == len(fabric.switches) else others
    return choose_switch(fabric, fault, taken | others, rng)
