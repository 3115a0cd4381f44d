"""Parts that several bad links have in common: one switch chip, or one kind of module or HCA.

Under independence k bad links of the n that share a part have a binomial probability; where that is far too
small for chance, what they share is the suspect and the links are its victims (KNOWLEDGE §3.4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scipy.special import bdtrc

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy
from ibforensic.evidence.base import strength
from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.model.records import Evidence, Message, say
from ibforensic.verdict.cases import Case

SWITCH_LEAST = 3
BATCH_LEAST = 4
BATCH_NODES = 3
CHANCE = 1e-3
"""Probability, corrected for the number of places looked at, below which it is no chance."""
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


def _links(facts: Facts) -> dict[str, set[LinkKey]]:
    """Node GUID → its links."""
    found: dict[str, set[LinkKey]] = defaultdict(set)
    for port, peer in facts.who.peers.items():
        found[port.node_guid].add(link_key(port, peer))
    return found


def _switches(bad: Sequence[Case], facts: Facts, policy: Policy) -> Iterator[Group]:
    """Switches at which too many links are bad, in one direction, for chance."""
    links = _links(facts)
    roles = facts.who.roles
    places: dict[tuple[str, bool], list[Case]] = defaultdict(list)
    for case in bad:
        for end in case.link or ():
            arrives = case.damage(end, policy) > 0
            if roles.get(end.node_guid) in _SWITCHES and arrives:
                places[end.node_guid, True].append(case)
            elif roles.get(end.node_guid) in _SWITCHES:
                places[end.node_guid, False].append(case)
    total = len({link for own in links.values() for link in own})
    order = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    for (guid, arrives), members in order:
        n = len(links[guid])
        others = (len(bad) - len(members) + 0.5) / max(total - n, 1)
        chance = float(bdtrc(len(members) - 1, n, min(others, 1.0))) * len(places)
        if len(members) >= SWITCH_LEAST and chance < CHANCE:
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

    Modules are compared with modules and HCAs with HCAs: where all HCAs are of one kind, it says nothing.
    """
    kinds = _kinds(facts)
    of_kind: dict[str, set[LinkKey]] = defaultdict(set)
    of_sort: dict[str, set[LinkKey]] = defaultdict(set)
    for port, names in kinds.items():
        link = link_key(port, facts.who.peers[port])
        for name in names:
            of_kind[name].add(link)
            of_sort[_sort(name)].add(link)
    places: dict[str, dict[LinkKey, Case]] = defaultdict(dict)
    worse: dict[str, set[LinkKey]] = defaultdict(set)
    for case in bad:
        for end in case.link or ():
            for name in kinds.get(end, ()):
                if case.link is not None:
                    places[name][case.link] = case
                    worse[_sort(name)].add(case.link)
    order = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    for name, members in order:
        n, total = len(of_kind[name]), len(of_sort[_sort(name)])
        nodes = {end.node_guid for link in members for end in link if name in kinds.get(end, ())}
        # Of all bad links, so many would have to be of this kind by chance, which has this share of all.
        chance = float(bdtrc(len(members) - 1, len(worse[_sort(name)]), n / total)) * len(of_kind)
        if len(members) < BATCH_LEAST or len(nodes) < BATCH_NODES or chance >= CHANCE or n > total / 2:
            continue
        message = say(
            "shared.batch",
            "{bad} of the {n} links with {kind} are bad, hardly any of the others: look at what they share",
            bad=len(members),
            n=n,
            kind=name,
            chance=chance,
        )
        yield _group(_evidence(message, chance, policy, None), None, list(members.values()), policy)


def _sort(kind: str) -> str:
    """What a kind is a kind of: modules or HCAs."""
    return kind.partition(" ")[0]


def _kinds(facts: Facts) -> Mapping[PortKey, tuple[str, ...]]:
    """Port → the kinds that what sits there belongs to: module part and firmware, HCA firmware."""
    found: dict[PortKey, tuple[str, ...]] = {}
    nodes, roles = facts.who.nodes, facts.who.roles
    for port, module in zip(facts.pair.port_keys, facts.physical.module, strict=True):
        names = []
        if module["part_number"]:
            firmware = f" firmware {module['fw_version']}" if module["fw_version"] else ""
            names.append(f"modules {module['vendor'] or ''} {module['part_number']}{firmware}")
        node = nodes.get(port.node_guid, {})
        if roles.get(port.node_guid) is Role.HCA and node.get("fw_version"):
            names.append(f"HCAs {node.get('psid') or ''} firmware {node['fw_version']}")
        if port in facts.who.peers:
            found[port] = tuple(" ".join(name.split()) for name in names)
    return found
