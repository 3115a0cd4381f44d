"""Kinds of parts at the ends of links: how many links have each, and which of the bad ones.

A large fabric has a hundred thousand ports and a handful of kinds, so ports are counted as arrays of numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibforensic.diff.distinct import codes_of
from ibforensic.diff.facts import Facts
from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, link_key

Numbers = npt.NDArray[np.int64]


class Kind(NamedTuple):
    """A kind of part.

    Attributes:
        name: What it is called.
        among: What it is compared with.
    """

    name: str
    among: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What of a kind is bad.

    Attributes:
        links: Bad links with a part of the kind.
        nodes: GUIDs of the nodes at whose ports those parts sit.
    """

    links: set[LinkKey] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class KindsOfParts:
    """Kinds of parts in a fabric.

    Attributes:
        links: Kind → how many links have it.
        alike: What kinds are compared with → how many links have any of them.
        kinds_among: The same → how many kinds there are.
        hit: Kind → what of it is bad; kinds of which nothing is bad are left out.
        hit_among: What kinds are compared with → bad links that have any of them.
    """

    links: Mapping[Kind, int]
    alike: Mapping[str, int]
    kinds_among: Mapping[str, int]
    hit: Mapping[Kind, Hit]
    hit_among: Mapping[str, set[LinkKey]]


def kinds_of_parts(facts: Facts, bad: Collection[LinkKey]) -> KindsOfParts:
    """Count the kinds of parts at links.

    Args:
        facts: What is true of the two samples.
        bad: Bad links.

    Returns:
        Kinds of modules by part, firmware and date; kinds of HCAs by firmware.
    """
    numbers: dict[Kind, int] = {}
    columns = [*_modules(facts, numbers), _hcas(facts, numbers)]
    kinds = list(numbers)
    groups = {among: number for number, among in enumerate(dict.fromkeys(kind.among for kind in kinds))}
    group_of = np.array([groups[kind.among] for kind in kinds], dtype=np.int64)

    told = [np.flatnonzero(facts.who.linked & (column >= 0)) for column in columns]
    at = np.concatenate(told)
    which = np.concatenate([column[places] for column, places in zip(columns, told, strict=True)])
    link = _numbered_links(facts)
    links = _distinct(which, link[at], len(kinds))
    alike = _distinct(group_of[which], link[at], len(groups))

    hit: dict[Kind, Hit] = defaultdict(Hit)
    hit_among: dict[str, set[LinkKey]] = defaultdict(set)
    known = dict(_numbers_of(bad, facts, link))
    for place in np.flatnonzero(np.isin(link[at], list(known))).tolist():
        kind, key = kinds[which[place]], known[int(link[at[place]])]
        hit[kind].links.add(key)
        hit[kind].nodes.add(facts.pair.port_keys[at[place]].node_guid)
        hit_among[kind.among].add(key)
    return KindsOfParts(
        dict(zip(kinds, links.tolist(), strict=True)),
        dict(zip(groups, alike.tolist(), strict=True)),
        Counter(kind.among for kind, count in zip(kinds, links.tolist(), strict=True) if count),
        hit,
        hit_among,
    )


def _numbered_links(facts: Facts) -> Numbers:
    """Number of each port's link, the same for both of its ports."""
    peers = facts.who.peer_positions
    here = np.arange(len(peers))
    _, found = np.unique(np.minimum(here, peers) * len(peers) + np.maximum(here, peers), return_inverse=True)
    return found


def _numbers_of(links: Collection[LinkKey], facts: Facts, numbers: Numbers) -> Iterator[tuple[int, LinkKey]]:
    """Number of each of some links, with the link."""
    peers, positions = facts.who.peers, facts.pair.positions
    for link in links:
        for end in link:
            if end in positions and end in peers and link_key(end, peers[end]) == link:
                yield int(numbers[positions[end]]), link


def _distinct(codes: Numbers, links: Numbers, size: int) -> Numbers:
    """How many different links there are of each code."""
    most = int(links.max(initial=0)) + 1
    return np.bincount(np.unique(codes * most + links) // most, minlength=size)


def _modules(facts: Facts, numbers: dict[Kind, int]) -> tuple[Numbers, Numbers]:
    """Number of the kind of the module in each port, by firmware and by date as well; -1 for none."""
    told = facts.physical.modules
    fields = ("part_number", "fw_version", "vendor", "technology", "date_code")
    codes, rows = codes_of(*(told[name] for name in fields))
    pairs = [_kinds_of_module(*row) for row in rows]
    plain, dated = (
        np.array([_number(pair[at], numbers) for pair in pairs], dtype=np.int64)[codes] for at in (0, 1)
    )
    return plain, dated


def _kinds_of_module(
    part: str | None, firmware: str | None, vendor: str | None, technology: str | None, date: str | None
) -> tuple[Kind | None, Kind | None]:
    """Kinds of a module, without and with its date."""
    if not part:
        return None, None
    name = f"modules {vendor or ''} {part}" + (f" firmware {firmware}" if firmware else "")
    among = f"modules {technology}"
    return _kind(name, among), _kind(f"{name} made {date}", among) if date else None


def _hcas(facts: Facts, numbers: dict[Kind, int]) -> Numbers:
    """Number of the kind of the HCA that each port is of; -1 for other ports and where nobody tells."""
    nodes, roles, ports = facts.who.nodes, facts.who.roles, facts.pair.ports
    kinds = [
        _kind(f"HCAs {node.get('psid') or ''} firmware {node['fw_version']}", "HCAs")
        if roles.get(guid) is Role.HCA and node.get("fw_version")
        else None
        for guid, node in ((guid, nodes.get(guid, {})) for guid in ports.nodes)
    ]
    return np.array([_number(kind, numbers) for kind in kinds], dtype=np.int64)[ports.node_at]


def _kind(name: str, among: str) -> Kind:
    return Kind(" ".join(name.split()), among)


def _number(kind: Kind | None, numbers: dict[Kind, int]) -> int:
    """Number of a kind; -1 for none."""
    return -1 if kind is None else numbers.setdefault(kind, len(numbers))
