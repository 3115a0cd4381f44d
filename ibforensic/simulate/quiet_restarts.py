"""Planned restarts: of a switch, and of devices that got other firmware."""

from __future__ import annotations

from random import Random

from ibforensic.model.enums import Role
from ibforensic.simulate import events
from ibforensic.simulate.faults import Fault
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.link_faults import lose
from ibforensic.simulate.quiet_places import quiet_hosts, quiet_switch
from ibforensic.simulate.truth import Truth

_MOST_HOSTS = 6


def switch_restart(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Restart a switch: all its links go down, and both ends train anew.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name the switch.
        taken: Hosts, node GUIDs and links that others use.
        truth: Gets what happened.
        rng: Source of randomness.

    Raises:
        BadUsage: The order names a switch that is not there.
    """
    guid = quiet_switch(pair.current, fault, taken, rng)
    nodes = restart_box(pair, guid, rng)
    truth.rebooted.append(truth.device(guid))
    truth.excuse(fault.kind, nodes=nodes)


def firmware_upgrade(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Give one or two switches, or the HCAs of some hosts, other firmware; arguments as for the above."""
    sample, nodes = pair.current, []
    if rng.randrange(2) or fault.switch:
        for guid in dict.fromkeys(quiet_switch(sample, fault, taken, rng) for _ in range(rng.randint(1, 2))):
            nodes += restart_box(pair, guid, rng)
            truth.rebooted.append(truth.device(guid))
    else:
        for host in quiet_hosts(sample.fabric, fault.kind, taken, rng.randint(2, _MOST_HOSTS), rng):
            events.host_reboot(pair, host, truth, rng)
            nodes += [hca.guid for hca in sample.fabric.hosts[host]]
    step = rng.randint(2, 90)
    versions = {}
    for guid in sorted(nodes):
        major, minor, last = sample.fabric.node[guid].chip.firmware
        sample.firmware[guid] = (major, minor + 2, last + step)
        versions[f"{major}.{minor}.{last:04d}"] = f"{major}.{minor + 2}.{last + step:04d}"
    truth.excuse(fault.kind, nodes=sorted(nodes), firmware=versions)


def restart_box(pair: Pair, guid: str, rng: Random) -> list[str]:
    """Restart everything in the box of a switch.

    Its links go down once or twice, at the other ends too, where switches drop what they cannot send;
    some HCAs count symbol errors while the link trains.

    Args:
        pair: Its current sample is changed.
        guid: The switch.
        rng: Source of randomness.

    Returns:
        Node GUIDs of its switches.
    """
    sample, fabric = pair.current, pair.current.fabric
    box = fabric.node[guid].system_guid
    inside = [node for node in fabric.nodes if node.system_guid == box and node.role is not Role.HCA]
    share, downs = rng.randint(30, 900), rng.randint(1, 2)
    for node in inside:
        sample.uptimes[node.guid] = pair.seconds * share // 1000 + rng.randint(0, 5)
        for port in fabric.ports_of[node.guid]:
            events.restart(pair, port, share)
            peer = fabric.peer(port)
            if fabric.node[peer.node_guid].system_guid == box or not sample.is_up(port):
                continue
            lose(pair, peer, downs, rng.randint(3, 6))
            lose(pair, port, rng.randint(1, downs), rng.randint(1, 3))
            if fabric.node[peer.node_guid].role is Role.HCA and not rng.randrange(3):
                sample.add(peer, "symbol_error_counter", rng.randint(1, 20))
    return [node.guid for node in inside if node.is_switch]
