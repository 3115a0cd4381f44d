"""Whose rows are these: rows that name their node as a host does, by a device, or by a LID beside them.

``mlxlink``, ``rdma`` and ``ethtool`` run on a host and print no GUID: they name ``mlx5_0``, ``ib0`` or a PCI
address. ``ibstat`` and /sys of the same host tell which HCA that is, and so do the names and labels of the
fabric. A device counts for its own host alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.capture import host_slots
from ibforensic.capture.resolve import owners
from ibforensic.model.pci_label import short_host

__all__ = ["resolve"]

_NAMES = ("device", "net_device", "pci_address")
"""Columns of ``hosts`` that name a device on its host."""
_LID = "x_lid"
_MST = "x_mst_device"
"""Name below /dev/mst, which ``mst status`` tells."""
_MST_FOLDER = "/dev/mst/"

Named = tuple[str, str, str]
"""Kind of the name, host in lower case without its domain, and the name."""


def resolve(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[str, pa.Table]:
    """Fill in node GUIDs that the hosts' own tools know.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs: they tell nothing here.

    Returns:
        The tables. A name that nobody or more than one HCA has leaves its rows as they were; host and
        device stay beside them.
    """
    open_ones = {
        name: table
        for name, table in tables.items()
        if "node_guid" in table.column_names and table["node_guid"].null_count and _columns(table)
    }
    if not open_ones:
        return dict(tables)
    lids = _lids(tables, open_ones, stale)
    slots = {("pci_address", *slot): guid for slot, guid in host_slots.hcas(tables, stale).items()}
    devices = slots | _devices(tables, stale)
    found = dict(tables)
    if "hosts" in open_ones:
        # ibdev2netdev tells which device ib0 is on, ibstat which HCA that is: then ib0 is told too.
        found["hosts"] = _filled(tables["hosts"], devices, lids)
        devices = slots | _devices(found, stale)
    return found | {name: _filled(found[name], devices, lids) for name in open_ones}


def _columns(table: pa.Table) -> dict[str, str]:
    """Map what a table says of a device to the column that says it."""
    kinds = ("host", *_NAMES)
    found = {}
    for kind in kinds:
        column = next((name for name in (kind, f"x_{kind}") if name in table.column_names), None)
        if column is not None:
            found[kind] = column
    named = any(kind in found for kind in ("device", "net_device"))
    return found if named or _LID in table.column_names else {}


def _devices(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[Named, str]:
    """Map each name on each host to the one HCA that has it."""
    table = tables.get("hosts")
    found: dict[Named, set[str]] = defaultdict(set)
    if table is None:
        return {}
    also = [_MST] if _MST in table.column_names else []
    rows = table.select(["host", *_NAMES, *also, "node_guid", "source"]).filter(
        pc.is_valid(table["node_guid"])
    )
    for row in rows.to_pylist():
        if row["source"] not in stale:
            for named in _names(row):
                found[named].add(row["node_guid"])
    return {named: next(iter(guids)) for named, guids in found.items() if len(guids) == 1}


def _names(row: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the names of a row's device; an address of PCI may stand as the device."""
    host = short_host(row.get("host"))
    if row.get(_MST):
        yield "device", host, row[_MST].removeprefix(_MST_FOLDER)
    for kind in _NAMES:
        name = (row.get(kind) or "").removeprefix(_MST_FOLDER)
        if not name:
            continue
        yield kind, host, name
        if kind == "device" and ":" in name:
            yield "pci_address", host, name if name.count(":") > 1 else f"0000:{name}"


def _lids(
    tables: Mapping[str, pa.Table], open_ones: Mapping[str, pa.Table], stale: frozenset[str]
) -> dict[str, str]:
    """Map the LIDs that rows carry beside them to the one node that has each."""
    wanted = {
        int(lid)
        for table in open_ones.values()
        if _LID in table.column_names
        for lid in pc.unique(table[_LID]).to_pylist()
        if lid is not None
    }
    found = owners(tables, stale, wanted) if wanted else {}
    return {str(lid): next(iter(guids)) for lid, guids in found.items() if len(guids) == 1}


def _filled(table: pa.Table, devices: Mapping[Named, str], lids: Mapping[str, str]) -> pa.Table:
    """Fill in the node GUIDs of one table."""
    columns = _columns(table)
    read = {kind: table[column].to_pylist() for kind, column in columns.items()}
    by_lid = table[_LID].to_pylist() if _LID in table.column_names else [None] * table.num_rows
    guids = table["node_guid"].to_pylist()
    for at, guid in enumerate(guids):
        if guid is None:
            names = _names({kind: values[at] for kind, values in read.items()})
            known = (devices[named] for named in names if named in devices)
            guids[at] = lids.get(by_lid[at] or "") or next(known, None)
    place = table.schema.get_field_index("node_guid")
    return table.set_column(place, table.schema.field(place), pa.array(guids, pa.string()))
