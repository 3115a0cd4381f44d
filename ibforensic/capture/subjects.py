"""Whom a line of a log is about: ports that are named by host, device and label become node GUID and number.

The forms of names are those of atlas §7: ``leaf-1/U1/P1/1/1`` and ``host-a/mlx5_0/B24D0F0/0/0/1`` (node,
then label), ``host-a/U1/P1`` (old: ``U1`` is ``HCA-1``), ``S<system GUID>/mlx5_3/P1``, and
``S<system GUID>/N<node GUID>/<label>``. ibdiagnet 1 prints ``lid=… guid=… dev=…``, with the GUID of a
node or a port. Names identify nothing: they count within their own collection alone, and only
where exactly one node bears them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.ids import guid

__all__ = ["resolve"]

_DEVICE = re.compile(r"HCA-(\d{1,3})\Z", re.ASCII)
_BY_GUID = re.compile(r"S\w{1,32}/N([0-9a-f]{16})(?:/(.*))?\Z", re.ASCII)
_OLD = re.compile(r"\bguid=(0x[0-9a-fA-F]{1,16})\b", re.ASCII)
_NOT_TOLD = ("", "N/A")

_Named = tuple[str, str]
"""A node GUID, and what stands behind the node: the label or number of a port, or nothing."""


def resolve(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[str, pa.Table]:
    """Fill in the nodes and ports of events that name them by host and label.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs: their names and their events are left alone.

    Returns:
        The tables. What is ambiguous or not known stays as it was: a name alone, in ``x_subject``.
    """
    events = tables.get("events")
    if events is None or "x_subject" not in events.column_names:
        return dict(tables)
    rows = [
        (at, row)
        for at, row in enumerate(events.select(_READ).to_pylist())
        if row["x_subject"] and row["source"] not in stale and row["scope"] != "port"
    ]
    if not rows:
        return dict(tables)
    names = _names(tables, stale)
    wanted = {at: named for at, row in rows if (named := _named(row, names)) is not None}
    ports = _ports(tables, stale, {node for node, _ in wanted.values()})
    columns = {name: events[name].to_pylist() for name in _FILLED}
    for at, (node, place) in wanted.items():
        port = columns["port_num"][at] if place in _NOT_TOLD else ports.get((node, place))
        if columns["node_guid"][at] in (None, node):
            columns["node_guid"][at], columns["port_num"][at] = node, port
            columns["scope"][at] = "node" if port is None else "port"
    for name, values in columns.items():
        at = events.schema.get_field_index(name)
        field = events.schema.field(at)
        events = events.set_column(at, field, pa.array(values, field.type))
    return {**tables, "events": events}


_FILLED = ("scope", "node_guid", "port_num")
_READ = [*_FILLED, "source", "x_subject", "x_other"]


def _named(row: Mapping[str, Any], names: Mapping[str, str]) -> _Named | None:
    """Return the node an event names and what stands behind it: of a link the first end that is known."""
    for subject in (row["x_subject"], row["x_other"]):
        found = _split(subject, names) if subject else None
        if found is not None:
            return found
    return None


def _split(subject: str, names: Mapping[str, str]) -> _Named | None:
    """Split a name into node and port; names and labels may both hold slashes, the longest name wins."""
    by_guid = _BY_GUID.match(subject)
    if by_guid:
        node = guid(by_guid[1])
        return None if node is None else (node, by_guid[2] or "")
    old = _OLD.search(subject)
    if old:
        node = names.get(guid(old[1]) or "")
        return None if node is None else (node, "")
    parts = subject.split("/")
    for count in range(len(parts), 0, -1):
        node = names.get("/".join(parts[:count]))
        if node is not None:
            return node, "/".join(parts[count:])
    return None


def _names(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[str, str]:
    """Map the names that logs use, and GUIDs of nodes and ports, to the one node that bears them."""
    found: dict[str, set[str]] = defaultdict(set)
    columns = ["node_guid", "node_name", "node_desc", "system_guid", "port_guid", "source"]
    for row in _current(tables, "nodes", columns, stale):
        for name in _names_of(row):
            found[name].add(row["node_guid"])
    for row in _current(tables, "ports", ["node_guid", "port_guid", "source"], stale):
        if row["port_guid"]:
            found[row["port_guid"]].add(row["node_guid"])
    return {name: next(iter(nodes)) for name, nodes in found.items() if len(nodes) == 1}


def _names_of(row: Mapping[str, Any]) -> set[str]:
    """Return the names of one node."""
    names = {row["node_guid"]}
    if row["port_guid"]:
        names.add(row["port_guid"])
    for text in (row["node_name"], row["node_desc"]):
        words = (text or "").split()
        if not words:
            continue
        names.add("/".join(words))
        names.add(" ".join(words))
        device = _DEVICE.match(words[-1])
        if device:
            names.add("/".join([*words[:-1], f"U{device[1]}"]))
        if row["system_guid"] and len(words) > 1:
            names.add(f"S{row['system_guid'].removeprefix('0x')}/{words[-1]}")
    return names


def _ports(tables: Mapping[str, pa.Table], stale: frozenset[str], nodes: set[str]) -> dict[_Named, int]:
    """Map node and label, or node and ``P<number>``, to the one port that is meant."""
    found: dict[_Named, set[int]] = defaultdict(set)
    columns = ["node_guid", "port_num", "port_label", "source"]
    for row in _current(tables, "ports", columns, stale, nodes):
        node, number, label = row["node_guid"], row["port_num"], row["port_label"]
        if number is None:
            continue
        found[node, f"P{number}"].add(number)
        if label:
            found[node, label].add(number)
            found[node, f"P{label}"].add(number)
    return {place: next(iter(numbers)) for place, numbers in found.items() if len(numbers) == 1}


def _current(
    tables: Mapping[str, pa.Table],
    name: str,
    columns: list[str],
    stale: frozenset[str],
    nodes: set[str] | None = None,
) -> list[dict[str, Any]]:
    """Return rows of the run itself that say which node they are about; of some nodes alone, if given."""
    table = tables.get(name)
    if table is None:
        return []
    rows = table.select(columns).filter(pc.is_valid(table["node_guid"]))
    if nodes is not None:
        rows = rows.filter(pc.is_in(rows["node_guid"], value_set=pa.array(sorted(nodes), pa.string())))
    return [row for row in rows.to_pylist() if row["source"] not in stale]
