"""Whose counters are these: rows that name their node by LID alone, or by the GUID of a port.

``perfquery`` prints a LID and a port number and nothing else, and so does ``ibportstate``; file names hold
node or port GUIDs.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.words import counted

_EXAMPLES = 5


def resolve(
    tables: Mapping[str, pa.Table], stale: frozenset[str]
) -> tuple[dict[str, pa.Table], tuple[Note, ...]]:
    """Fill in node GUIDs that other files of the collection know.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs: their LIDs may belong to others by now, and are not used.

    Returns:
        The tables; and a note about LIDs that nobody or more than one node has. Their rows stay without
        a node GUID. The port number is the one that was asked and is left alone.
    """
    counters = {name: table for name, table in tables.items() if name.startswith("counters_")}
    wanted: set[int] = set()
    ports = {name: table for name, table in tables.items() if name == "ports"}
    for table in (*counters.values(), *ports.values()):
        nameless = table.filter(pc.and_(pc.is_null(table["node_guid"]), pc.is_valid(table["lid"])))
        wanted.update(nameless["lid"].to_pylist())
    holders = owners(tables, stale, wanted) if wanted else {}
    by_lid = {lid: next(iter(guids)) for lid, guids in holders.items() if len(guids) == 1}
    by_port = _nodes_of_ports(tables, counters)
    result = dict(tables)
    if by_lid or by_port:
        result |= {name: _filled(table, by_lid, by_port) for name, table in counters.items()}
    if by_lid:
        result |= {name: _filled(table, by_lid, {}) for name, table in ports.items()}
    return result, _note(sorted(wanted - by_lid.keys()), holders)


def owners(tables: Mapping[str, pa.Table], stale: frozenset[str], wanted: set[int]) -> dict[int, set[str]]:
    """Find the nodes that have each LID: a switch by itself or its port 0, an HCA by its port.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs, which are not asked.
        wanted: The LIDs.

    Returns:
        LID → GUIDs of the nodes that have it; a LID that nobody has is left out.
    """
    found: dict[int, set[str]] = {}
    lids = pa.array(sorted(wanted), pa.int64())
    for name in ("nodes", "ports"):
        table = tables.get(name)
        if table is None:
            continue
        rows = table.filter(pc.is_in(table["lid"], value_set=lids)).select(["lid", "node_guid", "source"])
        for row in rows.to_pylist():
            if row["node_guid"] is not None and row["source"] not in stale:
                found.setdefault(row["lid"], set()).add(row["node_guid"])
    return found


def _nodes_of_ports(tables: Mapping[str, pa.Table], counters: Mapping[str, pa.Table]) -> dict[str, str]:
    """Map GUIDs that are given as a node's, but are a port's, to the node of that port."""
    ports = tables.get("ports")
    if ports is None:
        return {}
    known = set(ports["node_guid"].to_pylist())
    if "nodes" in tables:
        known.update(tables["nodes"]["node_guid"].to_pylist())
    given: set[str] = set()
    for table in counters.values():
        given.update(pc.unique(table["node_guid"]).to_pylist())
    strange = pa.array(sorted(one for one in given if one is not None and one not in known), pa.string())
    rows = ports.filter(pc.is_in(ports["port_guid"], value_set=strange)).select(["port_guid", "node_guid"])
    found: dict[str, set[str]] = {}
    for row in rows.to_pylist():
        found.setdefault(row["port_guid"], set()).add(row["node_guid"])
    return {port: next(iter(nodes)) for port, nodes in found.items() if len(nodes) == 1}


def _filled(table: pa.Table, by_lid: Mapping[int, str], by_port: Mapping[str, str]) -> pa.Table:
    """Fill in the node GUIDs of one table."""
    guids = table["node_guid"].to_pylist()
    lids = table["lid"].to_pylist()
    port_guids = table["port_guid"].to_pylist()
    for row, guid in enumerate(guids):
        if guid is None:
            guids[row] = by_lid.get(lids[row])
        elif guid in by_port:
            guids[row], port_guids[row] = by_port[guid], guid
    for name, values in (("node_guid", guids), ("port_guid", port_guids)):
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(at), pa.array(values, pa.string()))
    return table


def _note(left: list[int], owners: Mapping[int, set[str]]) -> tuple[Note, ...]:
    """Say which LIDs have no owner, or more than one."""
    if not left:
        return ()
    shared = [lid for lid in left if lid in owners]
    shown = ", ".join(str(lid) for lid in left[:_EXAMPLES]) + (" …" if len(left) > _EXAMPLES else "")
    belong = "belongs" if len(shared) == 1 else "belong"
    several = f"; {len(shared)} of them {belong} to more than one node" if shared else ""
    return (
        Note(
            "capture.lid_unresolved",
            Level.WARNING,
            f"counters of {counted(len(left), 'LID')} ({shown}) belong to no known node{several}",
            help="add the output of ibnetdiscover, ibdiagnet or ibstat of the same time, "
            "or put the node GUID into the file name, such as 0x0200000000000001.out",
        ),
    )
