"""Ports that nobody can tell the node of get a name to go by: the LID, or host and device.

``mlxlink`` and ``ibstatus`` print no node GUID. Where no other file of the collection tells it, their rows
would belong to nobody and could not be judged at all, although the same host asks the same device next time.
A stand-in names a port within collections that were made alike; it joins with no other tool's output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import pyarrow as pa

from ibforensic.model.pci_label import stand_in

__all__ = ["resolve"]

_TABLES = ("ports", "phy", "modules")
_COUNTERS = "counters_"
_READ = ("x_lid", "x_host", "x_device", "source", "port_num")
_ETHERNET = "Ethernet"
_ONLY_PORT = 1
"""An HCA that is asked without a port shows its first."""


def resolve(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Name the nodes of rows that only tell a LID, or a device.

    Args:
        tables: Tables of the collection, after all that is known of nodes was filled in.

    Returns:
        The tables; a node is called ``lid:12``, ``host-a/mlx5_0``, by its slot ``host-a/0000:c1:00.0`` where
        a host tells of its PCIe alone, or by its file where no host is told. Of several reports in one file
        that tell nothing of themselves, none is named.
    """
    named = {
        name: _named(table) if name in _TABLES or name.startswith(_COUNTERS) else table
        for name, table in tables.items()
    }
    return named | {name: _by_slot(table) for name, table in tables.items() if name == "hosts"}


def _by_slot(table: pa.Table) -> pa.Table:
    """Name the HCAs of hosts of which only the slot is known, where somebody tells of its link."""
    columns = ("node_guid", "host", "pci_address", "pcie_width", "link_layer")
    rows = table.select(columns).to_pylist() if table["node_guid"].null_count else []
    slots = [
        stand_in(row["host"], row["pci_address"])
        if row["node_guid"] is None and row["host"] and row["pci_address"] and row["link_layer"] != _ETHERNET
        else None
        for row in rows
    ]
    told = {slot for slot, row in zip(slots, rows, strict=True) if slot and row["pcie_width"]}
    if not told:
        return table
    guids = [
        row["node_guid"] or (slot if slot in told else None) for slot, row in zip(slots, rows, strict=True)
    ]
    return _replaced(table, "node_guid", guids)


def _named(table: pa.Table) -> pa.Table:
    """Fill in the stand-ins of one table."""
    if not {"x_lid", "x_device"} & set(table.column_names) or not table["node_guid"].null_count:
        return table
    empty = pa.nulls(table.num_rows)
    read = [(table[name] if name in table.column_names else empty).to_pylist() for name in _READ]
    guids, numbers = table["node_guid"].to_pylist(), table["port_num"].to_pylist()
    nameless = Counter(source for guid, source in zip(guids, read[3], strict=True) if guid is None)
    for at, (lid, host, device, source, number) in enumerate(zip(*read, strict=True)):
        if guids[at] is not None:
            continue
        file = PurePosixPath(source).name
        if lid:
            guids[at] = f"lid:{lid}"
        elif device or nameless[source] == 1:
            guids[at] = f"{host or file}/{PurePosixPath(device).name}" if device else file
            numbers[at] = number or _ONLY_PORT
    return _replaced(_replaced(table, "node_guid", guids), "port_num", numbers)


def _replaced(table: pa.Table, name: str, values: Sequence[str | int | None]) -> pa.Table:
    """Put values in the place of a column."""
    at = table.schema.get_field_index(name)
    field = table.schema.field(at)
    return table.set_column(at, field, pa.array(values, field.type))
