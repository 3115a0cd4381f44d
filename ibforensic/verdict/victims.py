"""Whose victims are they? Marks are followed upstream, waiting is followed to what it feeds."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ibforensic.diff.facts import Facts
from ibforensic.model.enums import VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence, Victim


@dataclass(frozen=True)
class Sufferers:
    """All ports that suffer, by how.

    Attributes:
        facts: What is true of the two samples.
        marked: Ports that receive packets marked bad → evidence.
        held: Ports that wait or drop → evidence.
    """

    facts: Facts
    marked: Mapping[PortKey, Evidence]
    held: Mapping[PortKey, Evidence]

    def without(self, ports: Iterable[PortKey]) -> Sufferers:
        """Leave out ports that somebody explains already."""
        explained = set(ports)
        marked, held = (
            {port: item for port, item in of.items() if port not in explained}
            for of in (self.marked, self.held)
        )
        return Sufferers(self.facts, marked, held)

    def after(self, receiver: PortKey) -> list[Victim]:
        """Ports that receive the packets damaged on the way to a receiver, however far they travel."""
        return [Victim(port, VictimBy.EBP, self.marked[port]) for port in self._reached(receiver.node_guid)]

    def any_after(self, guid: str) -> bool:
        """Whether a node feeds any port that receives packets marked bad."""
        return guid in self._marked_behind

    @cached_property
    def _marked_behind(self) -> Mapping[str, list[PortKey]]:
        """Node GUID → marked ports that it feeds."""
        return self._by_peer(self.marked)

    @cached_property
    def _held_before(self) -> Mapping[str, list[PortKey]]:
        """Node GUID → ports that wait or drop and that feed it."""
        return self._by_peer(self.held)

    def _by_peer(self, ports: Iterable[PortKey]) -> Mapping[str, list[PortKey]]:
        """Sort ports by the node at the other end of their link."""
        found: dict[str, list[PortKey]] = defaultdict(list)
        for port in ports:
            peer = self.facts.who.peers.get(port)
            if peer:
                found[peer.node_guid].append(port)
        return dict(found)

    def from_node(self, guid: str) -> list[Victim]:
        """Ports that receive the packets a node makes bad itself, however far they travel."""
        return [Victim(port, VictimBy.EBP, self.marked[port]) for port in self._reached(guid)]

    def _reached(self, guid: str) -> list[PortKey]:
        """Marked ports that are fed by a node, directly or through other nodes with marked ports."""
        found: dict[PortKey, None] = {}
        queue, seen = deque([guid]), {guid}
        while queue:
            for port in self._marked_behind.get(queue.popleft(), ()):
                found.setdefault(port)
                if port.node_guid not in seen:
                    seen.add(port.node_guid)
                    queue.append(port.node_guid)
        return list(found)

    def before(self, link: LinkKey | None, senders: Iterable[PortKey]) -> list[Victim]:
        """Ports that wait because what they feed cannot get its packets through a bad link.

        Args:
            link: The bad link; its ends are no victims. None where there is none.
            senders: Its sending ends.
        """
        found: dict[PortKey, None] = {port: None for port in senders if port in self.held}
        queue = deque(port.node_guid for port in senders)
        seen = set(queue)
        while queue:
            for port in self._held_before.get(queue.popleft(), ()):
                if port not in (link or ()):
                    found.setdefault(port)
                    if port.node_guid not in seen:
                        seen.add(port.node_guid)
                        queue.append(port.node_guid)
        return [Victim(port, VictimBy.WAIT, self.held[port]) for port in found]


def sufferers(facts: Facts, evidence: Iterable[Evidence]) -> Sufferers:
    """Sort out the evidence about victims."""
    marked: dict[PortKey, Evidence] = {}
    held: dict[PortKey, Evidence] = {}
    for item in evidence:
        if item.where and item.victim is VictimBy.EBP:
            marked[item.where] = item
        elif item.where and item.victim is VictimBy.WAIT:
            held.setdefault(item.where, item)
    return Sufferers(facts, marked, held)
