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
        """Support in nats: counters of each direction up to their cap, everything else as it is."""
        counters: dict[PortKey | None, float] = defaultdict(float)
        rest = 0.0
        for item in self.evidence:
            if item.group == COUNTERS:
                counters[item.towards] += item.weight
            else:
                rest += item.weight
        return rest + sum(min(total, policy.counters_cap) for total in counters.values())

    def towards(self, end: PortKey) -> float:
        """Support for damage that arrives at an end."""
        return sum(item.weight for item in self.evidence if item.group == COUNTERS and item.towards == end)

    def has(self, rule: str) -> bool:
        """Whether a rule contributed anything of weight."""
        return any(item.rule == rule and item.weight > 0 for item in self.evidence)

    def says(self, message: str) -> bool:
        """Whether an item with a message id is among the evidence."""
        return any(item.message.id == message for item in self.evidence)


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
