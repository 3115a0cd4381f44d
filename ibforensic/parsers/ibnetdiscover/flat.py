"""The flat form of ibnetdiscover (``-p``): one line a port, with its neighbour or without one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.enums import Level, PhysState
from ibforensic.model.ids import LinkKey, PortKey, guid, link_key
from ibforensic.parsers.advice import COPY_AGAIN, LOOK
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.node_lines import NodeLine, node_table, node_type
from ibforensic.parsers.rows import table_of

__all__ = ["LINE", "read"]

LINE = LineBegin(rb"(?:CA|SW|RT)[ \t]+\d{1,6}[ \t]+\d{1,3}[ \t]+0x[0-9a-fA-F]{1,16}[ \t]+\d{1,2}x[ \t]+\S")
"""What a line of this form begins with."""
_END = r"(CA|SW|RT)[ \t]+(\d{1,6})[ \t]+(\d{1,3})[ \t]+(0x[0-9a-fA-F]{1,16})"
_PORT = re.compile(
    rf"{_END}[ \t]+(\d{{1,2}}x)[ \t]+(\S+)(?:[ \t]+-[ \t]+{_END}[ \t]+\([ \t]'(.*)'[ \t]-[ \t]'(.*)'[ \t]\)"
    r"|[ \t]+'(.*)'|[ \t]+(\S.*))[ \t]*\Z",
    re.ASCII,
)
_ORIGIN = "ibnetdiscover:ports"
_KINDS = {"CA": "Ca", "SW": "Switch", "RT": "Rt"}
_BEGINS = tuple(_KINDS)
_NO_LID = (0, 65535)
_guid = lru_cache(maxsize=1 << 16)(guid)


def read(lines: list[str], path: str, troubles: Gathering) -> dict[str, pa.Table]:
    """Read all lines.

    Args:
        lines: The file.
        path: File, for provenance.
        troubles: Takes lines that cannot be read.

    Returns:
        Nodes, ports and links; a node of the list's HCAs has the GUID of its port.
    """
    nodes: dict[str, NodeLine] = {}
    ports: list[dict[str, Any]] = []
    links: dict[LinkKey, dict[str, Any]] = {}
    for number, line in enumerate(lines, 1):
        if not line.startswith(_BEGINS):
            if line and not line.isspace():
                troubles.add(
                    "skipped", number, f"not a line of ibnetdiscover -p: {line[:80]}", level=Level.INFO
                )
            continue
        match = _PORT.match(line)
        port = _port(match, number) if match else None
        if match is None or port is None:
            if number == len(lines):
                troubles.add("file_cut", number, "the text ends within a line", COPY_AGAIN)
            else:
                troubles.add("bad_line", number, "the line cannot be read; it is left out", LOOK)
            continue
        ports.append(port)
        kind, lid, peer_kind, peer_lid = match.group(1, 2, 7, 8)
        name = match[11] or match[13] or match[14] or ""
        _add_node(nodes, port["node_guid"], kind, lid, name, number)
        peer = port["peer_node_guid"]
        if peer is not None:
            _add_node(nodes, peer, peer_kind, peer_lid, match[12] or "", number)
            ends = PortKey(port["node_guid"], port["port_num"]), PortKey(peer, int(match[9]))
            link = {name: port[name] for name in ("width_active", "speed_active")}
            links.setdefault(link_key(*ends), {**link, "line": number})
    return {
        "nodes": node_table(list(nodes.values()), path, _ORIGIN),
        "ports": table_of("ports", ports, path, _ORIGIN),
        "links": table_of(
            "links",
            [
                {
                    "node_guid_a": key.a.node_guid,
                    "port_num_a": key.a.port_num,
                    "node_guid_b": key.b.node_guid,
                    "port_num_b": key.b.port_num,
                    **link,
                }
                for key, link in links.items()
            ],
            path,
            _ORIGIN,
        ),
    }


def _port(match: re.Match[str], line: int) -> dict[str, Any] | None:
    """Make the row of a port; None where its GUID is none."""
    port_guid, peer = _guid(match[4]), _guid(match[10]) if match[10] else None
    if port_guid is None or (match[10] and peer is None):
        return None
    lid = int(match[2])
    width = match[5] if peer and match[5] in link_terms.WIDTH_LANES else None
    speed = match[6] if peer and match[6] in link_terms.LANE_GBPS else None
    return {
        "node_guid": port_guid,
        "port_num": int(match[3]),
        "port_guid": port_guid,
        "lid": None if lid in _NO_LID else lid,
        "phys_state": PhysState.LINK_UP if peer else None,
        "width_active": width,
        "speed_active": speed,
        "rate_gbps": link_terms.rate_gbps(width, speed),
        "peer_node_guid": peer,
        "line": line,
    }


def _add_node(nodes: dict[str, NodeLine], node_guid: str, kind: str, lid: str, name: str, line: int) -> None:
    """Add the node of one end of a line, where it is new."""
    if node_guid not in nodes:
        given = None if kind == "SW" else node_guid
        number = None if int(lid) in _NO_LID else int(lid)
        nodes[node_guid] = NodeLine(
            node_guid, node_type(_KINDS[kind]), name, line, lid=number, port_guid=given
        )
