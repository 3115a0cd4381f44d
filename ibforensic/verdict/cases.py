"""Evidence brought together by what it accuses: a link, a node, or a port of which nobody tells the link."""

from __future__ import annotations

import math
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
RAW = "bit_errors.raw"
EFFECTIVE = "bit_errors.effective"
SYMBOL = "bit_errors.symbol"
RECOVERIES = "link_error_recovery_counter"
_TRAINED = math.log(2)
"""Support of errors up to which they are no more than twice the usual, and what training leaves with it."""
_DIRECTED = (COUNTERS, PHY, LIGHT)


_HOPELESS = 1e3
"""Times the error limit from which on errors that FEC left are too many for retransmission, and those that
retransmission left are too many to be a burst, whatever the counters say."""

_RUINED = 10.0
"""Times the error limit from which on errors that retransmission left are no burst where packets are lost."""


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
        """Support in nats: each group of evidence adds up to a cap, counters and light by direction.

        Where there are early signs and nothing else, they are worth a look and name nobody.
        """
        ends = {item.towards for item in self.evidence if item.group in _DIRECTED}
        rest = sum(item.weight for item in self.evidence if item.group not in _DIRECTED)
        total = rest + sum(self.damage(end, policy) + self._light(end, policy) for end in ends)
        weighty = [item for item in self.evidence if item.weight > 0]
        if weighty and all(self._early(item) for item in weighty):
            return min(total, policy.early_cap)
        return total

    def _early(self, item: Evidence) -> bool:
        """Whether something by itself is no more than an early sign, or what chance and habit leave.

        Raw errors within the normal level are such a sign; so is what FEC left below the limit, and what it
        left beyond the limit where neither raw errors nor the counters of the port go with it: that is a
        burst which is over.
        """
        if item.group == COUNTERS:
            return not _news(item)
        if item.group != PHY:
            return False
        if item.message.id == RAW:
            return _within_normal(item)
        if _over(item) < 1.0:
            return True
        return self._is_over(item.towards)

    def damage(self, end: PortKey | None, policy: Policy) -> float:
        """Support for damage that arrives at an end: what counters show, and what the PHY shows.

        Counters that the PHY at the same port does not confirm count up to a lower cap; where it was not
        read, nothing could confirm them, and they count in full.
        """
        counted = self._about(COUNTERS, end)
        by_chance = bool(counted) and not self._ruined(end)
        by_chance = by_chance and all(item.message.params.get("chance") for item in counted)
        bits = self._bits(end, policy, any(map(_news, counted)), by_chance)
        unconfirmed = not bits and any("phy" in item.available for item in counted)
        cap = policy.counters_cap_alone if unconfirmed else policy.counters_cap
        packets = min(sum(item.weight for item in counted), cap)
        repeated = packets if by_chance else 0.0
        return packets + min(max(bits - repeated, 0.0), policy.phy_cap)

    def _bits(self, end: PortKey | None, policy: Policy, counted: bool, by_chance: bool) -> float:
        """Support of bit errors; those that FEC or retransmission repaired say little by themselves.

        Ratios after FEC tell of the same few events as counters: where these may have counted by chance,
        their ratios may too, and say nothing further. Nor do they where the counters show nothing at all
        and raw errors are what they were.
        """
        found = self._about(PHY, end)
        if counted:
            return sum(item.weight for item in found)
        raw = sum(item.weight for item in found if item.message.id == RAW)
        left = sum(item.weight for item in found) - raw
        sick = any(item.message.id == RAW and not _within_normal(item) for item in found)
        harmful = sick or self._told(SYMBOL, end) or any(_hopeless(item, EFFECTIVE) for item in found)
        if by_chance or not harmful or self._is_over(end):
            left = min(left, policy.early_cap)
        return min(raw, policy.raw_cap_alone if sick else policy.early_cap) + left

    def _ruined(self, end: PortKey | None) -> bool:
        """Whether the PHY says what counters alone may have counted by chance: so many errors are no chance.

        Errors that FEC and retransmission left many times beyond the limit, and a counter of damage grew
        beyond the pace that it had.
        """
        grew = any(item.message.id == "physical_errors.grew" for item in self._about(COUNTERS, end))
        return grew and any(
            item.message.id == SYMBOL and _RUINED <= _over(item) < math.inf for item in self._about(PHY, end)
        )

    def _told(self, message: str, end: PortKey | None) -> bool:
        """Whether a ratio of bit errors was found at an end."""
        return any(item.message.id == message for item in self._about(PHY, end))

    def _is_over(self, end: PortKey | None) -> bool:
        """Whether errors after FEC were a burst: what could go with them does not, and they are not too many.

        A link that is bad all the time has more raw errors as well, or damages what its counters count.
        """
        phy, counters = self._about(PHY, end), self._about(COUNTERS, end)
        damaged = any(map(_news, counters)) or self._ruined(end)
        if damaged or self._told(RAW, end) or any(_hopeless(item, SYMBOL) for item in phy):
            return False
        counted = any(COUNTERS in item.available for item in phy)
        # What even retransmission left is harm: that it was none, the counters of the port alone can tell.
        return counted or (not self._told(SYMBOL, end) and any(item.available for item in phy))

    def _light(self, end: PortKey | None, policy: Policy) -> float:
        """Support of missing light: little where no errors go with it."""
        cap = policy.light_cap if self.damage(end, policy) > 0 else policy.light_cap_alone
        return min(sum(item.weight for item in self._about(LIGHT, end)), cap)

    def _about(self, group: str, end: PortKey | None) -> list[Evidence]:
        """Evidence of a group about what arrives at an end."""
        return [item for item in self.evidence if item.group == group and item.towards == end]

    @property
    def damages(self) -> bool:
        """Whether errors speak for it: counters or bit errors."""
        return self.has("physical_errors") or self.has("bit_errors")

    def harms(self, end: PortKey | None) -> bool:
        """Whether what arrives at an end is damaged more than chance, habit or its training leaves.

        Each time that a link recovers by itself some symbols are lost. Ratios after FEC tell of the errors
        that the counters count, and of no others where raw errors did not rise with them.
        """
        counted = [item for item in self._about(COUNTERS, end) if item.weight > 0]
        recovered = sum(_grew(item) for item in counted if item.counter == RECOVERIES)
        errors = [item for item in counted if item.counter != RECOVERIES]
        damage = sum(item.weight for item in errors if _news(item) and _grew(item) > recovered)
        if damage > _TRAINED or self._ruined(end):
            return True
        told = [item for item in self._about(PHY, end) if item.rule == "bit_errors" and item.weight > 0]
        bits = [item for item in told if not self._early(item)]
        return bool(bits) and (not errors or self._told(RAW, end))

    @property
    def harmed(self) -> bool:
        """Whether damage arrives at any end that is more than chance, habit or training."""
        return any(self.harms(end) for end in {item.towards for item in self.evidence})

    @property
    def recovers(self) -> bool:
        """Whether the link lost its footing and recovered more often than by chance or by habit."""
        return any(item.counter == RECOVERIES and item.weight > 0 and _news(item) for item in self.evidence)

    def has(self, rule: str) -> bool:
        """Whether a rule contributed anything of weight."""
        return any(item.rule == rule and item.weight > 0 for item in self.evidence)

    def says(self, message: str) -> bool:
        """Whether an item with a message id is among the evidence."""
        return any(item.message.id == message for item in self.evidence)


def _news(item: Evidence) -> bool:
    """Whether a counter grew more than by chance or by habit."""
    return not item.message.params.get("chance") and item.message.id != "physical_errors.chronic"


def _grew(item: Evidence) -> float:
    """By how much a counter grew."""
    delta = item.message.params.get("delta")
    return float(delta) if isinstance(delta, int | float) else 0.0


def _over(item: Evidence) -> float:
    """A bit error ratio as a multiple of its error limit; infinite where no limit is known."""
    return _times(item, "limit") or math.inf


def _within_normal(item: Evidence) -> bool:
    """Whether a ratio is one that healthy links may have."""
    times = _times(item, "normal")
    return times is not None and times < 1.0


def _times(item: Evidence, level: str) -> float | None:
    """A reading as a multiple of a level that its sentence names; None where either is not known."""
    limit = item.message.params.get(level)
    if not isinstance(limit, float) or not limit or not isinstance(item.after, float):
        return None
    return item.after / limit


def _hopeless(item: Evidence, ratio: str) -> bool:
    """Whether a ratio is so far beyond its limit that nothing makes up for it."""
    return item.message.id == ratio and _HOPELESS <= _over(item) < math.inf


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
