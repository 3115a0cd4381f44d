"""Ports that ibqueryerrors checked and does not list, because there was nothing to tell: they counted 0.

The tool lists ports with errors alone. Where it came to its end, and as many nodes and ports were checked
as are known, a known port that is not listed has 0 in every counter that no threshold hides. Nodes that did
not answer are known by LID: a port whose own LID nobody tells may be theirs, and is left out with them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterGroup, NodeType, PhysState, PortState
from ibforensic.model.ids import PortKey
from ibforensic.parsers.counter_rows import CounterRow, counter_table

__all__ = ["answering", "checked", "complete", "listed", "with_zeros"]

_TOOL = "ibqueryerrors"
_PMA = f"counters_{CounterGroup.PMA}"
_XMIT_WAIT = "port_xmit_wait"
"""Optional: a device that never prints it may not have it."""

Run = Mapping[str, Any]


def complete(tables: Mapping[str, pa.Table], stale: Collection[str]) -> dict[str, pa.Table]:
    """Add a row of zeros for each port in use that the tool checked and did not list.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs.

    Returns:
        The tables; as they were where the tool did not run, ran twice, or did not check all that is known.
    """
    run = checked(tables, stale)
    if run is None or not run["zero_where_not_listed"]:
        return dict(tables)
    known = _in_use(tables, stale)
    if len(known) > run["ports_checked"] or len({port.node_guid for port in known}) > run["nodes_checked"]:
        return dict(tables)
    return with_zeros(tables, run, answering(tables, run, stale, known - listed(tables, run)))


def checked(tables: Mapping[str, pa.Table], stale: Collection[str] = ()) -> Run | None:
    """Return what the one run of ibqueryerrors checked, and which counters are 0 where it does not list them.

    Args:
        tables: Tables of a collection.
        stale: Files of other runs.

    Returns:
        Its summary with ``source`` and ``line``; None where there is no such run, or more than one.
    """
    runs = tables.get("runs")
    if runs is None:
        return None
    rows = runs.filter(pc.equal(runs["tool"], _TOOL)).to_pylist()
    found = [
        {**json.loads(row["summary"]), "source": row["source"], "line": row["line"]}
        for row in rows
        if row["summary"] and row["source"] not in stale
    ]
    # A list of data counters checks no errors: it stands beside the run that did.
    found = [run for run in found if not run.get("data_alone")]
    known = len(found) == 1 and {"nodes_checked", "ports_checked"} <= found[0].keys()
    return found[0] if known else None


def answering(
    tables: Mapping[str, pa.Table], run: Run, stale: Collection[str], ports: set[PortKey]
) -> set[PortKey]:
    """Return those of some ports that are known to have answered a run.

    Args:
        tables: Tables of the collection that the run belongs to.
        run: The run.
        stale: Files of other runs.
        ports: Ports that the run does not list.

    Returns:
        All, where every node answered; else those whose LID is told and is not that of a silent node.
    """
    silent = set(run.get("silent_lids", ()))
    if not silent:
        return ports
    by_port = {
        PortKey(row["node_guid"], row["port_num"]): row["lid"] for row in _lids(tables, "ports", stale)
    }
    switches = {
        row["node_guid"]: row["lid"]
        for row in _lids(tables, "nodes", stale)
        if row["node_type"] == NodeType.SWITCH
    }
    told = [*((port.node_guid, lid) for port, lid in by_port.items()), *switches.items()]
    quiet = {guid for guid, lid in told if lid in silent}
    return {
        port
        for port in ports
        if port.node_guid not in quiet and (port in by_port or port.node_guid in switches)
    }


def _lids(tables: Mapping[str, pa.Table], name: str, stale: Collection[str]) -> list[dict[str, Any]]:
    """Return the rows of a table that tell a LID, those of other runs left out."""
    table = tables.get(name)
    if table is None:
        return []
    wanted = {"ports": "port_num", "nodes": "node_type"}[name]
    rows = table.select(["node_guid", wanted, "lid", "source"]).to_pylist()
    return [row for row in rows if row["lid"] and row["node_guid"] and row["source"] not in stale]


def listed(tables: Mapping[str, pa.Table], run: Run) -> set[PortKey]:
    """Return the ports that a run lists.

    Args:
        tables: Tables of the collection.
        run: The run.
    """
    table = tables.get(_PMA)
    if table is None:
        return set()
    table = table.filter(pc.equal(table["source"], run["source"]))
    return set(map(PortKey, table["node_guid"].to_pylist(), table["port_num"].to_pylist()))


def with_zeros(tables: Mapping[str, pa.Table], run: Run, ports: Collection[PortKey]) -> dict[str, pa.Table]:
    """Add a row of zeros for each of some ports.

    Args:
        tables: Tables of the collection.
        run: The run that checked them.
        ports: The ports.

    Returns:
        The tables.
    """
    if not ports or not run["zero_where_not_listed"]:
        return dict(tables)
    # Nothing tells which register the tool read. The wide one is said to be 0: where it counts nothing,
    # as on some HCAs, a narrow one that does is not contradicted.
    names = [
        CATALOGUE[name].ext_name
        for name in run["zero_where_not_listed"]
        if name in CATALOGUE and name != _XMIT_WAIT
    ]
    rows = [
        CounterRow(
            run["line"], {"node_guid": port.node_guid, "port_num": port.port_num}, zeros=frozenset(names)
        )
        for port in sorted(ports)
    ]
    more = counter_table(CounterGroup.PMA, rows, run["source"], f"{_TOOL}:not listed")
    parts = [tables[_PMA], more] if _PMA in tables else [more]
    return {**tables, _PMA: pa.concat_tables(parts, promote_options="default")}


def _in_use(tables: Mapping[str, pa.Table], stale: Collection[str]) -> set[PortKey]:
    """Return the ports that other files of the collection call up; a switch's own port 0 is left out."""
    ports = tables.get("ports")
    if ports is None:
        return set()
    up = pc.or_(
        pc.fill_null(pc.equal(ports["state"], PortState.ACTIVE.value), False),
        pc.fill_null(pc.equal(ports["phys_state"], PhysState.LINK_UP.value), False),
    )
    rows = ports.filter(up).select(["node_guid", "port_num", "source"]).to_pylist()
    return {
        PortKey(row["node_guid"], row["port_num"])
        for row in rows
        if row["node_guid"] is not None and row["port_num"] and row["source"] not in stale
    }
