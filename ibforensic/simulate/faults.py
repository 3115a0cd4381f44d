"""What can be ordered: kinds of faults and events, and how a place for each is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.fabric import Fabric, SimLink, SimNode


class FaultKind(StrEnum):
    """What happens between baseline and current."""

    BAD_LINK = "bad_link"
    """One direction of a cable corrupts packets."""
    FLAPPING_LINK = "flapping_link"
    """A cable goes down and comes back, once to sixty times a week, without errors in between."""
    WIDTH_LOSS = "width_loss"
    """A cable lost lanes after some lane errors: it runs at 2x, or at 1x if it is bad."""
    SPEED_LOSS = "speed_loss"
    """A cable runs at the next lower speed, such as HDR instead of NDR."""
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
    SWITCH_RESTART = "switch_restart"
    """A switch was restarted as planned: its links went down once or twice, it counts anew."""
    FIRMWARE_UPGRADE = "firmware_upgrade"
    """Some switches, or the HCAs of some hosts, got other firmware, and were restarted for it."""
    SM_CLEAR = "sm_clear"
    """The subnet manager clears the error counters of single ports, each time one is three quarters full."""
    GROUP_CLEAR = "group_clear"
    """Somebody cleared the errors of one switch, or its PHY registers, and left its other counters alone."""
    CLAMPED_COUNTERS = "clamped_counters"
    """Old ports count in narrow registers only, and some have been full since long before the baseline."""
    PLANNED_RECABLING = "planned_recabling"
    """A cable was replaced: another serial number at its ends, one or two link downs."""
    MODULE_SWAP = "module_swap"
    """A transceiver was replaced: another serial number, other levels of light."""
    CABLE_MOVE = "cable_move"
    """A good cable was moved to a port that was free."""
    HCA_SWAP = "hca_swap"
    """An HCA was replaced: another node GUID with the same name, at the same switch port."""
    HOT_JOB = "hot_job"
    """Many hosts send to one: long waits on the way there, and nothing is wrong."""
    SEASON = "season"
    """It is 3 to 6 degrees warmer everywhere, and everybody has a few more raw errors."""
    HEALTHY_BURST = "healthy_burst"
    """Good links had a burst of errors that FEC repaired, all but a few blocks."""
    CLOCK_SKEW = "clock_skew"
    """The clock of the machine that made the current collection is some minutes off."""
    DIRTY_CONNECTOR = "dirty_connector"
    """Dirt in the connector at one receiver: less light on some lanes, bit errors there."""
    BENT_FIBRE = "bent_fibre"
    """A bent or damaged fibre: less light and bit errors at both ends."""
    DECAYING_TRANSMITTER = "decaying_transmitter"
    """A laser ages: it sends less light for more current; the other end has bit errors."""
    BAD_MODULE = "bad_module"
    """A transceiver corrupts what it receives, at times what it sends too; the light is fine."""
    LOOSE_MODULE = "loose_module"
    """A transceiver that does not sit well: bit errors and many link downs; the light is fine."""
    PORT_SERDES = "port_serdes"
    """The receiver of a port itself is bad; whatever is plugged in, the light is fine."""
    COPPER_CABLE = "copper_cable"
    """A copper cable has bit errors in both directions."""
    HOT_MODULE = "hot_module"
    """One transceiver gets hot, and its ports have some bit errors."""
    COOLING_ZONE = "cooling_zone"
    """A fan stops: everything in one switch gets hot."""
    SLOW_CONSUMER = "slow_consumer"
    """Software on a host takes its data too slowly: all that sends to it waits, back into the fabric."""
    PCIE_DEGRADED = "pcie_degraded"
    """An HCA runs on fewer or slower PCIe lanes: it sends and takes less, and what feeds it waits."""
    MALFORMED_HCA = "malformed_hca"
    """An HCA sends malformed packets, which the switch port facing it counts."""
    SILENT_CORRUPTER = "silent_corrupter"
    """A switch or HCA corrupts packets inside: all it feeds gets packets marked bad, no link is damaged."""
    DEAD_HCA = "dead_hca"
    """One HCA of a host is gone; the host lives on."""
    SWITCH_REBOOT = "switch_reboot"
    """A switch restarts again and again: all its links go down each time, and it counts anew."""
    MISCABLING = "miscabling"
    """Two cables were swapped: each leads where the other should."""
    FIRMWARE_BATCH = "firmware_batch"
    """Transceivers or HCAs of one part and firmware have bit errors, many at a time."""
    SHARED_ASIC = "shared_asic"
    """A part of a switch chip fails: neighbouring ports have bit errors from the same moment on."""


LINK_FAULTS = frozenset(
    {
        FaultKind.BAD_LINK,
        FaultKind.FLAPPING_LINK,
        FaultKind.WIDTH_LOSS,
        FaultKind.SPEED_LOSS,
        FaultKind.DEAD_LINK,
    }
)
PHY_FAULTS = frozenset(
    {
        FaultKind.DIRTY_CONNECTOR,
        FaultKind.BENT_FIBRE,
        FaultKind.DECAYING_TRANSMITTER,
        FaultKind.BAD_MODULE,
        FaultKind.LOOSE_MODULE,
        FaultKind.PORT_SERDES,
        FaultKind.COPPER_CABLE,
        FaultKind.HOT_MODULE,
        FaultKind.COOLING_ZONE,
    }
)
"""Faults of the physical layer; ``phy_faults`` has them."""
DEVICE_FAULTS = frozenset(
    {
        FaultKind.SLOW_CONSUMER,
        FaultKind.PCIE_DEGRADED,
        FaultKind.MALFORMED_HCA,
        FaultKind.SILENT_CORRUPTER,
        FaultKind.DEAD_HCA,
        FaultKind.SWITCH_REBOOT,
        FaultKind.MISCABLING,
        FaultKind.FIRMWARE_BATCH,
        FaultKind.SHARED_ASIC,
    }
)
"""Faults of hosts, HCAs and switches, and of what belongs together; ``device_faults`` has them."""
GROUP_FAULTS = frozenset({FaultKind.FIRMWARE_BATCH, FaultKind.SHARED_ASIC})
"""Those of them that need a physical layer."""
HOST_FAULTS = frozenset({FaultKind.DEAD_HOST, FaultKind.HOST_REBOOT, FaultKind.RENAME_HOST})
SEVERITIES = ("low", "medium", "high")
FORCES = {"low": 0.5, "medium": 0.75, "high": 0.95}
"""Severity in words → as a number from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An order for a fault. What is left out is drawn.

    Attributes:
        kind: What happens.
        link: Cable, for faults of a link.
        end: Port that counts the errors of a bad link, which is the receiving end of the bad direction; for
            faults of the physical layer the end where the broken part sits; for faults of an HCA its port.
        tier: Where to draw a cable: ``Role.HCA`` between host and leaf, ``Role.SPINE`` between leaf and
            spine; None for either.
        host: Host, for what happens to a host or to one of its HCAs.
        switch: GUID of the switch whose counters are cleared, that gets hot, or that fails as a whole.
        severity: low, medium or high, or a number from 0 to 1.
    """

    kind: FaultKind
    link: LinkKey | None = None
    end: PortKey | None = None
    tier: Role | None = None
    host: str | None = None
    switch: str | None = None
    severity: str | float = "medium"

    @property
    def word(self) -> str:
        """The severity in words: a third of the range each."""
        if isinstance(self.severity, str):
            return self.severity
        return SEVERITIES[min(2, max(0, int(self.severity * 3)))]

    @property
    def force(self) -> float:
        """The severity as a number from 0 to 1."""
        return FORCES[self.severity] if isinstance(self.severity, str) else float(self.severity)

    @property
    def valid(self) -> bool:
        """Whether the severity is one of the words, or a number from 0 to 1."""
        return self.severity in SEVERITIES if isinstance(self.severity, str) else 0 <= self.severity <= 1


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
    link = find_link(fabric, fault)
    if link is not None:
        return link
    tiers = (fault.tier,) if fault.tier else (Role.HCA, Role.SPINE)
    tier = rng.choice(tiers)
    free = free_links(fabric, tier, taken)
    if not free:
        raise BadUsage(
            f"no cable of tier {tier} is left for {fault.kind}", "use a larger fabric or fewer faults"
        )
    return rng.choice(free)


def find_link(fabric: Fabric, fault: Fault) -> SimLink | None:
    """Find the cable that a fault names.

    Args:
        fabric: The fabric.
        fault: The order.

    Returns:
        The cable; None where the fault names neither a cable nor an end.

    Raises:
        BadUsage: The fabric has no such cable.
    """
    end = fault.link.a if fault.link else fault.end
    if end is None:
        return None
    link = fabric.link_at.get(end)
    wrong = link is None or (fault.link or link.key) != link.key or (fault.end or end) not in link.key
    if link is None or wrong:
        raise BadUsage(f"the fabric has no cable {fault.link or fault.end}", "take one of fabric.cables(…)")
    return link


def free_links(fabric: Fabric, tier: Role | None, taken: set[str]) -> list[SimLink]:
    """Return the cables of a tier, or of both, that no other fault uses and that lead to no host in use."""
    tiers = (tier,) if tier else (Role.HCA, Role.SPINE)
    return [link for one in tiers for link in fabric.cables(one) if not occupied(fabric, link) & taken]


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


def choose_hca(fabric: Fabric, fault: Fault, taken: set[str], rng: Random, *, least: int = 1) -> SimNode:
    """Find or draw the HCA of a fault; arguments, result and errors as for ``choose_link``.

    One that is drawn is in a host with at least ``least`` HCAs, where there is such a host.
    """
    if fault.end is not None:
        node = fabric.node.get(fault.end.node_guid)
        if node is None or node.role is not Role.HCA:
            raise BadUsage(f"{fault.end} is no port of an HCA", "take one of fabric.ports_of an HCA")
        return node
    if fault.host is None and any(len(hcas) >= least for hcas in fabric.hosts.values()):
        taken = taken | {host for host, hcas in fabric.hosts.items() if len(hcas) < least}
    return rng.choice(fabric.hosts[choose_host(fabric, fault, taken, rng)])


def choose_switch(fabric: Fabric, fault: Fault, taken: set[str], rng: Random) -> str:
    """Find or draw the switch of a fault; arguments, result and errors as for ``choose_link``."""
    if fault.switch is not None:
        if fault.switch not in {switch.guid for switch in fabric.switches}:
            raise BadUsage(f"the fabric has no switch {fault.switch}", "take one of fabric.switches")
        return fault.switch
    every = [switch.guid for switch in fabric.switches]
    return rng.choice([guid for guid in every if guid not in taken] or every)


def occupied(fabric: Fabric, link: SimLink) -> set[str]:
    """Return what a cable occupies: itself, and the host it leads to."""
    hosts = {fabric.node[end.node_guid].host for end in link.key} - {""}
    return hosts | {str(link.key)}
