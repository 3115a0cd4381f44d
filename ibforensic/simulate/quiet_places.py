"""Places where something harmless can happen: such as no fault uses."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import Fabric, SimLink
from ibforensic.simulate.faults import Fault, FaultKind, choose_switch, find_link, free_links, occupied
from ibforensic.simulate.state import Sample

T = TypeVar("T")


def quiet_links(sample: Sample, taken: set[str], tier: Role | None = None) -> list[SimLink]:
    """Return the links of a tier, or of both, that are up and that nothing else uses."""
    return [link for link in free_links(sample.fabric, tier, taken) if sample.links[link.key].up]


def quiet_link(sample: Sample, fault: Fault, taken: set[str], rng: Random) -> SimLink:
    """Find or draw a link.

    Args:
        sample: The fabric as it is now.
        fault: The order.
        taken: Hosts, node GUIDs and links that others use; the link is added.
        rng: Source of randomness.

    Returns:
        The link.

    Raises:
        BadUsage: No such link is left.
    """
    link = find_link(sample.fabric, fault) or rng.choice(
        some(quiet_links(sample, taken, fault.tier), fault.kind, "link")
    )
    taken |= occupied(sample.fabric, link)
    return link


def quiet_switch(sample: Sample, fault: Fault, taken: set[str], rng: Random) -> str:
    """Find or draw a switch: one without a link that a fault uses, where there is one.

    Arguments and errors as for ``quiet_link``.
    """
    fabric = sample.fabric
    if fault.switch is None:
        busy = {
            node.guid
            for node in fabric.switches
            if any(occupied(fabric, fabric.link_at[port]) & taken for port in fabric.ports_of[node.guid])
        }
        guid = choose_switch(fabric, fault, taken | busy, rng)
    else:
        guid = choose_switch(fabric, fault, taken, rng)
    taken.add(guid)
    return guid


def quiet_hosts(fabric: Fabric, kind: FaultKind, taken: set[str], count: int, rng: Random) -> list[str]:
    """Draw hosts that nothing else uses, at most so many, and take them.

    Raises:
        BadUsage: There is none.
    """
    free = some([host for host in fabric.hosts if host not in taken], kind, "host")
    hosts = rng.sample(free, min(count, len(free)))
    taken |= set(hosts)
    return hosts


def some(found: list[T], kind: FaultKind, what: str) -> list[T]:
    """Return what was found.

    Raises:
        BadUsage: It is nothing.
    """
    if not found:
        raise BadUsage(f"no {what} is left for {kind}", "use a larger fabric, or order fewer things")
    return found


def outer_ports(sample: Sample) -> list[PortKey]:
    """Return the ports that are up and lead out of their box, in order."""
    fabric = sample.fabric
    return [
        port
        for port in sorted(fabric.link_at)
        if sample.is_up(port)
        and Role.AGGREGATION not in (fabric.node[port.node_guid].role, fabric.peer_role(port))
    ]
