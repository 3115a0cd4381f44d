"""What a tool prints of an incident, by its documented rule, and where the culprit stands in it.

``ibqueryerrors`` and ``ibnetdiscover`` know their fabric only by asking it. Some hundred incidents are not
asked through a simulated subnet, which would take an hour: their text is made by the simulator, in the
layout of the real tools. The stories of the page are told by the real programs (``stories.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.evaluate.matching import Spot
from bench.evaluate.naive import RANKERS, ranking
from ibforensic.diff.facts import Facts
from ibforensic.model.ids import PortKey, guid
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.ibqueryerrors_text import text as ibqueryerrors_text
from ibforensic.simulate.write_ibnetdiscover import text as ibnetdiscover_text

SUGGESTED = {
    "SymbolErrorCounter": 10,
    "LinkErrorRecoveryCounter": 10,
    "LinkDownedCounter": 10,
    "PortRcvErrors": 10,
    "PortRcvRemotePhysicalErrors": 100,
    "PortRcvSwitchRelayErrors": 100,
    "PortXmitDiscards": 100,
    "PortXmitConstraintErrors": 100,
    "PortRcvConstraintErrors": 100,
    "LocalLinkIntegrityErrors": 10,
    "ExcessiveBufferOverrunErrors": 10,
    "VL15Dropped": 100,
    "PortXmitWait": 1000,
}
"""What the shipped threshold file suggests: all of its lines are comments, so that the default is 0."""
_NO_ERROR = "PortXmitWait"
"""Waiting is no error: who sorts by errors leaves it out."""
SUPPRESSED = {_NO_ERROR: math.inf, "PortRcvSwitchRelayErrors": math.inf}
"""What ``--suppress PortXmitWait`` and ``--suppress-common`` keep from being printed: all ports have it."""
_LINE = re.compile(r"^   GUID (0x[0-9a-f]+) port (\w+): (.*)$")
_ITEM = re.compile(r"\[(\w+) == (\d+)[^]]*\]")
_NODE = re.compile(r'^(?:Switch|Ca)\t\d+ "[SH]-([0-9a-f]{16})"', re.MULTILINE)
_PORT = re.compile(r'^\[(\d+)\](?:\([0-9a-f]+\))? ?\t"[SH]-([0-9a-f]{16})"\[(\d+)\]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool tells.

    Attributes:
        lines: Lines that it prints.
        spots: Ports among them, in the order in which somebody would look at them.
    """

    lines: int
    spots: tuple[Spot, ...]


Peer = Callable[[Pair, Facts], Told]
Thresholds = Mapping[str, float]
"""Counter → highest value that is not printed."""
Counted = tuple[PortKey, dict[str, int]]
"""A port and its counters above their thresholds."""


def queried(text: str, thresholds: Thresholds) -> tuple[list[str], list[Counted]]:
    """Take from the text of ibqueryerrors what it would print with other thresholds.

    Args:
        text: What it prints with its default, 0.
        thresholds: Those; 0 for counters that are not named.

    Returns:
        The lines that are left, and for each port its counters.
    """
    lines: list[str] = []
    ports: list[Counted] = []
    head = ""
    for line in text.splitlines():
        match = _LINE.match(line)
        if line.startswith("Errors for"):
            head = line
        elif match is None:
            lines += [line] if line.startswith("##") else []
        else:
            told = {name: int(value) for name, value in _ITEM.findall(match[3])}
            kept = {name: value for name, value in told.items() if value > thresholds.get(name, 0)}
            if kept:
                lines += [head, line] if head else [line]
                head = ""
                if match[2].isdigit():
                    ports.append((PortKey(guid(match[1]) or "", int(match[2])), kept))
    return lines, ports


def by_errors(ports: Iterable[Counted]) -> list[PortKey]:
    """Sort ports as somebody would by hand: most error counters first, then the largest sum of them."""

    def errors(one: Counted) -> tuple[int, int]:
        values = [value for name, value in one[1].items() if name != _NO_ERROR]
        return -len(values), -sum(values)

    return [port for port, _ in sorted(ports, key=errors)]


def topology_diff(before: str, after: str) -> tuple[list[str], list[PortKey]]:
    """Compare two texts of ibnetdiscover as its ``--diff`` does: nodes by GUID, ports by what they lead to.

    Returns:
        Lines with ``<`` for what is gone and ``>`` for what is new, each below the line of its node; and the
        ports among them.
    """
    then, now = _blocks(before), _blocks(after)
    lines: list[str] = []
    ports: list[PortKey] = []
    for node in dict.fromkeys((*then, *now)):
        old, new = (side.get(node, ("", {})) for side in (then, now))
        changed = [
            (sign, number, one[1][number])
            for sign, one, other in (("<", old, new), (">", new, old))
            for number in one[1]
            if one[1][number][0] != other[1].get(number, ("",))[0]
        ]
        alone = "<" if node not in now else ">" if node not in then else ""
        if alone:
            lines += [f"{alone} {line}" for line in (old[0] or new[0]).splitlines()]
        elif changed:
            lines += (new[0] or old[0]).splitlines()
        lines += [f"{sign} {line}" for sign, _, (_, line) in changed]
        ports += [PortKey(f"0x{node}", number) for _, number, _ in changed]
    return lines, list(dict.fromkeys(ports))


_Ports = dict[int, tuple[str, str]]
"""Port number → what it leads to, and its line."""


def _blocks(text: str) -> dict[str, tuple[str, _Ports]]:
    """Node → the lines of its head, and its ports."""
    found: dict[str, tuple[str, _Ports]] = {}
    for block in (part.strip("\n") for part in text.split("\n\n")):
        node = _NODE.search(block)
        if node:
            ports = {int(m[1]): (f"{m[2]}/{m[3]}", m[0]) for m in _PORT.finditer(block)}
            found[node[1]] = (block[: block.index("\n", node.start()) if ports else len(block)], ports)
    return found


def _query(thresholds: Thresholds) -> Peer:
    def told(pair: Pair, facts: Facts) -> Told:
        lines, ports = queried(ibqueryerrors_text(pair.current, {}), thresholds)
        return Told(len(lines), tuple(_spots(by_errors(ports), facts)))

    return told


def _sorted_growth(_: Pair, facts: Facts) -> Told:
    spots = tuple(ranking(facts, RANKERS["largest delta"]))
    return Told(len(spots), spots)


def _topology(pair: Pair, facts: Facts) -> Told:
    lines, ports = topology_diff(*(ibnetdiscover_text(sample) for sample in (pair.baseline, pair.current)))
    return Told(len(lines), tuple(_spots(ports, facts)))


def _spots(ports: Sequence[PortKey], facts: Facts) -> Iterator[Spot]:
    return (Spot(port, facts.who.peers.get(port)) for port in ports)


PEERS: Mapping[str, Peer] = {
    "ibqueryerrors": _query({}),
    "ibqueryerrors, narrowed": _query({**SUGGESTED, **SUPPRESSED}),
    "counters sorted by growth": _sorted_growth,
    "ibnetdiscover --diff": _topology,
}
"""Name → what it tells of an incident."""
