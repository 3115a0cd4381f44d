"""Ways through the fabric: which links two ports certainly use, and which they may use.

Where forwarding tables were collected they decide, a set of ports under adaptive routing being a choice.
Elsewhere every shortest way counts as possible, and a link that all of them share as certain.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey, link_key

__all__ = ["Way", "Ways"]

_MOST_HOPS = 16
_NOTHING: frozenset[LinkKey] = frozenset()
_ENDS = (Role.HCA, Role.GPU)


@dataclass(frozen=True, slots=True)
class Way:
    """Links between two ports.

    Attributes:
        certain: Links that are used whatever is chosen.
        possible: All links that may be used, the certain ones included.
    """

    certain: frozenset[LinkKey]
    possible: frozenset[LinkKey]


@dataclass(frozen=True)
class Ways:
    """The fabric as a net of links.

    Attributes:
        peers: Port → port at the other end.
        lids: Port of an HCA → its LID.
        out: Switch → its ports that lead to switches.
        routes: Switch → (first LID, last LID, ports it may send by).
    """

    peers: Mapping[PortKey, PortKey]
    lids: Mapping[PortKey, int]
    out: Mapping[str, Sequence[PortKey]]
    routes: Mapping[str, Sequence[tuple[int, int, tuple[int, ...]]]]
    _distances: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)
    _between: dict[tuple[str, str], Way] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        peers: Mapping[PortKey, PortKey],
        roles: Mapping[str, Role],
        lids: Mapping[PortKey, int],
        routes: pa.Table | None = None,
    ) -> Ways:
        """Put together what is known.

        Args:
            peers: Port → port at the other end.
            roles: Node → role; HCAs pass nothing on.
            lids: Port of an HCA → LID.
            routes: Canonical table; None where it was not collected.
        """
        out: dict[str, list[PortKey]] = defaultdict(list)
        for port, peer in sorted(peers.items()):
            if roles.get(port.node_guid) not in _ENDS and roles.get(peer.node_guid) not in _ENDS:
                out[port.node_guid].append(port)
        return cls(peers, lids, out, _routes(routes))

    def between(self, one: PortKey, other: PortKey) -> Way | None:
        """Return the links between two ports of HCAs; None where a port leads nowhere known.

        Args:
            one: Port that sends.
            other: Port that receives.
        """
        first, last = self.peers.get(one), self.peers.get(other)
        if first is None or last is None:
            return None
        ends = frozenset((link_key(one, first), link_key(other, last)))
        if last == one:
            return Way(ends, ends)
        routed = self._routed(first.node_guid, last, self.lids.get(other))
        way = routed or self._shortest(first.node_guid, last.node_guid)
        return Way(ends | way.certain, ends | way.possible) if way else None

    def _routed(self, switch: str, last: PortKey, lid: int | None) -> Way | None:
        """Follow the forwarding tables; None where they do not lead there."""
        if lid is None or switch not in self.routes:
            return None
        ways: list[frozenset[LinkKey]] = []
        open_: list[tuple[str, frozenset[LinkKey]]] = [(switch, _NOTHING)]
        while open_:
            here, links = open_.pop()
            if here == last.node_guid:
                ways.append(links)
                continue
            ports = next((ports for low, high, ports in self.routes.get(here, ()) if low <= lid <= high), ())
            for number in ports:
                port = PortKey(here, number)
                peer = self.peers.get(port)
                if peer is not None and len(links) < _MOST_HOPS:
                    open_.append((peer.node_guid, links | {link_key(port, peer)}))
        return _together(ways)

    def _shortest(self, one: str, other: str) -> Way | None:
        """Return the links of all shortest ways between two switches."""
        if one == other:
            return Way(_NOTHING, _NOTHING)
        if (one, other) not in self._between:
            left = self._distance(other)
            if one not in left:
                return None
            steps: dict[int, set[LinkKey]] = defaultdict(set)
            front = {one}
            while front and other not in front:
                onward: set[str] = set()
                for here in front:
                    for port in self.out.get(here, ()):
                        peer = self.peers[port]
                        if left.get(peer.node_guid, _MOST_HOPS) == left[here] - 1:
                            steps[left[here]].add(link_key(port, peer))
                            onward.add(peer.node_guid)
                front = onward
            certain = frozenset(next(iter(links)) for links in steps.values() if len(links) == 1)
            self._between[one, other] = Way(certain, frozenset().union(*steps.values()))
        return self._between[one, other]

    def _distance(self, target: str) -> dict[str, int]:
        """Switch → number of links to a switch."""
        if target not in self._distances:
            found, waiting = {target: 0}, deque([target])
            while waiting:
                here = waiting.popleft()
                for port in self.out.get(here, ()):
                    near = self.peers[port].node_guid
                    if near not in found:
                        found[near] = found[here] + 1
                        waiting.append(near)
            self._distances[target] = found
        return self._distances[target]


def _together(ways: Iterable[frozenset[LinkKey]]) -> Way | None:
    """Tell what several ways have in common, and what they are made of."""
    told = list(ways)
    return Way(frozenset.intersection(*told), frozenset().union(*told)) if told else None


def _routes(table: pa.Table | None) -> dict[str, list[tuple[int, int, tuple[int, ...]]]]:
    """Read the forwarding tables; a set of ports comes before the one that stands for it."""
    found: dict[str, list[tuple[int, int, tuple[int, ...]]]] = defaultdict(list)
    if table is None:
        return found
    columns = ("switch_guid", "lid_from", "lid_to", "out_port", "out_ports", "kind")
    told = (table[name].to_pylist() for name in columns)
    for switch, low, high, port, ports, kind in zip(*told, strict=True):
        if kind == "multicast" or switch is None or low is None:
            continue
        choice = _numbers(ports) or ((port,) if port else ())
        found[switch].append((low, low if high is None else high, choice))
    for ranges in found.values():
        ranges.sort(key=lambda each: (-len(each[2]), each[0]))
    return found


def _numbers(text: str | None) -> tuple[int, ...]:
    """Read a JSON list of ports; one that was tampered with is empty."""
    try:
        told = json.loads(text) if text else []
    except ValueError:
        return ()
    return tuple(port for port in told if isinstance(port, int)) if isinstance(told, list) else ()
