"""Canonical tables from the nodes and ports that ibnetdiscover lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.devices import device_name
from ibforensic.model.enums import Level, NodeType, PhysState
from ibforensic.model.ids import PortKey, guid, link_key
from ibforensic.model.tables import TABLES
from ibforensic.parsers.ibnetdiscover.lines import Found, Node, PortLine
from ibforensic.parsers.text_heads import readable_name

__all__ = ["events", "links", "neighbours_alone", "nodes", "ports"]

_ORIGIN = "ibnetdiscover"
_TYPES = {"S": NodeType.SWITCH.value, "H": NodeType.CA.value, "R": NodeType.ROUTER.value}

_Row = tuple[
    str, int, str | None, int | None, str | None, str | None, str | None, float | None, str | None, int
]
_COLUMNS = (
    "node_guid",
    "port_num",
    "port_guid",
    "lid",
    "port_label",
    "width_active",
    "speed_active",
    "rate_gbps",
    "peer_node_guid",
    "line",
)
"""Columns of ``ports`` that a row fills, the line last."""


def nodes(found: Found, neighbours: Mapping[str, PortLine], path: str) -> pa.Table:
    """Make the table of nodes.

    Args:
        found: Nodes and ports.
        neighbours: Nodes that are named as neighbours alone, with the line that names them.
        path: File.
    """
    blocks = [
        *found.nodes,
        *(Node(guid, port.peer_kind, port.line, port.peer_name) for guid, port in neighbours.items()),
    ]
    names = [one.description for one in blocks]
    device_ids = [_number(one.facts.get("devid")) for one in blocks]
    return TABLES["nodes"].conform(
        {
            "node_guid": [one.guid for one in blocks],
            "node_type": [_TYPES[one.kind] for one in blocks],
            "node_desc": names,
            "node_name": [readable_name(name) for name in names],
            "system_guid": [guid(one.facts.get("sysimgguid", "")) for one in blocks],
            "device_id": device_ids,
            "vendor_id": [_number(one.facts.get("vendid")) for one in blocks],
            "generation": [device_name(one) for one in device_ids],
            "num_ports": [one.ports for one in blocks],
            "lid": [one.lid for one in found.nodes]
            + [port.peer_lid if port.peer_kind == "S" else None for port in neighbours.values()],
        },
        rows=len(blocks),
        source=path,
        origin=_ORIGIN,
        line=[one.line for one in blocks],
    )


def ports(found: Found, neighbours: Mapping[str, PortLine], path: str) -> pa.Table:
    """Make the table of ports.

    It holds those with a neighbour, those whose neighbour is silent, and those named as neighbours alone.
    The tool lists a port when it found something behind it: the link is up. Whether the port is
    active, or still waits for the subnet manager, is not told.
    """
    rows: list[_Row] = [_port_row(port) for port in found.ports]
    known = {row[:2] for row in rows}
    for silent in found.silent:
        if silent.num is not None and silent.node_guid is not None:
            rows.append(_bare(silent.node_guid, silent.num, silent.line, label=silent.label))
            known.add((silent.node_guid, silent.num))
    for port in found.ports if neighbours else ():
        peer = port.peer_guid
        if peer is not None and peer in neighbours and (peer, port.peer_num) not in known:
            known.add((peer, port.peer_num))
            switch = port.peer_kind == "S"
            named = port.peer_port_guid or (peer if switch else None)
            lid = None if switch else port.peer_lid
            rows.append(_bare(peer, port.peer_num, port.line, port_guid=named, lid=lid, peer=port.node.guid))
    columns: dict[str, Any] = dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)) if rows else {}
    line = columns.pop("line", ())
    columns["phys_state"] = PhysState.LINK_UP.value
    return TABLES["ports"].conform(columns, rows=len(rows), source=path, origin=_ORIGIN, line=line)


def _bare(
    node_guid: str,
    num: int,
    line: int,
    *,
    port_guid: str | None = None,
    lid: int | None = None,
    label: str | None = None,
    peer: str | None = None,
) -> _Row:
    """Return the row of a port without a line of its own."""
    return node_guid, num, port_guid, lid, label, None, None, None, peer, line


def _port_row(port: PortLine) -> _Row:
    """Return the row of a port with a line of its own."""
    node, num, port_guid, label, lid, width, speed, _, peer, _, _, _, _, line = port
    return node.guid, num, port_guid, lid, label, *_rate(width, speed), peer, line


@lru_cache(maxsize=256)
def _rate(width: str | None, speed: str | None) -> tuple[str | None, str | None, float | None]:
    """Return width, speed and rate; None for words that are not known."""
    known = (
        width if width in link_terms.WIDTH_LANES else None,
        speed if speed in link_terms.LANE_GBPS else None,
    )
    return *known, link_terms.rate_gbps(*known)


def links(found: Found, path: str) -> pa.Table:
    """Make the table of links: each once, as the first of its ends prints it."""
    first: dict[tuple[str, int, str, int], PortLine] = {}
    for port in found.ports:
        if port.peer_guid is not None:
            (node_a, num_a), (node_b, num_b) = link_key(
                PortKey(port.node.guid, port.num), PortKey(port.peer_guid, port.peer_num)
            )
            first.setdefault((node_a, num_a, node_b, num_b), port)
    ends = tuple(zip(*first, strict=True)) or ((),) * 4
    rates = [_rate(port.width, port.speed) for port in first.values()]
    return TABLES["links"].conform(
        {
            "node_guid_a": ends[0],
            "port_num_a": ends[1],
            "node_guid_b": ends[2],
            "port_num_b": ends[3],
            "width_active": [width for width, _, _ in rates],
            "speed_active": [speed for _, speed, _ in rates],
        },
        rows=len(first),
        source=path,
        origin=_ORIGIN,
        line=[port.line for port in first.values()],
    )


def events(found: Found, path: str) -> pa.Table:
    """Make the table of events: ports that are up whose neighbour does not answer."""
    said = found.silent
    return TABLES["events"].conform(
        {
            "scope": [_scope(one.node_guid, one.num) for one in said],
            "node_guid": [one.node_guid for one in said],
            "port_num": [one.num if one.node_guid is not None else None for one in said],
            "event": "REMOTE_PEER_NOT_RESPONDING",
            "level": Level.WARNING.value,
            "stage": "Discovery",
            "text": [one.text for one in said],
        },
        rows=len(said),
        source=path,
        origin=_ORIGIN,
        line=[one.line for one in said],
    )


def _scope(node_guid: str | None, num: int | None) -> str:
    """Say what an event is about."""
    if node_guid is None:
        return "cluster"
    return "node" if num is None else "port"


def neighbours_alone(found: Found) -> dict[str, PortLine]:
    """Return the nodes that are named as neighbours and have no block, with the first such line."""
    own = {node.guid for node in found.nodes}
    alone: dict[str, PortLine] = {}
    for port in found.ports:
        if port.peer_guid is not None and port.peer_guid not in own:
            alone.setdefault(port.peer_guid, port)
    return alone


def _number(text: str | None) -> int | None:
    """Read a hexadecimal id."""
    try:
        value = int(text or "", 16)
    except ValueError:
        return None
    return value if value < 1 << 62 else None
