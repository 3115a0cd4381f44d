"""Parts that several bad links have in common: one switch chip, or one kind of module or HCA.

Under independence k bad links of the n that share a part have a binomial probability; where that is far too
small for chance, what they share is the suspect and the links are its victims (KNOWLEDGE §3.4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy
from ibforensic.evidence.base import strength
from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, link_key
from ibforensic.model.records import Evidence, Message, say
from ibforensic.verdict.cases import Case
from ibforensic.verdict.kinds import Kind, kinds_of_parts

SWITCH_LEAST = 3
BATCH_LEAST = 3
BATCH_NODES = 3
CHANCE = 1e-3
"""Probability, corrected for the number of places looked at, below which it is no chance."""
BATCH_CHANCE = 5e-3
"""The same for kinds of parts: the number of links of a kind is known, so that little else explains it."""
MEETING = 0.05
"""Probability that so many of the bad links meet at one switch of its kind, below which it is no chance."""
_SWITCHES = (Role.LEAF, Role.SPINE, Role.CORE, Role.SWITCH)


@dataclass(frozen=True, slots=True)
class Group:
    """Links that share a part, and the case against that part.

    Attributes:
        case: The case.
        members: Cases it takes the place of.
    """

    case: Case
    members: tuple[Case, ...]


def find(cases: Sequence[Case], facts: Facts, policy: Policy) -> Iterator[Group]:
    """Find parts that explain several bad links better than the links do.

    Args:
        cases: Cases against links and nodes.
        facts: What is true of the two samples.
        policy: Limits and weights.

    Yields:
        Groups; no link is in two of them.
    """
    bad = [
        case
        for case in cases
        if case.link is not None and case.damages and case.support(policy) >= policy.threshold
    ]
    if len(bad) < SWITCH_LEAST:
        return
    taken: set[LinkKey] = set()
    for group in (*_switches(bad, facts, policy), *_batches(bad, facts, policy)):
        links = {case.link for case in group.members if case.link}
        if not links & taken:
            taken |= links
            yield group


def _links(facts: Facts, guids: Collection[str]) -> dict[str, set[LinkKey]]:
    """Node GUID → its links, for some nodes."""
    found: dict[str, set[LinkKey]] = defaultdict(set)
    for port, peer in facts.who.peers.items():
        if port.node_guid in guids:
            found[port.node_guid].add(link_key(port, peer))
    return found


def _number_of_links(facts: Facts) -> int:
    """How many links there are; most are told by both of their ports."""
    peers = facts.who.peers
    return sum(port <= peer or peers.get(peer) != port for port, peer in peers.items())


def _switches(bad: Sequence[Case], facts: Facts, policy: Policy) -> Iterator[Group]:
    """Switches at which too many links are bad, in one direction, for chance.

    Bad links are rare, so three at one switch are no chance. But where half of the cables between switches
    lead to one spine, three bad ones often meet there: given that they are bad, that must be unlikely too.
    """
    from scipy.special import bdtrc  # takes a while to load, and few fabrics have so many bad links

    roles = facts.who.roles
    places: dict[tuple[str, bool], list[Case]] = defaultdict(list)
    for case in bad:
        for end in case.link or ():
            arrives = case.damage(end, policy) > 0
            if roles.get(end.node_guid) in _SWITCHES and arrives:
                places[end.node_guid, True].append(case)
            elif roles.get(end.node_guid) in _SWITCHES:
                places[end.node_guid, False].append(case)
    links, total = _links(facts, {guid for guid, _ in places}), _number_of_links(facts)
    order = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    for (guid, arrives), members in order:
        n = len(links[guid])
        others = (len(bad) - len(members) + 0.5) / max(total - n, 1)
        chance = float(bdtrc(len(members) - 1, n, min(others, 1.0))) * len(places)
        if len(members) < SWITCH_LEAST or chance >= CHANCE:
            continue
        alike = {other for other, role in roles.items() if role is roles[guid]}
        tier = {link for own in _links(facts, alike).values() for link in own}
        all_bad = sum(case.link in tier for case in bad)
        if _by_chance(len(members), n, all_bad, len(tier)) < MEETING:
            yield _group(
                _about_switch(guid, arrives, n, members, chance, facts, policy), guid, members, policy
            )


def _about_switch(
    guid: str, arrives: bool, n: int, members: Sequence[Case], chance: float, facts: Facts, policy: Policy
) -> Evidence:
    message = say(
        "shared.switch",
        "{bad} of the {n} links of {node} are bad in the same direction ({way} it): too many for chance",
        bad=len(members),
        n=n,
        node=facts.who.name(guid),
        way="into" if arrives else "out of",
        chance=chance,
    )
    return _evidence(message, chance, policy, node_guid=guid)


def _evidence(message: Message, chance: float, policy: Policy, node_guid: str | None) -> Evidence:
    support = min(-math.log(max(chance, 1e-300)), policy.shared_cap)
    return Evidence(
        "shared_part",
        message,
        node_guid=node_guid,
        group="node",
        weight=support,
        strength=strength(support),
    )


def _group(about: Evidence, guid: str | None, members: Sequence[Case], policy: Policy) -> Group:
    """Make the case against a part: what its links have in common, and the worst that they show."""
    ordered = sorted(members, key=lambda case: (-case.support(policy), case.place))
    shown = tuple(replace(case.evidence[0], group="member", weight=0.5) for case in ordered)
    return Group(Case(None, guid, (about, *shown)), tuple(members))


def _batches(bad: Sequence[Case], facts: Facts, policy: Policy) -> Iterator[Group]:
    """Kinds of modules, and firmware of HCAs, of which too many are bad for chance.

    Like is compared with like: links with modules of a technology, links of HCAs. That all bad links are
    optical, or lead to hosts, is no sign of a batch; nor is it that they are of a kind that many links are
    of, for given so many bad links it would often happen.
    """
    parts = kinds_of_parts(facts, [case.link for case in bad if case.link])
    likely: list[tuple[float, Kind]] = []
    for kind, hit in parts.hit.items():
        n, total = parts.links[kind], parts.alike[kind.among]
        if len(hit.links) < BATCH_LEAST or len(hit.nodes) < BATCH_NODES or n > total / 2:
            continue
        bad_alike = len(parts.hit_among[kind.among])
        chance = _by_chance(len(hit.links), n, bad_alike, total) * parts.kinds_among[kind.among]
        if chance < BATCH_CHANCE:
            likely.append((chance, kind))
    cases = {case.link: case for case in bad}
    for chance, kind in sorted(likely, key=lambda one: (one[0], -len(parts.hit[one[1]].links), one[1])):
        members, n, total = sorted(parts.hit[kind].links), parts.links[kind], parts.alike[kind.among]
        message = say(
            "shared.batch",
            "{bad} of the {n} links with {kind} are bad, {others} of the {rest} with other such parts: "
            "too many for chance",
            bad=len(members),
            n=n,
            kind=kind.name,
            others=len(parts.hit_among[kind.among]) - len(members),
            rest=total - n,
            chance=chance,
        )
        yield _group(
            _evidence(message, chance, policy, None), None, [cases[link] for link in members], policy
        )


def _by_chance(k: int, n: int, bad: int, total: int) -> float:
    """Probability that k or more of the bad ones are among n of all (hypergeometric)."""
    ways = sum(math.comb(n, i) * math.comb(total - n, bad - i) for i in range(k, min(n, bad) + 1))
    return ways / math.comb(total, bad)
