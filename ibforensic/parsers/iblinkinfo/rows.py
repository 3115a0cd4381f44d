"""Canonical tables from the ports and links that iblinkinfo prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ibforensic.model.enums import Level
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.model.tables import TABLES
from ibforensic.parsers.iblinkinfo.lines import Found, PortLine
from ibforensic.parsers.link_arrows import Arrow
from ibforensic.parsers.node_lines import NodeLine
from ibforensic.parsers.rows import table_of

__all__ = ["add_peers", "events", "links", "owners", "ports"]

_ORIGIN = "iblinkinfo"
_NO_LID = (0, 65535)
Owners = Mapping[int, str | None]
"""LID → the node that has it; None where more than one does."""


def owners(found: Found) -> dict[int, str | None]:
    """Return the node of each LID; a LID of two nodes tells nothing about either."""
    known: dict[int, str | None] = {}
    for port in found.ports:
        if known.setdefault(port.arrow.lid, port.node_guid) != port.node_guid:
            known[port.arrow.lid] = None
    for node in found.nodes.values():
        if node.lid is not None and known.setdefault(node.lid, node.node_guid) != node.node_guid:
            known[node.lid] = None
    for lid in _NO_LID:
        known.pop(lid, None)
    return known


def add_peers(found: Found) -> None:
    """Add the nodes that are named as neighbours alone; their kind is not told."""
    for port in found.ports:
        arrow = port.arrow
        if arrow.peer_guid is not None and arrow.peer_guid not in found.nodes:
            node = NodeLine(arrow.peer_guid, None, arrow.peer_name, port.line, lid=arrow.peer_lid)
            found.nodes[arrow.peer_guid] = node


def ports(found: Found, known: Owners, path: str) -> pa.Table:
    """Make the table of ports, those that are down included.

    Args:
        found: What was read.
        known: LID → node.
        path: File.
    """
    rows = found.ports
    arrows = [port.arrow for port in rows]
    columns: dict[str, Any] = {
        "node_guid": [port.node_guid for port in rows],
        "port_num": [arrow.num for arrow in arrows],
        "port_guid": [port.port_guid for port in rows],
        "lid": [None if arrow.lid in _NO_LID else arrow.lid for arrow in arrows],
        "port_label": [arrow.label for arrow in arrows],
        "state": [arrow.terms.state for arrow in arrows],
        "phys_state": [arrow.terms.phys_state for arrow in arrows],
        "width_active": [arrow.terms.width for arrow in arrows],
        "speed_active": [arrow.terms.speed for arrow in arrows],
        "rate_gbps": [arrow.terms.rate_gbps for arrow in arrows],
        "peer_node_guid": [_peer(arrow, known) for arrow in arrows],
    }
    if any(arrow.could_be for arrow in arrows):
        columns["x_could_be"] = [" ".join(arrow.could_be) or None for arrow in arrows]
    if any(arrow.config for arrow in arrows):
        columns["x_config"] = [arrow.config for arrow in arrows]
    named = [_unknown_peer(arrow, known) for arrow in arrows]
    if any(named):
        columns["x_peer"] = named
    return TABLES["ports"].conform(
        columns, rows=len(rows), source=path, origin=_ORIGIN, line=[port.line for port in rows]
    )


def _peer(arrow: Arrow, known: Owners) -> str | None:
    """Return the node at the other end, by its GUID or else by its LID."""
    if arrow.peer_num is None:
        return None
    return arrow.peer_guid or (None if arrow.peer_lid is None else known.get(arrow.peer_lid))


def _unknown_peer(arrow: Arrow, known: Owners) -> str | None:
    """Return what is told of a neighbour that cannot be identified."""
    if arrow.peer_num is None or _peer(arrow, known) is not None:
        return None
    return f"{arrow.peer_name}: LID {arrow.peer_lid} port {arrow.peer_num}"


def links(found: Found, known: Owners, path: str) -> pa.Table:
    """Make the table of links: each once, as the first of its ends prints it.

    Args:
        found: What was read.
        known: LID → node.
        path: File.
    """
    first: dict[LinkKey, PortLine] = {}
    for port in found.ports:
        peer = _peer(port.arrow, known)
        if peer is not None and port.arrow.peer_num is not None:
            ends = PortKey(port.node_guid, port.arrow.num), PortKey(peer, port.arrow.peer_num)
            first.setdefault(link_key(*ends), port)
    return TABLES["links"].conform(
        {
            "node_guid_a": [key.a.node_guid for key in first],
            "port_num_a": [key.a.port_num for key in first],
            "node_guid_b": [key.b.node_guid for key in first],
            "port_num_b": [key.b.port_num for key in first],
            "width_active": [port.arrow.terms.width for port in first.values()],
            "speed_active": [port.arrow.terms.speed for port in first.values()],
            "state": [port.arrow.terms.state for port in first.values()],
        },
        rows=len(first),
        source=path,
        origin=_ORIGIN,
        line=[port.line for port in first.values()],
    )


def events(found: Found, path: str) -> pa.Table:
    """Make the table of what the tool says of links: both ends could do more than the link does."""
    rows = [
        {
            "scope": "port",
            "node_guid": port.node_guid,
            "port_num": port.arrow.num,
            "event": "LINK_COULD_BE_FASTER",
            "level": Level.WARNING.value,
            "text": f"Could be {' '.join(port.arrow.could_be)}",
            "line": port.line,
        }
        for port in found.ports
        if port.arrow.could_be
    ]
    return table_of("events", rows, path, _ORIGIN)
