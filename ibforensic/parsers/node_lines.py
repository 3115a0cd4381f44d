"""Nodes as ibswitches, ibhosts and ibrouters list them, one line a node.

They are files of their own, and stand between the output of other tools where a screen was copied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from ibforensic.model.enums import NodeType
from ibforensic.model.ids import guid
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.text_heads import readable_name

__all__ = ["NodeLine", "node_table", "node_type", "read_node_line"]

_LINE = re.compile(
    r"\s*(Switch|Ca|Rt|Router)[ \t]*:[ \t]*(0[xX]\w{1,16})[ \t]+ports[ \t]+(\d{1,4})[ \t]+"
    r'"(.*)"(?:[ \t]+(?:enhanced|base)[ \t]+port[ \t]+0[ \t]+lid[ \t]+(\d{1,6})[ \t]+lmc[ \t]+\d+)?[ \t]*\Z',
    re.ASCII,
)
_TYPES = {
    "Switch": NodeType.SWITCH,
    "Ca": NodeType.CA,
    "CA": NodeType.CA,
    "Rt": NodeType.ROUTER,
    "RT": NodeType.ROUTER,
    "Router": NodeType.ROUTER,
}


class NodeLine(NamedTuple):
    """A node.

    Attributes:
        node_guid: Node GUID; of an HCA in some outputs the GUID of its first port.
        node_type: Kind of node; None where the line does not tell it.
        description: Node description as found.
        line: Line.
        num_ports: Number of ports.
        lid: LID of a switch, or of an HCA's only port.
        port_guid: GUID of the port, where the line gives it.
    """

    node_guid: str
    node_type: str | None
    description: str
    line: int
    num_ports: int | None = None
    lid: int | None = None
    port_guid: str | None = None


def node_type(word: str) -> str | None:
    """Return the kind of node that the tools call ``Switch``, ``Ca``, ``CA``, ``Rt`` or ``RT``."""
    known = _TYPES.get(word)
    return str(known) if known else None


def read_node_line(text: str, line: int) -> NodeLine | None:
    """Read a line of ibswitches, ibhosts or ibrouters.

    Args:
        text: The line.
        line: Its number.

    Returns:
        The node; None where the line is none.
    """
    match = _LINE.match(text)
    node_guid = guid(match[2]) if match else None
    if match is None or node_guid is None:
        return None
    lid = int(match[5]) if match[5] else None
    return NodeLine(node_guid, node_type(match[1]), match[4], line, int(match[3]), lid)


def node_table(nodes: Sequence[NodeLine], path: str, origin: str) -> pa.Table:
    """Make the table of nodes.

    Args:
        nodes: The nodes.
        path: File.
        origin: Parser.
    """
    return table_of(
        "nodes",
        [
            {
                "node_guid": node.node_guid,
                "node_type": node.node_type,
                "node_desc": node.description,
                "node_name": readable_name(node.description),
                "num_ports": node.num_ports,
                "lid": node.lid,
                "port_guid": node.port_guid,
                "line": node.line,
            }
            for node in nodes
        ],
        path,
        origin,
    )
