"""Evidence brought together by what it accuses: a link, a node, or a port of which nobody tells the link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.evidence import Policy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence

CONTEXT = "context"
WATCH = "watch"
COUNTERS = "counters"
PHY = "phy"
LIGHT = "light"
_DIRECTED = (COUNTERS, PHY, LIGHT)


_HOPELESS = 1e3
"""Times the error limit after FEC from which on a link is bad, whatever else is known of it."""


@dataclass(frozen=True, slots=True)
class Case:
    """What speaks against one link, node or port.

    Attributes:
        link: The link, or None.
        node_guid: The node, or None.
        evidence: What was found, strongest first.
        port: The port, where nobody tells which link it belongs to; node_guid is its node then.
    """

    link: LinkKey | None
    node_guid: str | None
    evidence: tuple[Evidence, ...]
    port: PortKey | None = None

    @property
    def place(self) -> tuple[str, ...]:
        """Text by which cases of equal support are ordered, so that the order never depends on chance."""
        ends = self.link or ((self.port,) if self.port else ())
        return tuple(f"{end.node_guid}/{end.port_num:05d}" for end in ends) or (self.node_guid or "",)

    def support(self, policy: Policy) -> float:
        """Support in nats: each group of evidence adds up to a cap, counters and light by direction."""
        ends = {item.towards for item in self.evidence if item.group in _DIRECTED}
        rest = sum(item.weight for item in self.evidence if item.group not in _DIRECTED)
        return rest + sum(self.damage(end, policy) + self._light(end, policy) for end in ends)

    def damage(self, end: PortKey | None, policy: Policy) -> float:
        """Support for damage that arrives at an end: what counters show, and what the PHY shows.

        Counters that the PHY at the same port does not confirm count up to a lower cap; where it was not
        read, nothing could confirm them, and they count in full.
        """
        counted = [item for item in self.evidence if item.group == COUNTERS and item.towards == end]
        by_chance = bool(counted) and all(item.message.params.get("chance") for item in counted)
        bits = self._bits(end, policy, bool(counted), by_chance)
        unconfirmed = not bits and any("phy" in item.available for item in counted)
        cap = policy.counters_cap_alone if unconfirmed else policy.counters_cap
        packets = min(sum(item.weight for item in counted), cap)
        repeated = packets if by_chance else 0.0
        return packets + min(max(bits - repeated, 0.0), policy.phy_cap)

    def _bits(self, end: PortKey | None, policy: Policy, counted: bool, by_chance: bool) -> float:
        """Support of bit errors; those that FEC or retransmission repaired say little by themselves.

        Ratios after FEC tell of the same few events as counters: where these may have counted by chance,
        their ratios may too, and say nothing further.
        """
        found = [item for item in self.evidence if item.group == PHY and item.towards == end]
        total = sum(item.weight for item in found)
        told = {item.message.id for item in found}
        before_fec = "bit_errors.raw" in told
        if by_chance:
            raw = sum(item.weight for item in found if item.message.id == "bit_errors.raw")
            return raw + min(total - raw, policy.effective_cap_alone)
        if counted or "bit_errors.symbol" in told or any(map(_hopeless, found)):
            return total
        return min(total, policy.raw_cap_alone if before_fec else policy.effective_cap_alone)

    def _light(self, end: PortKey | None, policy: Policy) -> float:
        """Support of missing light: little where no errors go with it."""
        cap = policy.light_cap if self.damage(end, policy) > 0 else policy.light_cap_alone
        return min(self._sum(LIGHT, end), cap)

    def _sum(self, group: str, end: PortKey | None) -> float:
        return sum(item.weight for item in self.evidence if item.group == group and item.towards == end)

    @property
    def damages(self) -> bool:
        """Whether errors speak for it: counters or bit errors."""
        return self.has("physical_errors") or self.has("bit_errors")

    def has(self, rule: str) -> bool:
        """Whether a rule contributed anything of weight."""
        return any(item.rule == rule and item.weight > 0 for item in self.evidence)

    def says(self, message: str) -> bool:
        """Whether an item with a message id is among the evidence."""
        return any(item.message.id == message for item in self.evidence)


def _hopeless(item: Evidence) -> bool:
    """Whether so much is left after FEC that retransmission cannot make up for it: decades over the limit."""
    limit = item.message.params.get("limit")
    known = item.message.id == "bit_errors.effective" and isinstance(limit, float) and item.after is not None
    return bool(known and limit and item.after and item.after >= _HOPELESS * limit)


def collect(facts: Facts, evidence: Iterable[Evidence]) -> list[Case]:
    """Make cases from evidence; what is about victims and context stays out.

    Evidence about a link that leads to a node that is gone belongs to that node.
    """
    links: dict[LinkKey, list[Evidence]] = defaultdict(list)
    nodes: dict[str, list[Evidence]] = defaultdict(list)
    ports: dict[PortKey, list[Evidence]] = defaultdict(list)
    accused_nodes = {item.node_guid for item in evidence if item.rule == "node_lost" and item.node_guid}
    gone = {
        guid: host
        for host in accused_nodes
        for guid in _box(facts, host)
        if guid in facts.topology.missing_nodes
    }
    for item in evidence:
        if item.victim is not None or item.group in (CONTEXT, WATCH):
            continue
        link = link_of(item.where, facts.who) if item.where else None
        missing = next((gone[end.node_guid] for end in link or () if end.node_guid in gone), None)
        if item.node_guid or missing:
            nodes[item.node_guid or missing or ""].append(item)
        elif link:
            links[link].append(item)
        elif item.where:
            ports[item.where].append(item)
    found = [Case(link, None, _ordered(items)) for link, items in links.items()]
    found += [Case(None, guid, _ordered(items)) for guid, items in nodes.items()]
    return found + [Case(None, port.node_guid, _ordered(items), port) for port, items in ports.items()]


def _box(facts: Facts, guid: str) -> frozenset[str]:
    """The nodes that go with a node: all HCAs of its host."""
    host = facts.who.host(guid)
    return facts.who.boxes.get(host, frozenset({guid})) if host else frozenset({guid})


def _ordered(items: list[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(items, key=lambda item: -item.weight))
