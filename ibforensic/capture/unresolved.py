"""Rows that no node is known of: their readings stay, and cannot be compared or judged; that is told."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.capture.limits import named
from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.words import counted

__all__ = ["unresolved"]

_TABLES = ("phy", "modules", "counters_phy", "counters_hw", "counters_ethtool")
"""Tables whose rows a host's tools fill without a GUID; LIDs of other counters have a note of their own."""


_NAMES = ("x_lid", "x_device", "device", "x_net_device", "net_device")


def unresolved(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> tuple[Note, ...]:
    """Say which devices and LIDs of which files belong to no known node.

    Args:
        tables: Tables of the collection, after all that is known was filled in.
        stale: Files of other runs, of which nothing is expected.

    Returns:
        One note, or none where every row has its node.
    """
    devices: dict[tuple[str, str], str] = {}
    for name in _TABLES:
        table = tables.get(name)
        if table is None or "node_guid" not in table.column_names:
            continue
        columns = [column for column in ("source", *_NAMES) if column in table.column_names]
        for row in table.filter(pc.is_null(table["node_guid"])).select(columns).to_pylist():
            device = _device(row)
            if device and row["source"] not in stale:
                devices.setdefault((row["source"], device), f"{row['source']} ({device})")
    if not devices:
        return ()
    several = len(devices) > 1
    return (
        Note(
            "capture.device_unresolved",
            Level.WARNING,
            f"{counted(len(devices), 'device')} {'belong' if several else 'belongs'} to no known node: "
            f"{named(list(devices.values()))}; "
            "kept by that name, and joined with nothing else",
            help="add ibstat of the same hosts, for a LID ibnetdiscover or ibdiagnet of the same time, "
            "for a name below /dev/mst mst status -v; or put the node GUID into the file name",
        ),
    )


def _device(row: Mapping[str, object]) -> str:
    """Name what a row is about, as its tool does."""
    if row.get("x_lid"):
        return f"LID {row['x_lid']}"
    return next((str(row[name]) for name in _NAMES if row.get(name)), "")
