"""Evidence that the policy says not to accuse with: known faults, and nodes that are left out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.diff.who import Who
from ibforensic.evidence import Policy
from ibforensic.model.document import Names
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey, guid
from ibforensic.model.ignoring import Ignore, Ignored, Purpose, Standing
from ibforensic.model.records import Evidence, PortRef
from ibforensic.verdict.cases import CONTEXT


class Split(NamedTuple):
    """Evidence in two parts.

    Attributes:
        kept: What may accuse.
        excused: What may not.
        ignored: Every entry of the policy, with what was found at the places it covers.
    """

    kept: tuple[Evidence, ...]
    excused: tuple[Evidence, ...]
    ignored: tuple[Ignored, ...]


@dataclass(frozen=True, slots=True)
class _Cover:
    """An entry and the nodes it covers."""

    entry: Ignore | Purpose
    standing: Standing
    nodes: frozenset[str]


def split(evidence: Sequence[Evidence], facts: Facts, policy: Policy, today: date | None) -> Split:
    """Take out the evidence that the policy says to ignore.

    An entry covers links: what is seen at the other end of one belongs to it. What accuses nobody
    anyway, victims and what only explains, stays.

    Args:
        evidence: What was found.
        facts: What is true of the two samples.
        policy: The policy.
        today: Day by which entries expire; None takes the day of the current sample.

    Returns:
        What may accuse, what may not, and all entries with what was found for them. An entry that has
        expired lists what accuses again. Where several entries cover a finding it is the first one's,
        those that are in force before those that are not.
    """
    as_of = today or _day(facts)
    covers = list(_covers(facts.who, policy, as_of))
    if not covers:
        return Split(tuple(evidence), (), ())
    covers = [_outgrown(cover, evidence, facts) for cover in covers]
    order = sorted(covers, key=lambda cover: cover.standing is not Standing.IN_FORCE)
    found: dict[int, list[Evidence]] = defaultdict(list)
    kept: list[Evidence] = []
    excused: list[Evidence] = []
    for item in evidence:
        cover = next((one for one in order if _accuses(item) and _covered(one, item, facts)), None)
        if cover is not None:
            found[id(cover)].append(item)
        (excused if cover is not None and cover.standing is Standing.IN_FORCE else kept).append(item)
    ignored = (
        Ignored(cover.entry, cover.standing, as_of, len(cover.nodes), tuple(found[id(cover)]))
        for cover in covers
    )
    return Split(tuple(kept), tuple(excused), tuple(ignored))


def _accuses(item: Evidence) -> bool:
    return item.victim is None and item.group != CONTEXT


def _outgrown(cover: _Cover, evidence: Sequence[Evidence], facts: Facts) -> _Cover:
    """An entry that says how much it excuses, and of which more was found: it excuses nothing any more."""
    entry = cover.entry
    if cover.standing is not Standing.IN_FORCE or not isinstance(entry, Ignore):
        return cover
    hours = facts.pair.gap_s / 3600 if facts.pair.gap_s else None
    for item in evidence if entry.up_to is not None or entry.up_to_per_hour is not None else ():
        if _accuses(item) and _covered(cover, item, facts) and _beyond(entry, item, hours):
            return replace(cover, standing=Standing.OUTGROWN)
    return cover


def _beyond(entry: Ignore, item: Evidence, hours: float | None) -> bool:
    """Whether a finding is more than an entry excuses; where the time is not known, any rate may be."""
    size = _growth(item)
    if size is None:
        return False
    if entry.up_to is not None and size > entry.up_to:
        return True
    return entry.up_to_per_hour is not None and (hours is None or size / hours > entry.up_to_per_hour)


def _growth(item: Evidence) -> float | None:
    """By how much the counter of a finding grew, as its sentence says; None where it is about no count."""
    told = [item.message.params[name] for name in ("delta", "count") if name in item.message.params]
    return float(told[0]) if told and isinstance(told[0], int | float) else None


def _day(facts: Facts) -> date | None:
    """The day on which the current sample was taken."""
    window = facts.pair.current.sample.info.window
    when = window.ended_at or window.began_at
    return when.date() if when else None


def _covers(who: Who, policy: Policy, as_of: date | None) -> Iterator[_Cover]:
    for entry in policy.ignored:
        nodes = frozenset(node for node in _all_nodes(who) if _is_called(entry.node, node, who))
        yield _Cover(entry, _standing(entry, as_of), nodes)
    members = purposes(who, policy)
    for purpose in policy.purposes:
        if purpose.left_out:
            nodes = frozenset(node for node, its in members.items() if its is purpose)
            yield _Cover(purpose, Standing.IN_FORCE, nodes)


def _standing(entry: Ignore, as_of: date | None) -> Standing:
    if as_of is None:
        return Standing.UNDATED
    return Standing.EXPIRED if as_of > entry.until else Standing.IN_FORCE


def _all_nodes(who: Who) -> set[str]:
    return {*who.nodes, *(port.node_guid for port in who.pair.port_keys)}


def _is_called(name: str, node: str, who: Who) -> bool:
    """Whether a node has a name, as its own or that of the box it sits in, or as its GUID."""
    own, told = who.plain_name(node), who.nodes.get(node, {}).get("node_desc")
    box = who.host(node) if who.roles.get(node) is Role.HCA else own.partition("/")[0]
    return node == guid(name) or name in (own, who.name(node), told, box)


def _covered(cover: _Cover, item: Evidence, facts: Facts) -> bool:
    """Whether an entry covers a finding: a place of its link, or the node it is about."""
    entry = cover.entry
    if isinstance(entry, Ignore) and entry.rule and entry.rule != item.rule:
        return False
    port = entry.port if isinstance(entry, Ignore) else None
    if port is None and item.node_guid in cover.nodes:
        return True
    places = _places(item, facts)
    return any(place.node_guid in cover.nodes and _is_port(port, place, facts.who) for place in places)


def _places(item: Evidence, facts: Facts) -> set[PortKey]:
    """Where a finding was seen, and the other end of that link."""
    if item.where is None:
        return set()
    return {item.where, *(link_of(item.where, facts.who) or ())}


def _is_port(wanted: int | str | None, port: PortKey, who: Who) -> bool:
    if wanted is None or wanted == port.port_num:
        return True
    return isinstance(wanted, str) and wanted == who.ref(port).label


def purposes(who: Who, policy: Policy) -> Mapping[str, Purpose]:
    """Return what nodes are there for: node GUID → purpose, the first of the policy that fits."""
    found: dict[str, Purpose] = {}
    for purpose in policy.purposes:
        by_name, by_leaf = (re.compile(pattern) for pattern in (purpose.nodes, purpose.leaves))
        nodes = [node for node in _all_nodes(who) if purpose.nodes and by_name.search(who.plain_name(node))]
        if purpose.leaves:
            nodes += _behind(by_leaf, who)
        for node in nodes:
            found.setdefault(node, purpose)
    return found


def _behind(leaf: re.Pattern[str], who: Who) -> Iterator[str]:
    """Yield the HCAs at leaves of such a name."""
    for port, peer in who.peers.items():
        if who.roles.get(port.node_guid) is Role.HCA and leaf.search(who.plain_name(peer.node_guid)):
            yield port.node_guid


def names(who: Who, policy: Policy) -> Names:
    """Return how ports are called, with what their nodes are there for."""
    members = purposes(who, policy)
    plain: Callable[[PortKey], PortRef] = who.ref
    if not members:
        return plain

    def named(key: PortKey) -> PortRef:
        purpose = members.get(key.node_guid)
        return replace(plain(key), purpose=purpose.name if purpose else "")

    return named
