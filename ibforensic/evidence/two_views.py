"""The host's view of its ports beside the fabric's: where one calls a port up and the other does not.

And where both call it up, but at different rates.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.planes import planes_of
from ibforensic.diff.view import Row, View
from ibforensic.evidence.base import Scene
from ibforensic.model.enums import PortState
from ibforensic.model.ids import PortKey

_ETHERNET = "Ethernet"
_ASKED_THE_FABRIC = (
    "db_csv",
    "net_dump",
    "net_dump_ext",
    "lst",
    "ibnetdiscover",
    "iblinkinfo",
    "ibqueryerrors",
)
"""Origins whose ports were asked over the fabric, not on their hosts."""
_SHOWN = ("node_guid", "port_num", "state", "rate_gbps", "width_active", "speed_active", "origin", "source")
_ROUNDED = 0.04
"""Share by which two spellings of one rate may differ: 56 and 54.5 Gb/s are both 4x FDR."""
_ROUNDED_GBPS = 0.6
"""The same for low rates: ibstat cuts 2.5 to 2."""


def up_for_the_host_alone(scene: Scene) -> Mapping[PortKey, Row]:
    """Ports that their hosts call active and that the fabric showed before and does not now → host's row."""
    pair = scene.facts.pair
    if scene.alone or not (pair.current.links and scene.facts.topology.observed):
        return {}
    rows = {port: row for port, row in sorted(_host_rows(pair.current).items()) if _active(row)}
    then, now = pair.baseline.peers, pair.current.peers
    return {port: row for port, row in rows.items() if port in then and port not in now}


def up_for_the_fabric_alone(scene: Scene) -> Mapping[PortKey, Row]:
    """Ports that lead somewhere in the fabric and that their hosts call down, which is news → host's row."""
    then, now = (_contradicted(view) for view in scene.views)
    return {port: row for port, row in sorted(now.items()) if scene.alone or port not in then}


def rates_told_otherwise(scene: Scene) -> Mapping[PortKey, tuple[Row, Row]]:
    """Ports that are up for both sides at different rates, which is news → host's row, fabric's row."""
    then, now = (_unequal(view) for view in scene.views)
    return {port: rows for port, rows in sorted(now.items()) if scene.alone or port not in then}


def _unequal(view: View) -> dict[PortKey, tuple[Row, Row]]:
    told = {port: row for port, row in _host_rows(view).items() if _active(row) and row["rate_gbps"]}
    if not told:
        return {}
    planes = {port for members in planes_of(view).values() for port, _ in members.values()}
    shown = _fabric_rows(view, frozenset(port.node_guid for port in told))
    return {
        port: (row, shown[port])
        for port, row in told.items()
        # A host gives an aggregated port the rate of all its planes, the fabric each plane its own.
        if port in shown and port not in planes and _differ(row["rate_gbps"], shown[port]["rate_gbps"])
    }


def _fabric_rows(view: View, guids: frozenset[str]) -> dict[PortKey, Row]:
    """Port → what the fabric shows of it, where it is active and its rate is told."""
    columns = (
        "node_guid",
        "port_num",
        "state",
        "rate_gbps",
        "width_active",
        "speed_active",
        "origin",
        "source",
    )
    table = view.table("ports", columns)
    mine = table.filter(pc.is_in(table["node_guid"], value_set=pa.array(sorted(guids), pa.string())))
    found: dict[PortKey, Row] = {}
    for row in mine.to_pylist():
        asked = (row["origin"] or "").partition(":")[0] in _ASKED_THE_FABRIC and row[
            "source"
        ] not in view.stale
        if asked and row["state"] in (PortState.ACTIVE, None) and row["rate_gbps"] and row["port_num"]:
            found.setdefault(PortKey(row["node_guid"], row["port_num"]), row)
    return found


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > max(_ROUNDED_GBPS, _ROUNDED * max(one, other))


def _contradicted(view: View) -> dict[PortKey, Row]:
    return {port: row for port, row in _host_rows(view).items() if port in view.peers and not _active(row)}


def _host_rows(view: View) -> dict[PortKey, Row]:
    """Port → what its host says of it in this run, where it says a state; ports of Ethernet are left out."""
    found: dict[PortKey, Row] = {}
    for row in view.table("hosts").to_pylist():
        told = row["node_guid"] and row["port_num"] is not None and row["state"]
        if told and row["link_layer"] != _ETHERNET and row["source"] not in view.stale:
            found.setdefault(PortKey(row["node_guid"], row["port_num"]), row)
    return found


def _active(row: Row) -> bool:
    return bool(row["state"] == PortState.ACTIVE)
