"""What can be ordered: kinds of faults and events, and how a place for each is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.fabric import Fabric, SimLink


class FaultKind(StrEnum):
    """What happens between baseline and current."""

    BAD_LINK = "bad_link"
    """One direction of a cable corrupts packets."""
    FLAPPING_LINK = "flapping_link"
    """A cable goes down and comes back, without errors in between."""
    WIDTH_LOSS = "width_loss"
    """A cable runs on fewer lanes."""
    SPEED_LOSS = "speed_loss"
    """A cable runs at HDR instead of NDR."""
    DEAD_LINK = "dead_link"
    """A cable is down and stays down."""
    DEAD_HOST = "dead_host"
    """All HCAs of a host are gone."""
    HOST_REBOOT = "host_reboot"
    """A host was restarted: nothing is wrong."""
    RENAME_HOST = "rename_host"
    """A host has another name: nothing is wrong."""
    SWITCH_COUNTER_CLEAR = "switch_counter_clear"
    """Somebody cleared the counters of one switch."""
    FABRIC_COUNTER_CLEAR = "fabric_counter_clear"
    """Somebody cleared all counters."""
    LID_RESHUFFLE = "lid_reshuffle"
    """The subnet manager gave everybody another LID."""
    TRAFFIC_GROWTH = "traffic_growth"
    """There is more work, and more waiting, each port by its own factor."""


LINK_FAULTS = frozenset(
    {
        FaultKind.BAD_LINK,
        FaultKind.FLAPPING_LINK,
        FaultKind.WIDTH_LOSS,
        FaultKind.SPEED_LOSS,
        FaultKind.DEAD_LINK,
    }
)
HOST_FAULTS = frozenset({FaultKind.DEAD_HOST, FaultKind.HOST_REBOOT, FaultKind.RENAME_HOST})
SEVERITIES = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Fault:
    """An order for a fault. What is left out is drawn.

    Attributes:
        kind: What happens.
        link: Cable, for faults of a link.
        end: Port that counts the errors of a bad link, which is the receiving end of the bad direction.
        tier: Where to draw a cable: ``Role.HCA`` between host and leaf, ``Role.SPINE`` between leaf and
            spine; None for either.
        host: Host, for what happens to a host.
        switch: GUID of the switch whose counters are cleared.
        severity: low, medium or high.
    """

    kind: FaultKind
    link: LinkKey | None = None
    end: PortKey | None = None
    tier: Role | None = None
    host: str | None = None
    switch: str | None = None
    severity: str = "medium"


def choose_link(fabric: Fabric, fault: Fault, taken: set[str], rng: Random) -> SimLink:
    """Find or draw the cable of a fault.

    Args:
        fabric: The fabric.
        fault: The order.
        taken: Hosts and node GUIDs that other faults use; a drawn cable touches no such host.
        rng: Source of randomness.

    Returns:
        The cable.

    Raises:
        BadUsage: The fabric has no such cable.
    """
    end = fault.link.a if fault.link else fault.end
    if end is not None:
        link = fabric.link_at.get(end)
        wrong = link is None or (fault.link or link.key) != link.key or (fault.end or end) not in link.key
        if link is None or wrong:
            raise BadUsage(
                f"the fabric has no cable {fault.link or fault.end}", "take one of fabric.cables(…)"
            )
        return link
    tiers = (fault.tier,) if fault.tier else (Role.HCA, Role.SPINE)
    tier = rng.choice(tiers)
    free = [link for link in fabric.cables(tier) if not _names(fabric, link) & taken]
    if not free:
        raise BadUsage(
            f"no cable of tier {tier} is left for {fault.kind}", "use a larger fabric or fewer faults"
        )
    return rng.choice(free)


def choose_host(fabric: Fabric, fault: Fault, taken: set[str], rng: Random) -> str:
    """Find or draw the host of a fault; arguments, result and errors as for ``choose_link``."""
    if fault.host is not None:
        if fault.host not in fabric.hosts:
            raise BadUsage(f"the fabric has no host {fault.host}", "take one of fabric.hosts")
        return fault.host
    free = [host for host in fabric.hosts if host not in taken]
    if not free:
        raise BadUsage(f"no host is left for {fault.kind}", "use a larger fabric or fewer faults")
    return rng.choice(free)


def choose_switch(fabric: Fabric, fault: Fault, taken: set[str], rng: Random) -> str:
    """Find or draw the switch of a fault; arguments, result and errors as for ``choose_link``."""
    if fault.switch is not None:
        if fault.switch not in {switch.guid for switch in fabric.switches}:
            raise BadUsage(f"the fabric has no switch {fault.switch}", "take one of fabric.switches")
        return fault.switch
    every = [switch.guid for switch in fabric.switches]
    return rng.choice([guid for guid in every if guid not in taken] or every)


def _names(fabric: Fabric, link: SimLink) -> set[str]:
    """Return what a cable occupies: itself, and the host it leads to."""
    hosts = {fabric.node[end.node_guid].host for end in link.key} - {""}
    return hosts | {str(link.key)}
