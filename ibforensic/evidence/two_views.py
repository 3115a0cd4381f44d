"""The host's view of its ports beside the fabric's: where one calls a port up and the other does not."""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.diff.view import Row, View
from ibforensic.evidence.base import Scene
from ibforensic.model.enums import PortState
from ibforensic.model.ids import PortKey

_ETHERNET = "Ethernet"


def up_for_the_host_alone(scene: Scene) -> Mapping[PortKey, Row]:
    """Ports that their hosts call active and that the fabric showed before and does not now → host's row."""
    pair = scene.facts.pair
    if scene.alone or not (pair.current.links and scene.facts.topology.observed):
        return {}
    lost = pair.baseline.peers.keys() - pair.current.peers.keys()
    rows = _host_rows(pair.current)
    return {port: rows[port] for port in sorted(lost & rows.keys()) if _active(rows[port])}


def up_for_the_fabric_alone(scene: Scene) -> Mapping[PortKey, Row]:
    """Ports that lead somewhere in the fabric and that their hosts call down, which is news → host's row."""
    then, now = (_contradicted(view) for view in scene.views)
    return {port: row for port, row in sorted(now.items()) if scene.alone or port not in then}


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
