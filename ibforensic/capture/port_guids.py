"""HCAs that a tool names by the GUID of a port: they become the node that other files know.

iblinkinfo, ``ibnetdiscover -p``, ibqueryerrors, UFM and infiniband_exporter print no node GUID of an HCA. On
HCAs with one port the two are the same; on others a file that tells both says which node the port is of.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.ids import PortKey, link_key

__all__ = ["resolve"]

_ORIGINS = ("iblinkinfo", "ibnetdiscover:ports", "ibqueryerrors", "ufm_rest", "ufm_csv", "prometheus")
"""Who names nodes so."""
_PLACES = {
    "nodes": ("node_guid",),
    "ports": ("node_guid", "peer_node_guid"),
    "links": ("node_guid_a", "node_guid_b"),
    "events": ("node_guid",),
    "phy": ("node_guid",),
    "modules": ("node_guid",),
}
_ENDS = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")


def resolve(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Put node GUIDs in the place of port GUIDs; counters are seen to elsewhere.

    Args:
        tables: Tables of the collection.

    Returns:
        The tables; what no other file tells stays as it was.
    """
    owners = _owners(tables)
    if not owners:
        return dict(tables)
    return {name: _replaced(name, table, owners) for name, table in tables.items()}


def _named_by_port(table: pa.Table) -> pa.ChunkedArray:
    """Where a row is from a tool that names nodes by a port."""
    return pc.fill_null(pc.is_in(table["origin"], value_set=pa.array(_ORIGINS)), False)


def _owners(tables: Mapping[str, pa.Table]) -> dict[str, str]:
    """Map the GUID of a port to that of its node, where they differ and others than those tools say so."""
    ports = tables.get("ports")
    named = [table for name in _PLACES if (table := tables.get(name)) is not None]
    if ports is None or not any(pc.any(_named_by_port(table)).as_py() for table in named):
        return {}
    others = ports.filter(pc.invert(_named_by_port(ports)))
    found: dict[str, set[str]] = {}
    for port, node in zip(others["port_guid"].to_pylist(), others["node_guid"].to_pylist(), strict=True):
        if port is not None and node is not None:
            found.setdefault(port, set()).add(node)
    nodes = set(others["node_guid"].to_pylist())
    return {port: next(iter(all_)) for port, all_ in found.items() if len(all_) == 1 and port not in nodes}


def _replaced(name: str, table: pa.Table, owners: Mapping[str, str]) -> pa.Table:
    """Replace GUIDs in the rows of one table."""
    columns = _PLACES.get(name, ())
    if not columns or not table.num_rows:
        return table
    wanted = _named_by_port(table).to_pylist()
    values = {column: table[column].to_pylist() for column in columns}
    changed: set[int] = set()
    for cells in values.values():
        for at in (at for at, told in enumerate(wanted) if told and cells[at] in owners):
            cells[at] = owners[cells[at]]
            changed.add(at)
    if not changed:
        return table
    if name == "links":
        values = {column: table[column].to_pylist() for column in _ENDS} | values
        for at in changed:
            one, other = (
                PortKey(values[f"node_guid_{end}"][at], values[f"port_num_{end}"][at]) for end in "ab"
            )
            (guid_a, num_a), (guid_b, num_b) = link_key(one, other)
            for column, value in zip(_ENDS, (guid_a, num_a, guid_b, num_b), strict=True):
                values[column][at] = value
    for column, cells in values.items():
        at = table.schema.get_field_index(column)
        table = table.set_column(at, table.schema.field(at), pa.array(cells, table.schema.field(at).type))
    return table
