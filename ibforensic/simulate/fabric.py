"""What the simulated fabric is made of: nodes, links, and where each cable is plugged in.

A fabric never changes; what happens to it is in ``state.Sample``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey, link_key

FRONT_PORTS = 64
"""Ports on the front of a Quantum-2 switch: 32 cages of two."""
AGGREGATION_PORT = 65
"""Port inside the box that leads to the SHARP aggregation node."""


@dataclass(frozen=True, slots=True)
class SimNode:
    """A node.

    Attributes:
        guid: Node GUID, normalised.
        system_guid: System image GUID; a switch and its aggregation node share it.
        role: leaf, spine, hca or aggregation.
        name: Node description.
        host: Host the HCA is in; empty for other nodes.
        bus: PCI bus of the HCA, decimal; 0 for other nodes.
        managed: Whether the switch has a management board (it then has a name of its own).
        shown_ports: Front ports that the tools list: those in use and some or all unused ones.
    """

    guid: str
    system_guid: str
    role: Role
    name: str
    host: str = ""
    bus: int = 0
    managed: bool = True
    shown_ports: tuple[int, ...] = ()

    @property
    def is_switch(self) -> bool:
        """Whether the node forwards packets."""
        return self.role in (Role.LEAF, Role.SPINE)


@dataclass(frozen=True, slots=True)
class SimLink:
    """A cable, or the internal link to an aggregation node.

    Attributes:
        key: The two ports.
        fec: Forward error correction at NDR, on the scale of ibdiagnet (4 or 14; 255 = does not apply).
        round_trip: LinkRoundTripLatency as ibdiagnet prints it.
    """

    key: LinkKey
    fec: int
    round_trip: int


@dataclass(frozen=True)
class Fabric:
    """A fabric: its nodes and links.

    Attributes:
        nodes: All nodes, switches first.
        links: All links.
    """

    nodes: tuple[SimNode, ...]
    links: tuple[SimLink, ...]

    @cached_property
    def node(self) -> dict[str, SimNode]:
        """Nodes by GUID."""
        return {node.guid: node for node in self.nodes}

    @cached_property
    def link_at(self) -> dict[PortKey, SimLink]:
        """Link by each of its ports."""
        return {port: link for link in self.links for port in link.key}

    @cached_property
    def ports_of(self) -> dict[str, tuple[PortKey, ...]]:
        """Ports in use of each node, in order."""
        found: dict[str, list[PortKey]] = {node.guid: [] for node in self.nodes}
        for port in sorted(self.link_at):
            found[port.node_guid].append(port)
        return {guid: tuple(ports) for guid, ports in found.items()}

    @cached_property
    def hosts(self) -> dict[str, tuple[SimNode, ...]]:
        """HCAs by host."""
        found: dict[str, list[SimNode]] = {}
        for node in self.nodes:
            if node.host:
                found.setdefault(node.host, []).append(node)
        return {host: tuple(hcas) for host, hcas in found.items()}

    @cached_property
    def switches(self) -> tuple[SimNode, ...]:
        """Leaves and spines."""
        return tuple(node for node in self.nodes if node.is_switch)

    def peer(self, port: PortKey) -> PortKey:
        """Return the port at the other end of the link."""
        key = self.link_at[port].key
        return key.b if port == key.a else key.a

    def peer_role(self, port: PortKey) -> Role:
        """Return the role of the node at the other end of the link."""
        return self.node[self.peer(port).node_guid].role

    def cables(self, tier: Role) -> tuple[SimLink, ...]:
        """Return the links of a tier.

        Args:
            tier: ``Role.HCA`` for host to leaf, ``Role.SPINE`` for leaf to spine.

        Returns:
            Links in the order they were built.
        """
        found = []
        for link in self.links:
            roles = {self.node[end.node_guid].role for end in link.key}
            if tier in roles and Role.AGGREGATION not in roles:
                found.append(link)
        return tuple(found)

    def label(self, port: PortKey) -> str:
        """Return what ibdiagnet prints for the port: ``1/17/2``, ``B24D0F0/0/0/1``, ``65`` or ``1``."""
        node = self.node[port.node_guid]
        if node.role is Role.HCA:
            return f"B{node.bus}D0F0/0/0/1"
        if node.role is Role.AGGREGATION or port.port_num == AGGREGATION_PORT:
            return str(port.port_num)
        cage, half = cage_of(port.port_num)
        return f"1/{cage}/{half}"


def cage_of(port_num: int) -> tuple[int, int]:
    """Return cage and port within the cage of a switch's front port: 34 is (17, 2)."""
    return (port_num + 1) // 2, 2 - port_num % 2


def make_link(one: PortKey, other: PortKey, fec: int, round_trip: int) -> SimLink:
    """Make a link, whichever end is given first."""
    return SimLink(link_key(one, other), fec, round_trip)
