"""Counting what a sample holds: nodes by kind, links, ports."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import NodeType, PortState, Role
from ibforensic.snapshot.records import Fabric

AGGREGATION_IDS = [number for number, device in DEVICES.items() if device.role is Role.AGGREGATION]


_TELL_OF_DOWN = ("net_dump", "ibstat")
"""Origins that list ports which are down as well."""

_OF_NODES = ("node_guid", "node_type", "device_id")
_OF_LINKS = ("node_guid_a", "port_num_a", "node_guid_b", "port_num_b")
_OF_PORTS = ("node_guid", "port_num", "state", "origin")

Counts = dict[str, int | None]
"""What is counted → how many; None where nothing tells."""


def count(tables: Mapping[str, pa.Table]) -> Counts:
    """Count nodes, links and ports, each once however many sources tell about it.

    Args:
        tables: Canonical tables of one sample; files of another run are left out where any other tells.

    Returns:
        nodes, switches, hcas, aggregation_nodes, routers, links, ports, ports_down.
    """
    nodes, links = _current(tables, "nodes", _OF_NODES), _current(tables, "links", _OF_LINKS)
    ports = _physical(_current(tables, "ports", _OF_PORTS))
    found: Counts = dict.fromkeys(
        ("nodes", "switches", "hcas", "aggregation_nodes", "routers", "links", "ports", "ports_down")
    )
    if nodes is not None:
        kinds = {kind: _guids(nodes, "node_type", [kind]) for kind in NodeType}
        aggregation = _guids(nodes, "device_id", AGGREGATION_IDS)
        found |= {
            "nodes": len(set().union(*kinds.values())),
            "switches": len(kinds[NodeType.SWITCH]),
            "hcas": len(kinds[NodeType.CA] - aggregation),
            "aggregation_nodes": len(aggregation),
            "routers": len(kinds[NodeType.ROUTER]),
        }
    if links is not None:
        found["links"] = _distinct(links, _OF_LINKS)
    if ports is not None:
        found["ports"] = _distinct(ports, ["node_guid", "port_num"])
        found["ports_down"] = _ports_down(ports)
    return found


def _current(tables: Mapping[str, pa.Table], name: str, wanted: Sequence[str]) -> pa.Table | None:
    """Columns of a table without the rows of files of another run; None where it tells nothing."""
    table, sources = tables.get(name), tables.get("sources")
    if table is None or not table.num_rows:
        return None
    told = table.select(wanted)
    stale = pa.array([], pa.string())
    if sources is not None:
        stale = sources.filter(pc.fill_null(sources["stale"], False))["source"].combine_chunks()
    if not len(stale):
        return told
    fresh = told.filter(pc.invert(pc.is_in(table["source"], value_set=stale)))
    return fresh if fresh.num_rows else told


def fabric(tables: Mapping[str, pa.Table]) -> Fabric:
    """Return the identity of the fabric a sample shows."""
    switches = tuple(sorted(_guids(_current(tables, "nodes", _OF_NODES), "node_type", [NodeType.SWITCH])))
    text = "\n".join(switches).encode()
    return Fabric(switches, hashlib.sha256(text).hexdigest()[:16] if switches else "")


def _guids(nodes: pa.Table | None, column: str, wanted: list[str] | list[NodeType] | list[int]) -> set[str]:
    """Node GUIDs of the rows whose column holds one of the wanted values."""
    if nodes is None:
        return set()
    values = pa.array([str(item) if isinstance(item, NodeType) else item for item in wanted])
    rows = nodes.filter(pc.is_in(nodes[column], value_set=values.cast(nodes[column].type)))
    return {guid for guid in rows["node_guid"].unique().to_pylist() if guid is not None}


def _distinct(table: pa.Table, key: Sequence[str]) -> int:
    """Number of different keys."""
    return int(table.select(key).group_by(list(key)).aggregate([]).num_rows)


def _physical(ports: pa.Table | None) -> pa.Table | None:
    """Ports that a cable can lead to: not the management port of a switch."""
    return None if ports is None else ports.filter(pc.greater(ports["port_num"], 0))


def _ports_down(ports: pa.Table) -> int | None:
    """Number of ports that some source calls down and none calls anything else.

    None where only ports that are up are listed: that says nothing about the others.
    """
    key = ["node_guid", "port_num"]
    told = ports.filter(pc.is_valid(ports["state"])).select([*key, "state", "origin"])
    down = pc.equal(told["state"], PortState.DOWN.value)
    origins = set(told["origin"].unique().to_pylist())
    if not pc.any(down).as_py() and not any(origin.startswith(_TELL_OF_DOWN) for origin in origins):
        return None
    by_port = told.append_column("down", down).group_by(key).aggregate([("down", "min")])
    return int(pc.sum(by_port["down_min"].cast(pa.int64())).as_py() or 0)
