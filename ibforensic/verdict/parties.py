"""Who has a part in a suspect: near and far end, the receiver of damage, a port to swap with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ibforensic.diff.facts import Facts
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Suspect
from ibforensic.verdict.cages import marks
from ibforensic.verdict.wording import ends

Spare = Mapping[str, tuple[PortKey, ...]]
"""Node GUID → its ports that are up and that no suspect names."""


def spare_ports(suspects: Iterable[Suspect], facts: Facts) -> Spare:
    """Find the ports that parts may be swapped with, at the nodes of suspects: in use, accused of nothing.

    They are in other cages than the accused, for what is plugged into one cage cannot be swapped with itself.
    """
    suspects = tuple(suspects)
    accused = {
        port
        for suspect in suspects
        for port in (*(suspect.link or ()), *(item.where for item in suspect.evidence if item.where))
    }
    near = {port.node_guid for port in accused | {suspect.end for suspect in suspects if suspect.end}}
    found: dict[str, list[PortKey]] = defaultdict(list)
    taken = {mark for port in accused for mark in marks(port, facts)}
    for port in sorted(port for port in facts.pair.current.in_use if port.node_guid in near):
        if port not in accused | facts.who.inside and taken.isdisjoint(marks(port, facts)):
            found[port.node_guid].append(port)
    return {guid: tuple(ports) for guid, ports in found.items()}


@dataclass(frozen=True)
class Parties:
    """A suspect, and those it involves.

    Attributes:
        suspect: The suspect.
        facts: What is true of the two samples.
        spare: Ports that parts may be swapped with, by node.
    """

    suspect: Suspect
    facts: Facts
    spare: Spare

    @property
    def repair(self) -> str:
        """Which repair the suspect needs: the id of its next action, without its prefix."""
        return self.suspect.next_action.id.removeprefix("action.")

    @cached_property
    def near(self) -> PortKey | None:
        """The end to start at."""
        suspect = self.suspect
        if suspect.link is None:
            return suspect.end
        receiver = suspect.direction[1] if suspect.direction else None
        return ends(suspect.link, suspect.end or receiver, self.facts.who)[0]

    @cached_property
    def far(self) -> PortKey | None:
        """The other end; None without a link."""
        link = self.suspect.link
        if link is None or self.near is None:
            return None
        return link.b if self.near == link.a else link.a

    @property
    def ports(self) -> tuple[PortKey, ...]:
        """The ends that are known."""
        return tuple(port for port in (self.near, self.far) if port is not None)

    @property
    def node(self) -> str | None:
        """GUID of the device to look at: the suspect's own, else that of the near end.

        An aggregation node is a part of its switch, and that is what people look at.
        """
        guid = self.suspect.node_guid or (self.near.node_guid if self.near else None)
        return self.facts.who.switch_of(guid) if guid else None

    @property
    def receiver(self) -> PortKey | None:
        """Where damage arrives, where one direction stands out."""
        return self.suspect.direction[1] if self.suspect.direction else None

    @property
    def copper(self) -> bool:
        """Whether the cable is known to be copper: it has no transceivers of its own to swap."""
        positions, copper = self.facts.pair.positions, self.facts.physical.copper
        return any(bool(copper[positions[port]]) for port in self.ports if port in positions)

    @cached_property
    def at_switch(self) -> PortKey | None:
        """The end at a switch, the near one first; parts are moved and swapped there."""
        roles, no_switch = self.facts.who.roles, (Role.HCA, Role.AGGREGATION)
        return next((port for port in self.ports if roles.get(port.node_guid) not in no_switch), None)

    @cached_property
    def swap(self) -> PortKey | None:
        """The nearest port in another cage than the switch's end that is in use and accused of nothing."""
        here = self.at_switch
        if here is None or here in self.facts.who.inside:
            return None
        roles, peers = self.facts.who.roles, self.facts.who.peers
        kind = _faces(roles, peers.get(here))
        others = [
            port
            for port in self.spare.get(here.node_guid, ())
            if port != here and _faces(roles, peers.get(port)) == kind
        ]
        return min(others, key=lambda port: (abs(port.port_num - here.port_num), port.port_num), default=None)

    @cached_property
    def names(self) -> dict[str, str]:
        """Everybody by name, for a sentence."""
        who, node = self.facts.who, self.node
        host = who.host(node) if node else None
        swap = f"port {self.swap.port_num}" if self.swap else "a healthy port in another cage"
        other = f"port {self.swap.port_num}" if self.swap else "that port"
        return {
            "near": who.call(self.near) if self.near else "",
            "far": who.call(self.far) if self.far else "",
            "here": who.call(self.at_switch or self.near) if self.near else "",
            "swap": f"{swap} of {who.name(self.at_switch.node_guid)}" if self.at_switch else swap,
            "other": other,
            "near_device": self._device(self.near),
            "far_device": self._device(self.far),
            "twin": self._twin(swap),
            "counted": self._counted,
            "trouble": self._trouble,
            "node": who.name(node) if node else "",
            "host": host or (who.name(node) if node else ""),
        }

    def _device(self, port: PortKey | None) -> str:
        """The device of an end, with what it is."""
        if port is None:
            return ""
        guid = self.facts.who.switch_of(port.node_guid)
        what = "HCA" if self.facts.who.roles.get(guid) is Role.HCA else "switch"
        return f"the {what} {self.facts.who.name(guid)}"

    def _twin(self, swap: str) -> str:
        """What carries the same kind of module as the near end."""
        roles, who = self.facts.who.roles, self.facts.who
        if self.near and roles.get(self.near.node_guid) is Role.HCA:
            return "a healthy HCA of the same kind"
        at_near = self.swap and self.near and self.swap.node_guid == self.near.node_guid
        return (
            f"{swap} of {who.name(self.swap.node_guid)}"
            if self.swap and at_near
            else "a healthy port in another cage"
        )

    @property
    def _trouble(self) -> str:
        """What is seen: errors, or a link that goes down, or other signs."""
        rules = {item.rule for item in self.suspect.evidence}
        if rules & {"physical_errors", "bit_errors", "malformed_packets", "shared_part"}:
            return "the errors"
        return "the link downs" if "link_down" in rules else "the signs"

    @property
    def _counted(self) -> str:
        """Where the trouble is seen: at the receiver of damage, else at both ends."""
        who = self.facts.who
        if self.receiver:
            return f"at {who.call(self.receiver)}"
        if self.near and self.far:
            return f"at {who.call(self.near)} or {who.call(self.far)}"
        return f"at {who.call(self.near)}" if self.near else ""


def _faces(roles: Mapping[str, Role], peer: PortKey | None) -> bool:
    """Whether a port leads to an HCA; like is swapped with like."""
    return peer is not None and roles.get(peer.node_guid) is Role.HCA
