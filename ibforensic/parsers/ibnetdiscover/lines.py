"""The lines of ibnetdiscover: what a node, a port and a silent neighbour look like, and reading them all."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ibforensic.model.ids import guid
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.stderr_lines import mended

__all__ = ["Found", "Node", "PortLine", "Silent", "scan"]

_FACT = re.compile(r"(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=(0x[0-9a-fA-F]+|\S+)")
_BLOCK = re.compile(r'(?:Switch|Ca|Rt)\s*\d+\s*"')
_NODE = re.compile(
    r'(Switch|Ca|Rt)\s{0,40}(\d{1,4})\s{0,40}"([SHR])-([0-9a-fA-F]{1,16})"\s{0,40}#\s{0,40}"(.*)"'
    r"(?:.*?\blid\s+(\d{1,9})(?=\s|\Z))?",
    re.ASCII,
)
_PORT = re.compile(
    r"\[(\d{1,4})\](?:\[ext \d+\])?\s{0,40}(?:\(([^()]*)\))?(?:\(([^()]*)\))?\s{0,40}"
    r'"([SHR])-([0-9a-fA-F]{1,16})"\s{0,40}\[(\d{1,4})\](?:\[ext \d+\])?\s{0,40}(?:\(([^()]*)\))?'
    r'\s{0,40}#\s{0,40}(?:lid\s+(\S+)\s+lmc\s+\d+\s+)?"(.*)"(.*)',
    re.ASCII,
)
_TAIL = re.compile(r"\s*lid (\d{1,9}) (\d{1,2}x)(\w+)", re.ASCII)
_LID = re.compile(r"\blid\s+(\d{1,9})(?=\s|\Z)", re.ASCII)
_RATE = re.compile(r"(?<!\S)(\d{1,2}x)([A-Za-z]\w*)", re.ASCII)
SILENT_PEER = "the port is UP, but remote peer is not responding"
_ITS_PORT = re.compile(r"\s*\[(\d{1,4})\](?:\(([^()]*)\))?", re.ASCII)
_guid = lru_cache(maxsize=1 << 16)(guid)
"""Every GUID of a fabric is printed several times."""
_KINDS = {"Switch": "S", "Ca": "H", "Rt": "R"}


@dataclass(slots=True)
class Node:
    """A node: from the lines before its block and the line that begins it.

    Attributes:
        guid: Node GUID.
        kind: S (switch), H (HCA) or R (router).
        line: Line that begins its block.
        description: Node description as found.
        ports: Number of ports.
        lid: LID of a switch.
        facts: ``vendid``, ``devid``, ``sysimgguid`` as printed.
    """

    guid: str
    kind: str
    line: int
    description: str
    ports: int | None = None
    lid: int | None = None
    facts: dict[str, str] = field(default_factory=dict)


class PortLine(NamedTuple):
    """A port that has a neighbour, and the neighbour as the line names it.

    Attributes:
        node: Node the port belongs to.
        num: Number of the port.
        port_guid: GUID of the port; a switch's ports carry the node's.
        label: Label, where the tool prints one.
        lid: LID of the port of an HCA.
        width: ``4x`` …, as printed.
        speed: ``NDR`` …, as printed.
        peer_kind: Kind of the neighbour.
        peer_guid: Its GUID.
        peer_name: Its description.
        peer_num: Number of the neighbour's port.
        peer_port_guid: GUID of the neighbour's port, where the line gives it.
        peer_lid: LID of the neighbour.
        line: Line.
    """

    node: Node
    num: int
    port_guid: str | None
    label: str | None
    lid: int | None
    width: str | None
    speed: str | None
    peer_kind: str
    peer_guid: str | None
    peer_name: str
    peer_num: int
    peer_port_guid: str | None
    peer_lid: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Silent:
    """A port that is up, whose neighbour does not answer.

    Attributes:
        node_guid: Node of the block the line stands in; None before the first.
        num: Number of the port, where the line gives it.
        label: Its label, where the line gives it.
        text: The line.
        line: Line.
    """

    node_guid: str | None
    num: int | None
    label: str | None
    text: str
    line: int


@dataclass(slots=True)
class Found:
    """What the lines hold.

    Attributes:
        nodes: Nodes that have a block, in order.
        ports: Ports that have a neighbour.
        silent: Ports whose neighbour does not answer.
    """

    nodes: list[Node] = field(default_factory=list)
    ports: list[PortLine] = field(default_factory=list)
    silent: list[Silent] = field(default_factory=list)


def scan(lines: list[str], troubles: Gathering) -> Found:
    """Read all lines; a block whose first line cannot be read loses its ports, the next block does not.

    Args:
        lines: The file.
        troubles: Takes lines that look like a node or a port and are none.

    Returns:
        What was found; lines of any other look (prompts, banners, notes) are passed over.
    """
    found = Found()
    facts: dict[str, str] = {}
    node: Node | None = None
    for number, line in mended(lines):
        first = line[:1]
        if first == "[" and SILENT_PEER not in line:
            match = _PORT.match(line)
            if match and node is not None:
                found.ports.append(_port(match, node, number))
            elif line[1:2].isdigit():
                _lost(troubles, number, known=node is not None)
        elif first in "SCR" and _BLOCK.match(line):
            node, facts = _node(line, facts, number), {}
            if node is not None:
                found.nodes.append(node)
            else:
                _lost(troubles, number, known=True)
        elif first in "vdscr" and (match := _FACT.match(line)):
            if match[1] == "vendid":
                node, facts = None, {}
            facts[match[1]] = match[2]
        elif SILENT_PEER in line:
            found.silent.append(_silent(line, node, facts, number))
    return found


def _node(line: str, facts: dict[str, str], number: int) -> Node | None:
    """Make the node of a line that begins a block; None where the line cannot be read."""
    match = _NODE.match(line)
    node_guid = _guid(match[4]) if match else None
    if match is None or node_guid is None or _KINDS[match[1]] != match[3]:
        return None
    lid = int(match[6]) if match[6] and match[3] == "S" else None
    return Node(node_guid, match[3], number, match[5], int(match[2]), lid, facts)


def _port(match: re.Match[str], node: Node, line: int) -> PortLine:
    """Make the port of a line.

    Behind the number stand a label (ibdiagnet) and, at an HCA or router, the GUID of the port last.
    """
    num, one, two, kind, peer_guid, peer_num, peer_port, lid, description, tail = match.groups()
    port_guid: str | None = node.guid
    if node.kind == "S":
        label = one
    else:
        port_guid = _guid((two if two is not None else one) or "")
        label = one if two is not None or port_guid is None else None
    quick = _TAIL.match(tail)
    peer_lid: str | None
    width: str | None
    speed: str | None
    if quick:
        peer_lid, width, speed = quick.groups()
    else:
        told, rate = _LID.search(tail), _RATE.search(tail)
        peer_lid = told[1] if told else None
        width, speed = rate.groups() if rate else (None, None)
    return PortLine(
        node,
        int(num),
        port_guid,
        None if label in (None, "", "N/A") else label,
        decimal(lid or ""),
        width,
        speed,
        kind,
        _guid(peer_guid),
        description,
        int(peer_num),
        _guid(peer_port) if peer_port else None,
        int(peer_lid) if peer_lid else None,
        line,
    )


def _silent(line: str, node: Node | None, facts: dict[str, str], number: int) -> Silent:
    """Make the record of a neighbour that does not answer; the block may not have begun yet."""
    port = _ITS_PORT.match(line)
    told = next((facts[name] for name in ("switchguid", "caguid", "rtguid") if name in facts), "")
    node_guid = node.guid if node is not None else guid(told.partition("(")[0])
    num, label = (int(port[1]), port[2]) if port else (None, None)
    return Silent(node_guid, num, label, line.strip(), number)


def _lost(troubles: Gathering, line: int, *, known: bool) -> None:
    """Note a line that cannot be read, or a port of a node that cannot."""
    troubles.add(
        "bad_line",
        line,
        "the line looks like a node or a port and cannot be read; it is left out"
        if known
        else "the line is a port of a node that is not known; it is left out",
        "look at the line; if the file was edited or pasted, use the original",
    )
