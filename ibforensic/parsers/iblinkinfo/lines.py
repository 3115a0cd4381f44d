"""The lines of iblinkinfo: blocks of nodes with their ports, or one line a link."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.advice import LOOK
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.link_arrows import Arrow, read_arrow
from ibforensic.parsers.node_lines import NodeLine, node_type, read_node_line
from ibforensic.parsers.stderr_lines import mended

__all__ = ["Found", "PortLine", "scan"]

_HEADER = re.compile(
    r"(Switch|CA|Ca|RT|Rt|Router)(?::[ \t]*|[ \t]+(?=0x))(?:(0x[0-9a-fA-F]{1,16})[ \t]+)?(.*?):[ \t]*\Z"
)
_OWN_GUID = re.compile(r'[ \t]*(0x[0-9a-fA-F]{1,16})[ \t]+(?:"(.*?)"[ \t]+(?=\d))?')
_SWITCH = "switch"
_BEGINS = " \t0SCR"
"""What the lines of the tool begin with; a prompt at the end of the text is no cut line."""
_guid = lru_cache(maxsize=1 << 16)(guid)


class PortLine(NamedTuple):
    """A port.

    Attributes:
        node_guid: Node; of an HCA the GUID of the first port of its block.
        port_guid: GUID of the port.
        arrow: The port and what it leads to.
        line: Line.
    """

    node_guid: str
    port_guid: str | None
    arrow: Arrow
    line: int


@dataclass(slots=True)
class Found:
    """What the lines hold.

    Attributes:
        nodes: Nodes by GUID, as first met.
        ports: Ports in order.
        last_line_cut: Whether the text ends within a line.
    """

    nodes: dict[str, NodeLine] = field(default_factory=dict)
    ports: list[PortLine] = field(default_factory=list)
    last_line_cut: bool = False


@dataclass(slots=True)
class _Block:
    """The node whose ports are being read; an HCA's GUID is known from its first port."""

    kind: str | None
    node_guid: str | None
    description: str
    line: int


def scan(lines: list[str], troubles: Gathering) -> Found:
    """Read all lines.

    Args:
        lines: The file.
        troubles: Takes lines that hold a link and cannot be read.

    Returns:
        What was found; prompts, notes and lines of other tools are passed over.
    """
    found = Found()
    block: _Block | None = None
    last = len(lines)
    for number, line in mended(lines):
        if "==(" in line:
            if not _port(line, block, number, found):
                found.last_line_cut = number == last
                troubles.add(
                    "bad_line", number, "the line is a link and cannot be read; it is left out", LOOK
                )
            continue
        header = _HEADER.match(line) if line[:1] in ("S", "C", "R") else None
        if header is not None:
            told = header[2]
            block = _Block(node_type(header[1]), _guid(told) if told else None, header[3], number)
        elif line and not line.isspace():
            node = read_node_line(line, number)
            if node is not None:
                found.nodes.setdefault(node.node_guid, node)
            elif number == last and line[0] in _BEGINS:
                found.last_line_cut = True
            else:
                troubles.add("skipped", number, f"not a line of iblinkinfo: {line[:80]}", level=Level.INFO)
    return found


def _port(line: str, block: _Block | None, number: int, found: Found) -> bool:
    """Read a port; tell whether it was one, of a node that is known."""
    own = _OWN_GUID.match(line)
    arrow = read_arrow(line[own.end() :] if own else line)
    if arrow is None:
        return False
    port_guid = _guid(own[1]) if own else None
    name = own[2] if own else None
    if name is not None and port_guid is not None:
        kind = None
        node_guid, description, at = port_guid, name.strip(), number
    elif block is not None:
        kind, at = block.kind, block.line
        # The block of a switch has its GUID in its title; that of an HCA in front of each port.
        block.node_guid = block.node_guid or port_guid
        if block.node_guid is None:
            return False
        node_guid, description = block.node_guid, block.description
    elif port_guid is not None:
        kind, node_guid, description, at = None, port_guid, "", number
    else:
        return False
    if node_guid not in found.nodes:
        lid = arrow.lid if kind is not None or name is not None else None
        given = None if kind == _SWITCH else port_guid
        found.nodes[node_guid] = NodeLine(node_guid, kind, description, at, lid=lid, port_guid=given)
    found.ports.append(PortLine(node_guid, node_guid if kind == _SWITCH else port_guid, arrow, number))
    return True
