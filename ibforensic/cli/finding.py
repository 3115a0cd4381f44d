"""Rows of a table that a text finds: rows of the nodes of that name, and rows that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from ibforensic.snapshot.records import Snapshot

_NAMES = {"nodes": ("node_name", "node_desc"), "hosts": ("host", "device")}
"""Tables that tell names of nodes, and the columns that hold them."""
_OF_NODES = ("node_guid", "node_guid_a", "node_guid_b")
"""Columns that tell whose row it is."""


def found(rows: pa.Table, text: str, loaded: Snapshot) -> pa.Table:
    """Return the rows that a text finds, without regard to case.

    Args:
        rows: Rows of a table.
        text: A name, a part of one, a GUID, or whatever stands in a cell.
        loaded: What the rows are from: it knows which node has which name.

    Returns:
        Rows of a node that is called just so, then those of nodes with the text in their name, then those
        that only hold the text, such as the rows of neighbours; each in the order they had.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    exact, partly = _nodes_named(loaded, text)
    masks = (_of_nodes(rows, exact), _of_nodes(rows, partly), _holding(rows, text))
    left = pa.array([True] * rows.num_rows)
    parts = []
    for mask in masks:
        parts.append(rows.filter(pc.and_(mask, left)))
        left = pc.and_(left, pc.invert(mask))
    return pa.concat_tables(parts)


def _nodes_named(loaded: Snapshot, text: str) -> tuple[set[str], set[str]]:
    """GUIDs of the nodes that are called just so, and of those whose name holds a text."""
    wanted = text.strip().casefold()
    exact: set[str] = set()
    partly: set[str] = set()
    for guid, names in _named(loaded):
        told = [name.casefold() for name in names]
        if wanted in told:
            exact.add(guid)
        elif any(wanted in name for name in told):
            partly.add(guid)
    return exact, partly - exact


def _named(loaded: Snapshot) -> Iterator[tuple[str, list[str]]]:
    """Walk through the nodes and what each is called, one row of a table after the other."""
    for sample in loaded.samples:
        for table, columns in _NAMES.items():
            rows = sample.columns(table, ("node_guid", *columns))
            for row in rows.to_pylist() if rows is not None else ():
                names = [row[column] for column in columns if row[column]]
                if row["node_guid"]:
                    yield row["node_guid"], [*names, " ".join(names)]


def _of_nodes(rows: pa.Table, guids: set[str]) -> pa.Array:
    """Whether each row is of one of some nodes, or of a link of one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hit: Any = pa.array([False] * rows.num_rows)
    wanted = pa.array(sorted(guids), pa.string())
    for name in set(_OF_NODES) & set(rows.column_names):
        hit = pc.or_(hit, pc.is_in(rows[name].cast(pa.string()), value_set=wanted))
    return hit


def _holding(rows: pa.Table, text: str) -> pa.Array:
    """Whether any cell of each row holds a text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hit: Any = pa.array([False] * rows.num_rows)
    for name in rows.column_names:
        cells = pc.fill_null(rows[name].cast(pa.string()), "")
        hit = pc.or_(hit, pc.match_substring(cells, text, ignore_case=True))
    return hit
