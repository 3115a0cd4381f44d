"""Uplinks and down-links of leaves, with their rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey

__all__ = ["Leaf", "leaves_of"]

_SWITCHES = frozenset((Role.LEAF, Role.SPINE, Role.CORE, Role.SWITCH))
_HOSTS = frozenset((Role.HCA, Role.GPU))


@dataclass(slots=True)
class Leaf:
    """A switch that hosts hang on.

    Attributes:
        up: Port that leads to another switch → rate, Gb/s.
        down: Port that leads to an HCA → rate, Gb/s.
        hcas: GUIDs of these HCAs.
    """

    up: dict[PortKey, float] = field(default_factory=dict)
    down: dict[PortKey, float] = field(default_factory=dict)
    hcas: set[str] = field(default_factory=set)

    @property
    def up_gbps(self) -> float:
        """Sum of the rates of the uplinks."""
        return sum(self.up.values())

    @property
    def down_gbps(self) -> float:
        """Sum of the rates of the down-links."""
        return sum(self.down.values())

    @property
    def oversubscription(self) -> float | None:
        """Down-link Gb/s for each Gb/s upwards; None without uplinks."""
        return self.down_gbps / self.up_gbps if self.up_gbps else None


def leaves_of(
    peers: Mapping[PortKey, PortKey], rates: Mapping[PortKey, float], roles: Mapping[str, Role]
) -> dict[str, Leaf]:
    """Add up the links of each leaf.

    Args:
        peers: Port → port at the other end.
        rates: Port → rate; links that have none do not count.
        roles: Node → role; aggregation nodes are neither hosts nor switches.
    """
    found: dict[str, Leaf] = defaultdict(Leaf)
    leaves = {guid for guid, role in roles.items() if role is Role.LEAF}
    switches = {guid for guid, role in roles.items() if role in _SWITCHES}
    hosts = {guid for guid, role in roles.items() if role in _HOSTS}
    for port, peer in peers.items():
        rate = rates.get(port) if port.node_guid in leaves else None
        if rate is None:
            continue
        if peer.node_guid in switches:
            found[port.node_guid].up[port] = rate
        elif peer.node_guid in hosts:
            found[port.node_guid].down[port] = rate
            found[port.node_guid].hcas.add(peer.node_guid)
    return {guid: found[guid] for guid in sorted(found)}
