"""Routes: which ports a packet passes on its way from one HCA port to another.

Up from the leaf of the sender to the first switch that stands above the leaf of the receiver, then down.
Static routes depend on the destination alone, as those of a subnet manager do: each switch has one port
for each LID, drawn from the ways it has by a hash of the LID. Adaptive routing spreads a flow evenly over
all ways up and down. Planes never meet: a packet stays on the plane of the port it left by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import TIERS, Fabric

Flow = tuple[PortKey, PortKey]
"""Sending and receiving port, both of HCAs."""
_HASH_BITS = 32


@dataclass(frozen=True)
class Routing:
    """The routes of a fabric.

    Attributes:
        fabric: The fabric.
        lids: LID by node GUID.
        adaptive: Whether switches spread packets over all ways.
    """

    fabric: Fabric
    lids: Mapping[str, int]
    adaptive: bool = False
    _known: dict[tuple[str, PortKey], tuple[PortKey, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def _ups(self) -> dict[str, tuple[PortKey, ...]]:
        """Ports of each switch that lead up."""
        return {
            node.guid: tuple(
                port
                for port in self.fabric.ports_of[node.guid]
                if self.fabric.peer_role(port) is not Role.AGGREGATION and self.fabric.leads_up(port)
            )
            for node in self.fabric.switches
        }

    @cached_property
    def _downs(self) -> dict[str, dict[str, tuple[PortKey, ...]]]:
        """For each switch: leaf below it → ports that lead there."""
        found: dict[str, dict[str, list[PortKey]]] = {}
        for node in sorted(self.fabric.switches, key=lambda node: TIERS[node.role]):
            ways: dict[str, list[PortKey]] = defaultdict(list)
            for port in self.fabric.ports_of[node.guid]:
                below = self.fabric.node[self.fabric.peer(port).node_guid]
                if TIERS[below.role] < TIERS[node.role]:
                    leaves = [below.guid] if below.role is Role.LEAF else found.get(below.guid, ())
                    for leaf in leaves:
                        ways[leaf].append(port)
            found[node.guid] = ways
        return {guid: {leaf: tuple(ports) for leaf, ports in ways.items()} for guid, ways in found.items()}

    def ways(self, switch: str, leaf: str) -> tuple[PortKey, ...]:
        """Return the ports by which a switch can reach a leaf: those that lead down where there are any."""
        return self._downs[switch].get(leaf) or self._ups[switch]

    def path(self, sender: PortKey, receiver: PortKey) -> tuple[PortKey, ...]:
        """Return the ports that a packet passes.

        Args:
            sender: Port of an HCA.
            receiver: Port of another HCA on the same plane.

        Returns:
            The sender, then for each switch the port it came in and the port it went out by, then the
            receiver. With adaptive routing it is one of several ways.

        Raises:
            ValueError: No way leads from one to the other.
        """
        entry = self.fabric.peer(sender)
        return (sender, *self._rest(entry, receiver), receiver)

    def _rest(self, entry: PortKey, receiver: PortKey) -> tuple[PortKey, ...]:
        """Return the ports from the one a packet came into a leaf by to the last switch port."""
        last = self.fabric.peer(receiver)
        if entry.node_guid == last.node_guid:
            return entry, last
        start = entry.node_guid, receiver
        known = self._known.get(start)
        if known is None:
            switch, hops = entry.node_guid, []
            while switch != last.node_guid:
                exit_ = self._choice(switch, last.node_guid, receiver)
                hops += [exit_, self.fabric.peer(exit_)]
                switch = hops[-1].node_guid
            known = self._known[start] = (*hops, last)
        return entry, *known

    def _choice(self, switch: str, leaf: str, receiver: PortKey) -> PortKey:
        """Return the port of a switch for a destination."""
        ways = self.ways(switch, leaf)
        if not ways:
            raise ValueError(f"{switch} has no way to {receiver}")
        return ways[self.pick(switch, receiver, len(ways))]

    def pick(self, switch: str, receiver: PortKey, count: int) -> int:
        """Return which of so many ways out of a switch a static route to a receiver takes."""
        tier = TIERS[self.fabric.node[switch].role]
        return _mixed(self.lids[receiver.node_guid] * 8 + tier) * count >> _HASH_BITS

    def sent(self, flows: Mapping[Flow, int]) -> dict[PortKey, int]:
        """Let flows run along their routes.

        Args:
            flows: How much each sender sends to each receiver, in any unit.

        Returns:
            How much each port sends; what it receives is what its peer sends.
        """
        total = dict.fromkeys(self.fabric.link_at, 0)
        if self.adaptive:
            self._spread(flows, total)
            return total
        for (sender, receiver), amount in flows.items():
            total[sender] += amount
            for port in self._rest(self.fabric.peer(sender), receiver)[1::2]:
                total[port] += amount
        return total

    def _spread(self, flows: Mapping[Flow, int], total: dict[PortKey, int]) -> None:
        """Let flows spread evenly over all ways, tier by tier, up and then down."""
        bound: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for (sender, receiver), amount in flows.items():
            total[sender] += amount
            last = self.fabric.peer(receiver)
            total[last] += amount
            first = self.fabric.peer(sender).node_guid
            if first != last.node_guid:
                bound[first][last.node_guid] += amount
        order = sorted(self.fabric.switches, key=lambda node: TIERS[node.role])
        turned: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for node in order:
            for leaf, amount in bound.pop(node.guid, {}).items():
                if leaf in self._downs[node.guid]:
                    turned[node.guid][leaf] += amount
                else:
                    self._share(node.guid, leaf, amount, total, bound)
        for node in reversed(order):
            for leaf, amount in turned.pop(node.guid, {}).items():
                if leaf != node.guid:
                    self._share(node.guid, leaf, amount, total, turned)

    def _share(
        self,
        switch: str,
        leaf: str,
        amount: int,
        total: dict[PortKey, int],
        onward: dict[str, dict[str, int]],
    ) -> None:
        """Share what a switch has for a leaf out among its ways, down to the last unit."""
        ways = self.ways(switch, leaf)
        each, left = divmod(amount, len(ways))
        for number, port in enumerate(ways):
            part = each + (number < left)
            total[port] += part
            onward[self.fabric.peer(port).node_guid][leaf] += part


def _mixed(number: int) -> int:
    """Hash a small number to 32 bits (the last steps of MurmurHash3, by A. Appleby, public domain).

    Neighbouring numbers must have nothing in common, or the choice of a leaf would leave a spine half of its
    ways.
    """
    for factor in (0x85EBCA6B, 0xC2B2AE35):
        number = (number ^ number >> 15) * factor & 0xFFFF_FFFF
    return number ^ number >> 16
