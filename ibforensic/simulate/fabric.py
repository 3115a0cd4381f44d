"""What the simulated fabric is made of: nodes, links, and where each cable is plugged in.

A fabric never changes; what happens to it is in ``state.Sample``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.simulate.chips import SWITCHES, Chip

FRONT_PORTS = 64
"""Ports on the front of a Quantum-2 switch: 32 cages of two."""
AGGREGATION_PORT = 65
"""Port inside a Quantum-2 box that leads to the SHARP aggregation node."""
TIERS = {Role.AGGREGATION: 0, Role.HCA: 0, Role.LEAF: 1, Role.SPINE: 2, Role.CORE: 3}
"""Role → how far up the tree it stands."""


@dataclass(frozen=True, slots=True)
class SimNode:
    """A node.

    Attributes:
        guid: Node GUID, normalised.
        system_guid: System image GUID; a switch and its aggregation node share it.
        role: leaf, spine, core, hca or aggregation.
        name: Node description.
        host: Host the HCA is in; empty for other nodes.
        bus: PCI bus of the HCA, decimal; 0 for other nodes.
        managed: Whether the switch has a management board (it then has a name of its own).
        shown_ports: Front ports that the tools list: those in use and some or all unused ones.
        chip: Generation of the device.
        serial: Serial number of the box or card; empty where nobody asks for it.
        asic: Number of the ASIC in the box, from 1.
        planes: Planes of each aggregated port; 0 where there are none. Each ASIC of a switch is a node of
            its own and has one plane of every port; an HCA has all planes of its one port.
        split: Whether every port of the switch is split in two, for links on two lanes.
    """

    guid: str
    system_guid: str
    role: Role
    name: str
    host: str = ""
    bus: int = 0
    managed: bool = True
    shown_ports: tuple[int, ...] = ()
    chip: Chip = SWITCHES["NDR"]
    serial: str = ""
    asic: int = 1
    planes: int = 0
    split: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether the node forwards packets."""
        return self.role in (Role.LEAF, Role.SPINE, Role.CORE)

    @property
    def front_ports(self) -> int:
        """Ports on the front of a switch, or those of an HCA."""
        if self.role is Role.HCA:
            return self.planes or 1
        return self.chip.ports * (2 if self.split else 1)

    @property
    def inner_port(self) -> int | None:
        """Port of a switch that leads to the aggregation node within, whether or not there is one."""
        return self.front_ports + 1 if self.is_switch and self.chip.sharp else None


@dataclass(frozen=True, slots=True)
class SimLink:
    """A cable, or the internal link to an aggregation node.

    Attributes:
        key: The two ports.
        fec: Forward error correction at full speed, on the scale of ibdiagnet (255 = does not apply).
        round_trip: LinkRoundTripLatency as ibdiagnet prints it.
        width: ``4x``, ``2x`` or ``1x``: what it runs at when it is well.
        speed: ``EDR`` to ``XDR``: what it runs at when it is well.
    """

    key: LinkKey
    fec: int
    round_trip: int
    width: str = "4x"
    speed: str = "NDR"


@dataclass(frozen=True)
class Fabric:
    """A fabric: its nodes and links.

    Attributes:
        nodes: All nodes, in the order of the tools' rows.
        links: All links, likewise.
        routing: ``static`` or ``adaptive`` where traffic is that of jobs along routes; empty where each port
            has a rate of its own.
    """

    nodes: tuple[SimNode, ...]
    links: tuple[SimLink, ...]
    routing: str = ""

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
        """Leaves, spines and cores."""
        return tuple(node for node in self.nodes if node.is_switch)

    @cached_property
    def has_planes(self) -> bool:
        """Whether ports are aggregated from several planes."""
        return any(node.planes for node in self.nodes)

    def peer(self, port: PortKey) -> PortKey:
        """Return the port at the other end of the link."""
        key = self.link_at[port].key
        return key.b if port == key.a else key.a

    def peer_role(self, port: PortKey) -> Role:
        """Return the role of the node at the other end of the link."""
        return self.node[self.peer(port).node_guid].role

    def leads_up(self, port: PortKey) -> bool:
        """Return whether the other end of the link stands further up in the tree."""
        return TIERS[self.peer_role(port)] > TIERS[self.node[port.node_guid].role]

    def plane(self, port: PortKey) -> tuple[int, int, int] | None:
        """Return aggregated port, plane and number of planes of a port; None on a fabric of one plane.

        Source: atlas §2.4 has the columns; that an HCA numbers its ports by plane is from memory.
        """
        node = self.node[port.node_guid]
        if not node.planes or node.role is Role.AGGREGATION:
            return None
        if node.role is Role.HCA:
            return 1, port.port_num, node.planes
        return (port.port_num, node.asic, node.planes) if port.port_num <= node.front_ports else None

    def cables(self, tier: Role) -> tuple[SimLink, ...]:
        """Return the links of a tier.

        Args:
            tier: ``Role.HCA`` for host to leaf, ``Role.SPINE`` for leaf to spine and spine to core.

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
        """Return what ibdiagnet prints: ``1/17/2``, ``1/9/2/1``, ``12``, ``12/2``, ``B24D0F0/0/0/1``.

        Source: the explanation that ibdiagnet prints (atlas §1): Quantum-2 has ASIC, cage and port, older
        switches the port alone; a split port has one number more.
        """
        node = self.node[port.node_guid]
        if node.role is Role.HCA:
            return f"B{node.bus}D0F0/0/0/{port.port_num}"
        if node.role is Role.AGGREGATION or port.port_num > node.front_ports:
            return str(port.port_num)
        whole, part = split_of(port.port_num) if node.split else (port.port_num, 0)
        tail = f"/{part}" if part else ""
        if not node.chip.caged:
            return f"{whole}{tail}"
        cage, half = cage_of(whole)
        return f"{node.asic}/{cage}/{half}{tail}"


def cage_of(port_num: int) -> tuple[int, int]:
    """Return cage and port within the cage of a switch's front port: 34 is (17, 2)."""
    return (port_num + 1) // 2, 2 - port_num % 2


def split_of(port_num: int) -> tuple[int, int]:
    """Return port and part of a split switch's front port: 4 is (2, 2)."""
    return (port_num + 1) // 2, 2 - port_num % 2


def make_link(one: PortKey, other: PortKey, fec: int, round_trip: int) -> SimLink:
    """Make a link, whichever end is given first."""
    return SimLink(link_key(one, other), fec, round_trip)
