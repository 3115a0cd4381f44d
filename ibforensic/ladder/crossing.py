"""Which suspects lie on the way of a run: surely, or only perhaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.places import ports_of_host
from ibforensic.ladder.runs import BenchRun
from ibforensic.ladder.ways import Way
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, say
from ibforensic.model.records import Suspect

__all__ = ["Crossing", "call_suspect", "crossings", "words"]

_MOST_PAIRS = 200
"""Leaves of a job that are looked at pair by pair; of a larger job only neighbours in the order of ranks."""


class Crossing(NamedTuple):
    """A suspect on the way of a run.

    Attributes:
        suspect: The suspect.
        certain: Whether the run cannot avoid it.
    """

    suspect: Suspect
    certain: bool


def crossings(run: BenchRun, grounds: Grounds) -> list[Crossing]:
    """Find the suspects on the way of a run.

    Args:
        run: A run of several hosts.
        grounds: Knows suspects and ways.

    Returns:
        By rank. Empty where it is not known which ports took part.
    """
    if grounds.fabric is None or not grounds.fabric.suspects:
        return []
    members = [ports_of_host(member, grounds.after.places) for member in run.members]
    used = {port for ports in members for port in ports}
    if not used:
        return []
    ways = list(_ways(list(used), grounds))
    found = []
    for suspect in grounds.fabric.suspects:
        certain = _ends(suspect, used, grounds) or any(_on(suspect, way, True) for way in ways)
        if certain or any(_on(suspect, way, False) for way in ways):
            found.append(Crossing(suspect, certain))
    return found


def words(found: Sequence[Crossing], grounds: Grounds) -> tuple[Message, ...]:
    """Say which suspects lie on the way."""
    texts = {
        True: "its way leads over suspect {rank}: {who}",
        False: "its way may lead over suspect {rank}: {who}; no routes were collected that would tell",
    }
    return tuple(
        say(
            "ladder.crosses" if each.certain else "ladder.may_cross",
            texts[each.certain],
            rank=each.suspect.rank,
            who=call_suspect(each.suspect, grounds),
        )
        for each in found
    )


def call_suspect(suspect: Suspect, grounds: Grounds) -> str:
    """Name a suspect by its port, its link, its host or its node."""
    if suspect.link is not None:
        one, other = suspect.link
        if suspect.end == other:
            one, other = other, one
        return f"{grounds.call(one)} ↔ {grounds.call(other)}"
    if suspect.end is not None:
        return grounds.call(suspect.end)
    return suspect.host or (grounds.name(suspect.node_guid) if suspect.node_guid else "")


def _ends(suspect: Suspect, used: set[PortKey], grounds: Grounds) -> bool:
    """Whether the suspect is a port, link or device of the hosts themselves."""
    ports = [*(suspect.link or ()), *([suspect.end] if suspect.end else ())]
    if any(port in used for port in ports):
        return True
    hosts = grounds.fabric.hosts if grounds.fabric else {}
    return any(
        port.node_guid == suspect.node_guid
        or (suspect.host is not None and hosts.get(port.node_guid) == suspect.host)
        for port in used
    )


def _on(suspect: Suspect, way: Way, certain: bool) -> bool:
    links = way.certain if certain else way.possible
    if suspect.link is not None:
        return suspect.link in links
    return any(suspect.node_guid in (link.a.node_guid, link.b.node_guid) for link in links)


def _ways(ports: list[PortKey], grounds: Grounds) -> Iterator[Way]:
    """Yield the ways between the leaves of a job, one port for each leaf."""
    peers = grounds.ways.peers
    by_leaf: dict[str, PortKey] = {}
    for port in sorted(ports):
        if port in peers:
            by_leaf.setdefault(peers[port].node_guid, port)
    chosen = list(by_leaf.values())
    pairs = list(combinations(chosen, 2))
    if len(pairs) > _MOST_PAIRS:
        pairs = list(pairwise(chosen))
    for one, other in pairs:
        way = grounds.ways.between(one, other)
        if way is not None:
            yield way
