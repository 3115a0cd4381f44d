"""ibdiagnet2.lst: the links of the fabric with both ends' nodes, one line a link.

Reads a line for each link: two ends in braces, then width, state and speed of a lane.

Written by: ibdiagnet 2.x always; seen: 2.10.0, one line a link. Older versions print each link twice, once
from either end.

Sample::

    { CA Ports:01 SystemGUID:0abc00000000a000 NodeGUID:0abc00000000a000 PortGUID:0abc00000000a000 VenID:… \
DevID:1021 Rev:00000000 {calc-1 mlx5_0} LID:000a PN:01 } { SW Ports:41 … } PHY=4x LOG=ACT SPD=100

Tables: links, nodes, runs. End a of a link is the one with the smaller key.

Odd input: all numbers of an end are hexadecimal without ``0x`` (``Ports:41`` is 65); the node description
stands in braces of its own and may hold braces; a link from both ends is one row, the first; a link that is
different seen from its other end is told. A last line without a line end is left out.

Source: atlas §6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ibforensic.model.devices import device_name
from ibforensic.model.enums import NodeType, PortState
from ibforensic.model.ids import LinkKey, PortKey, guid, link_key
from ibforensic.parsers.advice import LOOK, OTHER_VERSION
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.port_words import SPEEDS, STATES, WIDTHS, Words
from ibforensic.parsers.readings import hexadecimal
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.siblings import claims, open_sibling
from ibforensic.parsers.text_heads import readable_name

__all__ = ["SPEC", "parse"]

_END = re.compile(
    r"\{[ \t]*(\w+)[ \t]+Ports:(\w+)[ \t]+SystemGUID:(\w+)[ \t]+NodeGUID:(\w+)[ \t]+PortGUID:(\w+)"
    r"[ \t]+VenID:(\w+)[ \t]+DevID:(\w+)[ \t]+Rev:(\w+)[ \t]+\{(.*?)\}"
    r"[ \t]+LID:(\w+)[ \t]+PN:(\w+)[ \t]*\}[ \t]*",
    re.ASCII,
)
_FACT = re.compile(r"(\w+)=(\S+)", re.ASCII)
_TYPES = {"CA": NodeType.CA, "SW": NodeType.SWITCH, "RT": NodeType.ROUTER, "Rt": NodeType.ROUTER}
_FACTS: Words = {
    "PHY": ("width_active", WIDTHS),
    "SPD": ("speed_active", SPEEDS),
    "LOG": ("state", {**STATES, "DWN": PortState.DOWN}),
}
"""Printed name → column of ``links`` and the words it may hold."""
_NONE = ("N/A", "NA")
_MOST_PORTS = 1 << 15
_MOST_OF_FACTS = 500

SPEC = Spec(
    name="lst",
    title="ibdiagnet link list (ibdiagnet2.lst)",
    tool="ibdiagnet",
    order=24,
    claims=claims((".lst",), rb"^\{[ \t]*\w+[ \t]+Ports:[0-9a-fA-F]+[ \t]+SystemGUID:"),
    tables=("links", "nodes", "runs"),
    versions="2.10.0",
    repeats=("NODES", "LINKS"),
)


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a link: its port, and what the line tells about the node."""

    key: PortKey
    node: dict[str, Any]


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .lst.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row of ``links`` for each link, one of ``nodes`` for each node at an end, and the run.
    """
    sibling = open_sibling(path, data, SPEC.name)
    links: dict[LinkKey, dict[str, Any]] = {}
    nodes: dict[str, dict[str, Any]] = {}
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith("#") or not text.strip():
            continue
        one, at = _end(text, 0)
        other, at = _end(text, at)
        if one is None or other is None:
            sibling.troubles.add("bad_line", line, "the line is no link between two ports", LOOK)
            continue
        facts = _facts(text[at:], line, sibling.troubles)
        before = links.setdefault(link_key(one.key, other.key), {**facts, "line": line})
        if any(before[name] != value for name, value in facts.items()):
            message = f"the link is not the same as on line {before['line']}, which counts"
            sibling.troubles.add("two_answers", line, message, "collect again: the link changed meanwhile")
        for end in (one, other):
            nodes.setdefault(end.key.node_guid, {**end.node, "line": line})
    rows = [_ends(key) | facts for key, facts in links.items()]
    return sibling.parsed(
        {
            "links": table_of("links", rows, path, SPEC.name),
            "nodes": table_of("nodes", list(nodes.values()), path, SPEC.name),
        }
    )


def _ends(link: LinkKey) -> dict[str, Any]:
    """Return the columns that tell the two ends of a link."""
    (node_a, port_a), (node_b, port_b) = link
    return {"node_guid_a": node_a, "port_num_a": port_a, "node_guid_b": node_b, "port_num_b": port_b}


def _end(text: str, at: int) -> tuple[_End | None, int]:
    """Read an end that begins at a place in the line; also where the next begins."""
    match = _END.match(text, at)
    if not match:
        return None, at
    kind, ports, system, node, port, vendor, device, revision, description, lid, number = match.groups()
    node_guid, port_num = guid(node), hexadecimal(number)
    if node_guid is None or port_num is None or port_num >= _MOST_PORTS:
        return None, at
    device_id = hexadecimal(device, 32)
    row = {
        "node_guid": node_guid,
        "node_type": _TYPES.get(kind),
        "node_desc": description,
        "node_name": readable_name(description),
        "system_guid": guid(system),
        "port_guid": guid(port),
        "device_id": device_id,
        "vendor_id": hexadecimal(vendor, 32),
        "generation": device_name(device_id),
        "num_ports": hexadecimal(ports, 32),
        "lid": hexadecimal(lid, 32),
        "x_Rev": revision,
    }
    return _End(PortKey(node_guid, port_num), row), match.end()


def _facts(text: str, line: int, troubles: Gathering) -> dict[str, Any]:
    """Read width, state and speed behind the two ends."""
    words = dict(_FACT.findall(text[:_MOST_OF_FACTS]))
    facts: dict[str, Any] = {}
    for name, (column, known) in _FACTS.items():
        word = words.get(name)
        facts[column] = known.get(word or "")
        if facts[column] is None and word is not None and word not in _NONE:
            message = f"{name}={word[:40]} is not known; it counts as not known"
            troubles.add(f"unknown_{column}", line, message, OTHER_VERSION)
    return facts
