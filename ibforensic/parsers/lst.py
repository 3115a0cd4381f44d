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
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.devices import device_name
from ibforensic.model.enums import NodeType, PortState
from ibforensic.model.ids import LinkKey, PortKey, guid, link_key
from ibforensic.model.tables import TABLES
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import hexadecimal
from ibforensic.parsers.siblings import claims, open_sibling, with_run
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
_STATES = {
    "ACT": PortState.ACTIVE,
    "INI": PortState.INIT,
    "ARM": PortState.ARMED,
    "DWN": PortState.DOWN,
    "DOWN": PortState.DOWN,
}
_FACTS: dict[str, tuple[str, dict[str, Any]]] = {
    "PHY": ("width_active", {name: name for name in link_terms.WIDTH_LANES}),
    "SPD": ("speed_active", dict(link_terms.LSA_SPEED)),
    "LOG": ("state", dict(_STATES)),
}
"""Printed name → column of ``links`` and the words it may hold."""
_NONE = ("N/A", "NA")
_MOST_PORTS = 1 << 15
_MOST_OF_FACTS = 500
_LOOK = "look at the line; if the file was edited, use the original"

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
    sibling = open_sibling(path, data, "lst")
    links: dict[LinkKey, dict[str, Any]] = {}
    nodes: dict[str, dict[str, Any]] = {}
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith("#") or not text.strip():
            continue
        one, at = _end(text, 0)
        other, at = _end(text, at)
        if one is None or other is None:
            sibling.troubles.add("bad_line", line, "the line is no link between two ports", _LOOK)
            continue
        facts = _facts(text[at:], line, sibling.troubles)
        before = links.setdefault(link_key(one.key, other.key), {**facts, "line": line})
        if any(before[name] != value for name, value in facts.items()):
            message = f"the link is not the same as on line {before['line']}, which counts"
            sibling.troubles.add("two_answers", line, message, "collect again: the link changed meanwhile")
        for end in (one, other):
            nodes.setdefault(end.key.node_guid, {**end.node, "line": line})
    tables = {"links": _links(links, path), "nodes": _nodes(nodes.values(), path)}
    return Parsed(with_run(tables, sibling, "lst"), notes=sibling.notes(), whole=sibling.whole)


def _end(text: str, at: int) -> tuple[_End | None, int]:
    """Read an end that begins at a place in the line; also where the next begins."""
    match = _END.match(text, at)
    if not match:
        return None, at
    kind, ports, system, node, port, vendor, device, revision, description, lid, number = match.groups()
    node_guid, port_num = guid(node), hexadecimal(number)
    if node_guid is None or port_num is None or port_num >= _MOST_PORTS:
        return None, at
    device_id = _small(device)
    row = {
        "node_guid": node_guid,
        "node_type": _TYPES.get(kind),
        "node_desc": description,
        "node_name": readable_name(description),
        "system_guid": guid(system),
        "port_guid": guid(port),
        "device_id": device_id,
        "vendor_id": _small(vendor),
        "generation": device_name(device_id),
        "num_ports": _small(ports),
        "lid": _small(lid),
        "x_Rev": revision,
    }
    return _End(PortKey(node_guid, port_num), row), match.end()


def _small(text: str) -> int | None:
    """Read a hexadecimal number of at most 32 bits; None for anything else."""
    value = hexadecimal(text)
    return value if value is not None and value < 1 << 32 else None


def _facts(text: str, line: int, troubles: Gathering) -> dict[str, Any]:
    """Read width, state and speed behind the two ends."""
    words = dict(_FACT.findall(text[:_MOST_OF_FACTS]))
    facts: dict[str, Any] = {}
    for name, (column, known) in _FACTS.items():
        word = words.get(name)
        facts[column] = known.get(word or "")
        if facts[column] is None and word is not None and word not in _NONE:
            message = f"{name}={word[:40]} is not known; it counts as not known"
            help_ = "compare with the version of ibdiagnet in the head of the file"
            troubles.add(f"unknown_{column}", line, message, help_)
    return facts


def _links(links: dict[LinkKey, dict[str, Any]], path: str) -> pa.Table:
    """Make the table of links."""
    columns: dict[str, Any] = {
        "node_guid_a": [key.a.node_guid for key in links],
        "port_num_a": [key.a.port_num for key in links],
        "node_guid_b": [key.b.node_guid for key in links],
        "port_num_b": [key.b.port_num for key in links],
    }
    for column, _ in _FACTS.values():
        columns[column] = [facts[column] for facts in links.values()]
    lines = [facts["line"] for facts in links.values()]
    return TABLES["links"].conform(columns, rows=len(links), source=path, origin="lst", line=lines)


def _nodes(nodes: Iterable[dict[str, Any]], path: str) -> pa.Table:
    """Make the table of nodes."""
    rows = list(nodes)
    names = [name for name in (rows[0] if rows else ()) if name != "line"]
    return TABLES["nodes"].conform(
        {name: [row[name] for row in rows] for name in names},
        rows=len(rows),
        source=path,
        origin="lst",
        line=[row["line"] for row in rows],
    )
